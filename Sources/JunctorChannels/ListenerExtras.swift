internal import Dispatch
internal import JunctorCore
internal import Synchronization

/// What a listener asks for beyond being called by the poster. Most listeners have none.
///
/// ## Concurrency
/// Constant, but for two flags and the mailbox, which keeps itself.
@safe
final class ListenerExtras<Message: Sendable>: Sendable {
  /// What it is called in dumps.
  let label: String?
  /// Its priority.
  let priority: Int
  /// Whether it is removed before its first call.
  let isOnce: Bool
  /// The only sender that is listened to; bound to nothing where there is no such wish.
  let sender: OwnerReference
  /// Whether what came from other processes is not listened to.
  let isLocalOnly: Bool
  /// The actor that the handler is isolated to; `nil` also where the owner itself is that actor.
  let isolation: (any Actor)?
  /// Whether its handler runs on its owner, an actor.
  let ownerIsActor: Bool
  /// Where it wants to be called.
  let mode: DeliveryMode
  /// What is called instead of the entry's own handler, where it asks for the envelope.
  let envelopeHandler: StoredEnvelopeHandler<Message>?
  /// What waits for the listener, where it is not always called by the poster.
  let mailbox: ListenerMailbox<Message>?
  /// What takes messages out of the process, where that is what listens; the same as in `mailbox`.
  let outlet: (any ChannelOutlet<Message>)?
  /// The pattern that this listener stands for in one topic.
  let pattern: PatternEntry?
  /// What holds posts up while the listener gets what was kept for it.
  let gate: ReplayGate<Message>?

  /// Whether nothing was asked for but where to be called.
  private let isSimple: Bool

  // Taken from what is above, so that a post does not have to take that apart for every listener.
  // SAFETY: the same that `mailbox` retains, a constant, too.
  /// What waits for a listener that asks for nothing but to be called on its actor; `nil` for any other.
  private let homeMailbox: Unmanaged<Mailbox>?
  /// That actor, which `isolation` keeps alive; `nil` where it is the owner.
  private let home: ObjectIdentifier?

  private let isClaimed = Atomic(false)
  /// Whether it was said that a message of its gave way.
  let hasReportedDrop = Atomic(false)

  /// Notes what a listener asks for.
  init(
    _ options: ListenerOptions, isolation: (any Actor)? = nil, ownerIsActor: Bool = false,
    envelopeHandler: StoredEnvelopeHandler<Message>? = nil,
    mailbox: ListenerMailbox<Message>? = nil, pattern: PatternEntry? = nil,
    gate: ReplayGate<Message>? = nil
  ) {
    label = options.label
    priority = options.priority.rawValue
    isOnce = options.once
    isLocalOnly = options.sender === Sender.local
    sender =
      isLocalOnly
      ? OwnerReference() : options.sender.flatMap { OwnerReference($0) } ?? OwnerReference()
    self.isolation = isolation
    self.ownerIsActor = ownerIsActor
    mode = options.mode
    self.envelopeHandler = envelopeHandler
    self.mailbox = mailbox
    outlet = if case .outlet(let outlet) = mailbox { outlet } else { nil }
    self.pattern = pattern
    self.gate = gate
    isSimple =
      !isOnce && !sender.isBound && !isLocalOnly && envelopeHandler == nil && pattern == nil
      && gate == nil
    // SAFETY: the same that `mailbox` keeps, as a constant.
    unsafe homeMailbox =
      if isSimple, mode.mayRunInline, case .queue(let mailbox) = mailbox {
        unsafe Unmanaged.passUnretained(mailbox)
      } else { nil }
    home = ownerIsActor ? nil : isolation.map { ObjectIdentifier($0) }
  }

  /// Whether a post comes from the actor that the handler belongs to.
  @inline(__always)
  func isOnActor(_ here: ObjectIdentifier?, owner: AnyObject) -> Bool {
    guard let here else { return false }
    return here == (ownerIsActor ? ObjectIdentifier(owner) : home)
  }

  /// Whether it only has to be called: a post comes from the actor that the handler belongs to, nothing waits that would
  /// be overtaken, and nothing else was asked for.
  @inline(__always)
  func isAtHome(_ here: ObjectIdentifier?, owner: AnyObject) -> Bool {
    // SAFETY: this keeps it, in `mailbox`.
    guard let homeMailbox = unsafe homeMailbox, isOnActor(here, owner: owner) else { return false }
    return unsafe homeMailbox._withUnsafeGuaranteedRef { $0.isIdle }
  }

  /// Where the handler runs when it is not called by the poster, for people to read.
  func place(of entry: _ListEntry) -> String {
    isOutlet ? "a bridge" : mode.place(of: entry, isolation, ownerIsActor)
  }

  /// Whether it takes messages out of the process.
  var isOutlet: Bool { outlet != nil }

  /// Notes that a one-shot's message is under way. Returns whether it may be: always, but for a one-shot that has one.
  func claim() -> Bool {
    guard isOnce else { return true }
    // A pattern's listener has one message over all its channels.
    if let pattern { return pattern.claim() }
    return !isClaimed.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Notes that a one-shot's message did not arrive.
  func unclaim() {
    guard isOnce else { return }
    if let pattern { pattern.unclaim() } else { isClaimed.store(false, ordering: .releasing) }
  }

  /// Whether a one-shot's message is under way.
  var hasClaim: Bool {
    isOnce && (pattern?.hasClaim ?? isClaimed.load(ordering: .acquiring))
  }

  /// Whether a post may call the handler without looking any further.
  var isPlain: Bool { isSimple && mailbox == nil }
}

/// What every way to listen takes.
struct ListenerOptions {
  /// Who is called before whom.
  var priority: ListenerPriority = .normal
  /// Where the handler is called.
  var mode: DeliveryMode = .automatic
  /// How many messages may wait.
  var buffer: BufferPolicy = .standard
  /// The only sender to listen to; `nil` for any.
  var sender: AnyObject?
  /// Whether the listener is removed before its first call.
  var once = false
  /// What it is called in dumps.
  var label: String?

  /// Whether nothing was asked for that an entry would have to remember.
  var isStandard: Bool {
    guard case .automatic = mode.kind else { return false }
    return priority == .normal && sender == nil && !once && label == nil
  }
}
