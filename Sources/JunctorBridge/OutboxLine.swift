internal import JunctorCore

/// Messages that wait to leave, first in, first out, no more of them than there is room for.
///
/// The core has such a buffer; here is one of the module's own, as the compiler makes code for one type of item only where
/// it sees both: looked up at run time, the layout of the items took half of a post.
struct OutboxLine<Item> {
  private var storage: ContiguousArray<Item?> = []
  private var head = 0
  private let room: Int
  private let dropsOldest: Bool

  /// How many wait.
  private(set) var count = 0
  /// What became of the messages. What is taken out is counted by whoever takes it.
  var counters = MailboxCounters()

  /// Begins empty.
  ///
  /// - Parameters:
  ///   - room: how many may wait.
  ///   - dropsOldest: whether the oldest gives way to more, rather than what comes then.
  init(room: Int, dropsOldest: Bool) {
    self.room = room
    self.dropsOldest = dropsOldest
  }

  /// Whether another item would make none give way.
  var hasRoom: Bool { count < room }

  /// Takes an item in. Returns what came of it, and what lost its place.
  ///
  /// - Complexity: amortised O(1).
  mutating func accept(_ item: Item) -> (outcome: MailboxOutcome, displaced: Item?) {
    counters.accepted += 1
    if hasRoom {
      append(item)
      return (.queued, nil)
    }
    counters.dropped += 1
    guard dropsOldest, let oldest = takeFirst() else { return (.droppedNewest, item) }
    append(item)
    return (.displacedOldest, oldest)
  }

  private mutating func append(_ item: Item) {
    if count == storage.count { resize(to: max(4, 2 * storage.count)) }
    storage[(head + count) & (storage.count - 1)] = item
    count += 1
  }

  /// Takes the oldest item out, if there is one.
  ///
  /// - Complexity: amortised O(1).
  mutating func takeFirst() -> Item? {
    guard count > 0 else { return nil }
    let item = storage[head].take()
    head = (head + 1) & (storage.count - 1)
    count -= 1
    // An eighth, not a half: a crowd that comes and goes does not resize every time.
    if storage.count > 64, count < storage.count / 8 { resize(to: storage.count / 2) }
    return item
  }

  /// Takes everything out and counts it as cancelled.
  ///
  /// - Complexity: O(n).
  mutating func cancelAll() -> [Item] {
    var all: [Item] = []
    while let item = takeFirst() { all.append(item) }
    counters.cancelled += UInt64(all.count)
    return all
  }

  private mutating func resize(to capacity: Int) {
    var moved: ContiguousArray<Item?> = []
    moved.reserveCapacity(capacity)
    for index in 0..<count { moved.append(storage[(head + index) & (storage.count - 1)].take()) }
    for _ in count..<capacity { moved.append(nil) }
    storage = moved
    head = 0
  }
}
