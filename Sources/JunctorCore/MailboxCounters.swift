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

  /// Nothing yet.
  package init() {}

  /// Adds what became of others.
  package mutating func add(_ other: MailboxCounters) {
    accepted += other.accepted
    delivered += other.delivered
    dropped += other.dropped
    cancelled += other.cancelled
  }
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
