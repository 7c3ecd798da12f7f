/// Items that wait, no more of them than a limit allows, and what became of those that do not wait any longer.
package struct BoundedBuffer<Item> {
  private var items = RingBuffer<Item>()

  /// How many may wait, and which one gives way.
  package let limit: MailboxLimit

  /// What became of the items. What is taken out is counted by whoever takes it.
  package var counters = MailboxCounters()

  /// Makes an empty buffer.
  package init(limit: MailboxLimit) { self.limit = limit }

  /// How many items wait.
  package var count: Int { items.count }

  /// Whether another item would make none give way.
  package var hasRoom: Bool { items.count < limit.capacity }

  /// Whether nothing can ever wait in it.
  package var isAlwaysFull: Bool { limit.capacity == 0 }

  /// Takes an item in. Returns what came of it, and what lost its place, to die where the caller likes.
  ///
  /// - Complexity: amortised O(1).
  package mutating func accept(
    _ item: consuming Item
  ) -> (outcome: MailboxOutcome, displaced: Item?) {
    counters.accepted += 1
    if hasRoom {
      items.append(item)
      return (.queued, nil)
    }
    counters.dropped += 1
    guard case .dropOldest = limit, let oldest = items.popFirst() else {
      return (.droppedNewest, item)
    }
    items.append(item)
    return (.displacedOldest, oldest)
  }

  /// Takes the oldest item out, if there is one.
  ///
  /// - Complexity: amortised O(1).
  package mutating func takeFirst() -> Item? { items.popFirst() }

  /// Takes everything out and counts it as cancelled.
  ///
  /// - Complexity: O(n).
  package mutating func cancelAll() -> [Item] {
    var all: [Item] = []
    while let item = items.popFirst() { all.append(item) }
    counters.cancelled += UInt64(all.count)
    return all
  }
}
