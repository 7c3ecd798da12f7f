internal import JunctorCore

/// The mailbox of an asynchronous listener: of one message type, or of a pattern that takes many.
///
/// ## Concurrency
/// May be used from any thread.
enum ListenerMailbox<Message: Sendable>: Sendable {
  /// That of one listener of one message type.
  case own(Mailbox<PendingDelivery<Message>>)
  /// That of a pattern's listener, for all message types.
  case shared(Mailbox<SharedDelivery>)
  /// The buffers of a message sequence, which its iterators empty.
  case stream(MessageHub<Message>)
  /// What takes messages out of the process.
  case outlet(any ChannelOutlet<Message>)

  /// Makes a mailbox for one message type.
  static func make(_ target: DeliveryTarget, _ buffer: BufferPolicy) -> ListenerMailbox {
    .own(Mailbox(target: target, limit: buffer.limit) { $0.run() })
  }

  /// Hands a message in.
  func send(_ delivery: PendingDelivery<Message>) -> MailboxOutcome {
    switch self {
    case .own(let mailbox): mailbox.send(delivery)
    case .shared(let mailbox): mailbox.send(SharedDelivery(run: delivery.run))
    case .stream(let hub): hub.accept(delivery.message)
    case .outlet(let outlet): outlet.accept(delivery.message, OutgoingPost(delivery))
    }
  }

  /// Whether nothing waits and nothing is being handled. What iterators or other processes have yet to take is not
  /// counted.
  var isIdle: Bool {
    switch self {
    case .own(let mailbox): mailbox.isIdle
    case .shared(let mailbox): mailbox.isIdle
    case .stream, .outlet: true
    }
  }

  /// How many messages wait.
  var pending: Int {
    switch self {
    case .own(let mailbox): mailbox.pending
    case .shared(let mailbox): mailbox.pending
    case .stream(let hub): hub.pending
    case .outlet(let outlet): outlet.pending
    }
  }

  /// What became of the messages so far.
  var counters: MailboxCounters {
    switch self {
    case .own(let mailbox): mailbox.counters
    case .shared(let mailbox): mailbox.counters
    case .stream(let hub): hub.counters
    case .outlet(let outlet): outlet.counters
    }
  }

  /// Drops what waits and accepts nothing more.
  func close() {
    switch self {
    case .own(let mailbox): mailbox.close()
    case .shared(let mailbox): mailbox.close()
    case .stream(let hub): hub.finish()
    case .outlet(let outlet): outlet.close()
    }
  }
}

/// One message of any type that waits for one listener.
struct SharedDelivery: Sendable {
  /// Calls the listener, unless it has gone. Returns whether it did.
  let run: @Sendable () -> Bool
}
