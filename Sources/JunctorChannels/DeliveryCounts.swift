internal import JunctorCore

/// What became of the messages that were handed to one listener and not called at once.
///
/// `accepted` is always the sum of `delivered`, `dropped`, `cancelled`, `pending` and what is being handled just now.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct DeliveryCounts: Sendable, Hashable {
  /// How many were handed in.
  public var accepted: UInt64 = 0
  /// How many the listener has got.
  public var delivered: UInt64 = 0
  /// How many gave way because its buffer was full.
  public var dropped: UInt64 = 0
  /// How many were left when it ended or was set aside.
  public var cancelled: UInt64 = 0
  /// How many wait.
  public var pending: Int = 0

  /// Takes a mailbox's counters over.
  init(_ counters: MailboxCounters, pending: Int) {
    accepted = counters.accepted
    delivered = counters.delivered
    dropped = counters.dropped
    cancelled = counters.cancelled
    self.pending = pending
  }
}

extension Registration {
  /// What became of the messages that were not delivered at once.
  ///
  /// `nil` once it has ended, and for registrations of other mechanisms.
  ///
  /// - Complexity: O(log n) in the number of registrations beside it.
  public var deliveryCounts: DeliveryCounts? { (entry as? any CountingListener)?.deliveryCounts }
}

/// What can be asked of a listener whose message type is not known.
protocol CountingListener: _ListEntry {
  /// What became of the messages that were not delivered at once.
  var deliveryCounts: DeliveryCounts { get }
  /// Waits until nothing waits for the listener and nothing is being handled.
  nonisolated(nonsending) func waitForRest() async
  /// Whether nothing waits for the listener and nothing is being handled.
  var isAtRest: Bool { get }
}

extension ChannelEntry: CountingListener {
  var deliveryCounts: DeliveryCounts {
    guard let mailbox = extras?.mailbox else {
      return DeliveryCounts(MailboxCounters(), pending: 0)
    }
    return DeliveryCounts(mailbox.counters, pending: mailbox.pending)
  }

  nonisolated(nonsending) func waitForRest() async { await extras?.mailbox?.waitForRest() }

  var isAtRest: Bool { extras?.mailbox?.isIdle ?? true }
}
