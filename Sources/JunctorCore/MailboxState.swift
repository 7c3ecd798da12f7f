/// A mailbox as a plain value: each transition returns what to do once the lock was left.
struct MailboxState<Item> {
  private var buffer: BoundedBuffer<Item>
  /// How many drain jobs have been handed to the target and have not ended yet: at most one, unless items may overlap.
  private var jobs = 0
  /// Whether nothing more is accepted.
  private(set) var isClosed = false
  private var waitForRoom = Waiters<Bool>()
  private var waitForRest = Waiters<Bool>()

  /// Makes an empty mailbox.
  init(limit: MailboxLimit) { buffer = BoundedBuffer(limit: limit) }

  /// What came of an item, and what is to be done about it outside the lock.
  struct Accepted {
    /// What came of the item.
    var outcome: MailboxOutcome
    /// Whether a drain job has to be handed to the target.
    var schedule = false
    /// What lost its place; dies outside the lock.
    var displaced: Item?
  }

  /// What became of the items.
  var counters: MailboxCounters { buffer.counters }
  /// How many items wait.
  var count: Int { buffer.count }

  /// Takes an item in, as far as the limit and the mailbox's end allow.
  ///
  /// - Complexity: amortised O(1).
  mutating func accept(_ item: consuming Item, isConcurrent: Bool) -> Accepted {
    if isClosed { return Accepted(outcome: .closed, displaced: item) }
    let (outcome, displaced) = buffer.accept(item)
    var result = Accepted(outcome: outcome, displaced: displaced)
    guard outcome != .droppedNewest else { return result }
    // Of one that another gave way to the job is there already.
    result.schedule = jobs == 0 || (isConcurrent && outcome == .queued)
    if result.schedule { jobs += 1 }
    return result
  }

  /// Whether an item would be taken in without making another give way, or refused whatever the time.
  var hasRoom: Bool { isClosed || buffer.hasRoom || buffer.isAlwaysFull }

  /// The next item, or `nil` when the drain job is at its end; and who is to be told.
  mutating func next() -> (item: Item?, wake: Resume<Bool>?, rest: [Resume<Bool>]) {
    guard let item = buffer.takeFirst() else { return (nil, nil, stopDraining()) }
    return (item, waitForRoom.takeFirst(), [])
  }

  /// Whether a drain job is under way.
  var isDraining: Bool { jobs > 0 }

  /// Notes that a drain job is not under way any longer. Returns who waited for the last.
  mutating func stopDraining() -> [Resume<Bool>] {
    jobs -= 1
    return jobs > 0 || waitForRest.isEmpty ? [] : waitForRest.takeAll()
  }

  /// Counts an item that was taken out and has been handled.
  mutating func finished(delivered: Bool) {
    if delivered { buffer.counters.delivered += 1 } else { buffer.counters.cancelled += 1 }
  }

  /// Registers somebody who waits for room, unless there is some now.
  mutating func waitForRoom(
    _ id: UInt64, _ resume: @escaping Resume<Bool>
  ) -> Suspension<Bool> {
    if hasRoom { return .answered(true) }
    waitForRoom.add(id, resume)
    return .waiting
  }

  /// Registers somebody who waits until nothing waits and nothing is being handled.
  mutating func waitForRest(
    _ id: UInt64, _ resume: @escaping Resume<Bool>
  ) -> Suspension<Bool> {
    if !isDraining { return .answered(true) }
    waitForRest.add(id, resume)
    return .waiting
  }

  /// Takes the note of one who waits out. Returns what resumes it.
  mutating func stopWaiting(_ id: UInt64) -> Resume<Bool>? {
    waitForRoom.take(id) ?? waitForRest.take(id)
  }

  /// Takes everything out and accepts nothing more. Returns what was there, and who waited for room.
  mutating func close() -> (items: [Item], wake: [Resume<Bool>]) {
    isClosed = true
    return (buffer.cancelAll(), waitForRoom.takeAll())
  }
}
