internal import JunctorCore

/// The mailbox of an asynchronous listener: of one message type, or of a pattern that takes many.
///
/// ## Concurrency
/// May be used from any thread.
enum ListenerMailbox<Message: Sendable>: Sendable {
  case own(Mailbox<PendingDelivery<Message>>)
  case shared(Mailbox<SharedDelivery>)

  /// Makes a mailbox for one message type.
  static func make(_ target: DeliveryTarget, _ buffer: BufferPolicy) -> ListenerMailbox {
    .own(Mailbox(target: target, limit: buffer.limit) { $0.run() })
  }

  /// Hands a message in.
  func send(_ delivery: PendingDelivery<Message>) -> MailboxOutcome {
    switch self {
    case .own(let mailbox): mailbox.send(delivery)
    case .shared(let mailbox): mailbox.send(SharedDelivery(run: delivery.run))
    }
  }

  /// Whether nothing waits and nothing is being handled.
  var isIdle: Bool {
    switch self {
    case .own(let mailbox): mailbox.isIdle
    case .shared(let mailbox): mailbox.isIdle
    }
  }

  /// How many messages wait.
  var pending: Int {
    switch self {
    case .own(let mailbox): mailbox.pending
    case .shared(let mailbox): mailbox.pending
    }
  }

  /// What became of the messages so far.
  var counters: MailboxCounters {
    switch self {
    case .own(let mailbox): mailbox.counters
    case .shared(let mailbox): mailbox.counters
    }
  }

  /// Drops what waits and accepts nothing more.
  func close() {
    switch self {
    case .own(let mailbox): mailbox.close()
    case .shared(let mailbox): mailbox.close()
    }
  }
}

/// One message of any type that waits for one listener.
struct SharedDelivery: Sendable {
  /// Calls the listener, unless it has gone. Returns whether it did.
  let run: @Sendable () -> Bool
}
