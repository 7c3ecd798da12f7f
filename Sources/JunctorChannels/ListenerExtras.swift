internal import Dispatch
internal import JunctorCore
internal import Synchronization

/// What a listener asks for beyond being called by the poster. Most listeners have none.
///
/// ## Concurrency
/// Constant, but for two flags and the mailbox, which keeps itself.
final class ListenerExtras<Message: Sendable>: Sendable {
  let label: String?
  let priority: Int
  let isOnce: Bool
  /// The only sender that is listened to; bound to nothing where there is no such wish.
  let sender: OwnerReference
  /// The actor that the handler is isolated to; `nil` also where the owner itself is that actor.
  let isolation: (any Actor)?
  let ownerIsActor: Bool
  let mode: DeliveryMode
  let envelopeHandler: StoredEnvelopeHandler<Message>?
  /// What waits for the listener, where it is not always called by the poster.
  let mailbox: ListenerMailbox<Message>?
  /// The pattern that this listener stands for in one topic.
  let pattern: PatternEntry?
  /// What holds posts up while the listener gets what was kept for it.
  let gate: ReplayGate<Message>?

  let isClaimed = Atomic(false)
  let hasReportedDrop = Atomic(false)

  init(
    _ options: ListenerOptions, isolation: (any Actor)? = nil, ownerIsActor: Bool = false,
    envelopeHandler: StoredEnvelopeHandler<Message>? = nil,
    mailbox: ListenerMailbox<Message>? = nil, pattern: PatternEntry? = nil,
    gate: ReplayGate<Message>? = nil
  ) {
    label = options.label
    priority = options.priority.rawValue
    isOnce = options.once
    sender = options.sender.flatMap { OwnerReference($0) } ?? OwnerReference()
    self.isolation = isolation
    self.ownerIsActor = ownerIsActor
    mode = options.mode
    self.envelopeHandler = envelopeHandler
    self.mailbox = mailbox
    self.pattern = pattern
    self.gate = gate
  }

  /// Where the handler runs when it is not called by the poster, for messages.
  func place(of entry: _ListEntry) -> String {
    if ownerIsActor { return entry.owner.object.map { "\(type(of: $0))" } ?? "an actor" }
    if let isolation { return "\(type(of: isolation))" }
    switch mode.kind {
    case .queue(let queue): return "queue '\(queue.label)'"
    case .executor(let executor): return "\(type(of: executor))"
    case .deferred: return "the global executor"
    case .automatic, .inline: return "the poster"
    }
  }

  /// Whether a post may call the handler without looking any further.
  var isPlain: Bool {
    !isOnce && !sender.isBound && mailbox == nil && envelopeHandler == nil
      && pattern == nil && gate == nil
  }
}

/// What every way to listen takes.
struct ListenerOptions {
  var priority: ListenerPriority = .normal
  var mode: DeliveryMode = .automatic
  var buffer: BufferPolicy = .standard
  var sender: AnyObject?
  var once = false
  var label: String?

  /// Whether nothing was asked for that an entry would have to remember.
  var isStandard: Bool {
    guard case .automatic = mode.kind else { return false }
    return priority == .normal && sender == nil && !once && label == nil
  }
}
