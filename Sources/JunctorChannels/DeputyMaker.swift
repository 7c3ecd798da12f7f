internal import JunctorCore

/// Makes the entries by which a pattern's listener stands in the topics that it matches.
///
/// ## Concurrency
/// May be used from any thread. Retains the handler.
protocol DeputyMaker: Sendable {
  /// The entry for one topic; `nil` if the topic is of another type or the owner is gone.
  func deputy(of pattern: PatternEntry, in topic: Topic) -> _ListEntry?

  /// What became of the messages that were not delivered at once, from all topics, and how many wait; `nil` where the
  /// poster always calls the listener.
  var counts: (counters: MailboxCounters, pending: Int)? { get }

  /// Drops what waits for the listener.
  func close()

  /// Whether the handler belongs to an actor.
  var isOfActor: Bool { get }

  /// Where the handler runs, for people to read.
  func place(of pattern: PatternEntry) -> String
}

/// Makes deputies for topics of one message type.
struct TypedDeputy<Message: Sendable>: DeputyMaker {
  /// What is called.
  let handler: StoredEnvelopeHandler<Message>
  /// The actor that the handler is isolated to; `nil` also where the owner itself is that actor.
  let isolation: (any Actor)?
  /// What the listener asked for.
  let options: DeputyOptions
  /// What waits for the listener, from all topics, where it is not always called by the poster.
  let mailbox: ListenerMailbox<Message>?

  /// Makes the deputies' maker, and the one mailbox of them all.
  init(
    _ handler: StoredEnvelopeHandler<Message>, _ isolation: (any Actor)?,
    actor: (any Actor)? = nil, _ options: ListenerOptions
  ) {
    self.handler = handler
    self.isolation = isolation
    self.options = DeputyOptions(options, ownerIsActor: actor != nil)
    let target = options.target(owner: actor, isolation: isolation, ownerIsActor: actor != nil)
    mailbox = target.map { .queue(options.mailbox($0)) }
  }

  /// Makes the maker of deputies that share a mailbox made elsewhere.
  init(
    _ handler: StoredEnvelopeHandler<Message>, _ options: ListenerOptions,
    mailbox: ListenerMailbox<Message>
  ) {
    self.handler = handler
    isolation = nil
    self.options = DeputyOptions(options, ownerIsActor: false)
    self.mailbox = mailbox
  }

  func deputy(of pattern: PatternEntry, in topic: Topic) -> _ListEntry? {
    guard topic.kind.id == ObjectIdentifier(Message.self) else { return nil }
    return options.entry(of: pattern, handler, isolation, mailbox)
  }

  var isOfActor: Bool { options.isOfActor(isolation) }

  func place(of pattern: PatternEntry) -> String {
    mailbox?.isOutlet == true ? "a bridge" : options.place(of: pattern, isolation)
  }

  var counts: (counters: MailboxCounters, pending: Int)? {
    mailbox.map { ($0.counters, $0.pending) }
  }

  func close() { mailbox?.close() }
}

/// Makes deputies for topics of every message type.
struct UntypedDeputy: DeputyMaker {
  /// What is called.
  let handler: StoredEnvelopeHandler<any Sendable>
  /// The actor that the handler is isolated to; `nil` also where the owner itself is that actor.
  let isolation: (any Actor)?
  /// What the listener asked for.
  let options: DeputyOptions
  /// What waits for the listener, from all topics, where it is not always called by the poster.
  let mailbox: Mailbox?

  /// Makes the deputies' maker, and the one mailbox of them all.
  init(
    _ handler: StoredEnvelopeHandler<any Sendable>, _ isolation: (any Actor)?,
    actor: (any Actor)? = nil, _ options: ListenerOptions
  ) {
    self.handler = handler
    self.isolation = isolation
    self.options = DeputyOptions(options, ownerIsActor: actor != nil)
    let target = options.target(owner: actor, isolation: isolation, ownerIsActor: actor != nil)
    mailbox = target.map { options.mailbox($0) }
  }

  func deputy(of pattern: PatternEntry, in topic: Topic) -> _ListEntry? {
    topic.kind.makeEntry(self, pattern)
  }

  /// Makes the entry for a topic of one message type.
  func entry<Message: Sendable>(of pattern: PatternEntry, for type: Message.Type) -> _ListEntry? {
    let call = handler.call
    let typed = StoredEnvelopeHandler<Message> { owner, message, envelope in
      try call(owner, message, envelope)
    }
    return options.entry(
      of: pattern, typed, isolation, mailbox.map { .queue($0) })
  }

  var isOfActor: Bool { options.isOfActor(isolation) }

  func place(of pattern: PatternEntry) -> String { options.place(of: pattern, isolation) }

  var counts: (counters: MailboxCounters, pending: Int)? {
    mailbox.map { ($0.counters, $0.pending) }
  }

  func close() { _ = mailbox?.close() }
}

/// What a pattern's listener asked for, kept for deputies to come.
struct DeputyOptions: Sendable {
  private let priority: ListenerPriority
  private let mode: DeliveryMode
  private let once: Bool
  private let label: String?
  private let sender: OwnerBox?
  private let ownerIsActor: Bool

  /// Notes the options, the sender weakly.
  init(_ options: ListenerOptions, ownerIsActor: Bool) {
    self.ownerIsActor = ownerIsActor
    priority = options.priority
    mode = options.mode
    once = options.once
    label = options.label
    sender = options.sender.flatMap { OwnerBox($0) }
  }

  /// Whether a handler belongs to an actor.
  func isOfActor(_ isolation: (any Actor)?) -> Bool { ownerIsActor || isolation != nil }

  /// Where the handler runs, for people to read.
  func place(of pattern: PatternEntry, _ isolation: (any Actor)?) -> String {
    mode.place(of: pattern, isolation, ownerIsActor)
  }

  /// Makes a deputy, unless the owner or the only sender to listen to is gone.
  func entry<Message: Sendable>(
    of pattern: PatternEntry, _ handler: StoredEnvelopeHandler<Message>,
    _ isolation: (any Actor)?, _ mailbox: ListenerMailbox<Message>?
  ) -> _ListEntry? {
    let from = sender?.reference.object
    if sender != nil, from == nil { return nil }
    // What was kept here is not for other processes.
    let gate = mailbox?.isOutlet == true ? nil : ReplayGate<Message>(isOnce: once)
    let extras = ListenerExtras(
      ListenerOptions(priority: priority, mode: mode, sender: from, once: once, label: label),
      isolation: isolation, ownerIsActor: ownerIsActor, envelopeHandler: handler,
      mailbox: mailbox, pattern: pattern, gate: gate)
    guard pattern.owner.isBound else {
      return ChannelEntry(
        id: pattern.id, topic: nil, handler: .unused, extras: extras, site: pattern.site)
    }
    guard let owner = pattern.owner.object else { return nil }
    return ChannelEntry(
      id: pattern.id, topic: nil, owner: owner, handler: .unused, extras: extras,
      site: pattern.site)
  }
}
