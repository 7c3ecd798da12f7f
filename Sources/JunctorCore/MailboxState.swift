/// A mailbox as a plain value: each transition returns what to do once the lock was left.
struct MailboxState<Item> {
  let limit: MailboxLimit
  private(set) var items = RingBuffer<Item>()
  /// A drain job has been handed to the target and has not ended yet.
  private(set) var isDraining = false
  private(set) var isClosed = false
  private(set) var counters = MailboxCounters()
  private var waiters: [(id: UInt64, resume: @Sendable (Bool) -> Void)] = []

  init(limit: MailboxLimit) { self.limit = limit }

  struct Accepted {
    /// What came of the item.
    var outcome: MailboxOutcome
    /// Whether a drain job has to be handed to the target.
    var schedule = false
    /// What lost its place; dies outside the lock.
    var displaced: Item?
  }

  mutating func accept(_ item: consuming Item) -> Accepted {
    if isClosed { return Accepted(outcome: .closed, displaced: item) }
    counters.accepted += 1
    guard limit.capacity > 0 else {
      counters.dropped += 1
      return Accepted(outcome: .droppedNewest, displaced: item)
    }
    var result = Accepted(outcome: .queued)
    if items.count >= limit.capacity {
      counters.dropped += 1
      switch limit {
      case .dropNewest, .unbounded:
        return Accepted(outcome: .droppedNewest, displaced: item)
      case .dropOldest:
        result.outcome = .displacedOldest
        result.displaced = items.popFirst()
      }
    }
    items.append(item)
    result.schedule = !isDraining
    isDraining = true
    return result
  }

  var hasRoom: Bool { isClosed || items.count < limit.capacity }

  /// The next item, or `nil` when the drain job is at its end.
  mutating func next() -> (item: Item?, wake: (@Sendable (Bool) -> Void)?) {
    guard let item = items.popFirst() else {
      isDraining = false
      return (nil, nil)
    }
    return (item, waiters.isEmpty ? nil : waiters.removeFirst().resume)
  }

  mutating func finished(delivered: Bool) {
    if delivered { counters.delivered += 1 } else { counters.cancelled += 1 }
  }

  /// Registers somebody who waits for room; `false` if there is some now.
  mutating func wait(id: UInt64, resume: @escaping @Sendable (Bool) -> Void) -> Bool {
    if hasRoom { return false }
    waiters.append((id, resume))
    return true
  }

  mutating func stopWaiting(id: UInt64) -> (@Sendable (Bool) -> Void)? {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
    return waiters.remove(at: index).resume
  }

  mutating func close() -> (items: [Item], wake: [@Sendable (Bool) -> Void]) {
    isClosed = true
    var dropped: [Item] = []
    while let item = items.popFirst() { dropped.append(item) }
    counters.cancelled += UInt64(dropped.count)
    let wake = waiters.map(\.resume)
    waiters = []
    return (dropped, wake)
  }
}

/// What became of the items of one mailbox. Accepted is always the sum of the others and of what still waits.
package struct MailboxCounters: Sendable, Hashable {
  /// Handed in.
  package var accepted: UInt64 = 0
  /// Handed over to the listener.
  package var delivered: UInt64 = 0
  /// Lost because the mailbox was full.
  package var dropped: UInt64 = 0
  /// Lost because the listener had gone.
  package var cancelled: UInt64 = 0
}

/// What came of an item that was handed to a mailbox.
package enum MailboxOutcome: Sendable, Hashable {
  /// It waits for its turn.
  case queued
  /// It waits for its turn; the oldest one gave way to it.
  case displacedOldest
  /// It was dropped: the mailbox is full.
  case droppedNewest
  /// It was dropped: the mailbox is closed.
  case closed
}
