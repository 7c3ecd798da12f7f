internal import JunctorCore

/// What waits for an asynchronous listener.
///
/// ## Concurrency
/// May be used from any thread.
enum ListenerMailbox<Message: Sendable>: Sendable {
  /// That of one listener, or of a pattern's, which takes messages of many channels.
  case queue(Mailbox)
  /// The buffers of a message sequence, which its iterators empty.
  case stream(MessageHub<Message>)
  /// What takes messages out of the process.
  case outlet(any ChannelOutlet<Message>)

  /// Whether it takes messages out of the process.
  var isOutlet: Bool { if case .outlet = self { true } else { false } }

  /// Hands a message in.
  func send(
    _ message: Message, to entry: ChannelEntry<Message>, of topic: Topic, _ context: PostContext?,
    ticket: DeliveryTicket? = nil
  ) -> MailboxOutcome {
    switch self {
    case .queue(let mailbox):
      mailbox.send(
        PendingDelivery(
          entry: entry, message: message, topic: topic, context: context, ticket: ticket))
    case .stream(let hub): hub.accept(message)
    case .outlet(let outlet): outlet.accept(message, OutgoingPost(entry, topic, ticket))
    }
  }

  /// Hands a message in if none has to give way to it; `nil`, with nothing done, if one had to.
  func sendIfRoom(
    _ message: Message, to entry: ChannelEntry<Message>, of topic: Topic, _ context: PostContext,
    ticket: DeliveryTicket
  ) -> MailboxOutcome? {
    switch self {
    case .queue(let mailbox):
      mailbox.sendIfRoom(
        PendingDelivery(
          entry: entry, message: message, topic: topic, context: context, ticket: ticket))
    case .stream(let hub): hub.acceptIfRoom(message)
    case .outlet(let outlet): outlet.acceptIfRoom(message, OutgoingPost(entry, topic, ticket))
    }
  }

  /// Whether nothing waits and nothing is being handled. What iterators or other processes have yet to take is not
  /// counted.
  var isIdle: Bool {
    switch self {
    case .queue(let mailbox): mailbox.isIdle
    case .stream, .outlet: true
    }
  }

  /// How many messages wait.
  var pending: Int {
    switch self {
    case .queue(let mailbox): mailbox.pending
    case .stream(let hub): hub.pending
    case .outlet(let outlet): outlet.pending
    }
  }

  /// What became of the messages so far.
  var counters: MailboxCounters {
    switch self {
    case .queue(let mailbox): mailbox.counters
    case .stream(let hub): hub.counters
    case .outlet(let outlet): outlet.counters
    }
  }

  /// Drops what waits and accepts nothing more.
  func close() {
    switch self {
    case .queue(let mailbox): _ = mailbox.close()
    case .stream(let hub): hub.finish()
    case .outlet(let outlet): outlet.close()
    }
  }

  // MARK: - Waiting

  /// Waits until there is room. Returns `false` if the task was cancelled meanwhile.
  nonisolated(nonsending) func waitForRoom() async -> Bool {
    switch self {
    case .queue(let mailbox): await mailbox.waitForRoom()
    case .stream(let hub): await hub.waitForRoom()
    case .outlet(let outlet): await outlet.waitForRoom()
    }
  }

  /// Waits until nothing waits and nothing is being handled.
  nonisolated(nonsending) func waitForRest() async {
    switch self {
    case .queue(let mailbox): _ = await mailbox.waitForRest()
    case .stream, .outlet: break
    }
  }
}
