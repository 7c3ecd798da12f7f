public import JunctorCore

/// One listener in a topic's list.
///
/// ## Concurrency
/// Constant, but for the state that `_ListEntry` keeps. Retains its topic, so that a topic lives as long as it is
/// listened to; the circle ends when the entry leaves the list.
@safe
@usableFromInline
class ChannelEntry<Message: Sendable>: _ListEntry, @unchecked Sendable {
  // SAFETY (unchecked Sendable): every property is a constant of a Sendable type.

  /// Whether the post may call it straight away; otherwise `deliver` looks at `extras`.
  @usableFromInline final let isPlain: Bool

  /// Whether this is a `BareChannelEntry`, whose handler takes the message alone.
  @usableFromInline final let isBare: Bool

  // A function by itself, not in a structure: a copy of that would be retained and released around every call.
  /// The handler of all others.
  @usableFromInline final let call: @Sendable (AnyObject, Message) throws -> Void

  // Counted by hand: a post asks every listener of an actor for these, and would retain and release them each time.
  // SAFETY: retained by `init`, released by `deinit`.
  /// The extras, which this entry retains.
  final let heldExtras: Unmanaged<ListenerExtras<Message>>?
  /// The topic that it listens to; `nil` for a pattern's deputy.
  final let topic: Topic?

  /// Makes the entry of a listener that lives by its subscription.
  init(
    id: UInt64? = nil, topic: Topic?, handler: StoredHandler<Message>,
    extras: ListenerExtras<Message>?, site: SourceSite
  ) {
    isPlain = extras?.isPlain ?? true
    isBare = handler.isBare
    call = handler.isBare ? StoredHandler<Message>.unused.function.call : handler.function.call
    unsafe heldExtras = extras.map { unsafe Unmanaged.passUnretained($0) }
    self.topic = topic
    super.init(id: id, site: site)
    // SAFETY: the argument is alive up to here; `deinit` gives this reference back.
    _ = unsafe heldExtras?.retain()
    extendLifetime(extras)
  }

  /// Makes the entry of an owner's listener; `nil` if the owner's deinitialiser has begun.
  init?(
    id: UInt64? = nil, topic: Topic?, owner: AnyObject, handler: StoredHandler<Message>,
    extras: ListenerExtras<Message>?, site: SourceSite
  ) {
    isPlain = extras?.isPlain ?? true
    isBare = handler.isBare
    call = handler.isBare ? StoredHandler<Message>.unused.function.call : handler.function.call
    unsafe heldExtras = extras.map { unsafe Unmanaged.passUnretained($0) }
    self.topic = topic
    super.init(id: id, owner: owner, site: site)
    // SAFETY: as above. Where the owner is refused, `_ListEntry` fails before it has set all: the object was never whole,
    // and no `deinit` gives back what was not retained.
    _ = unsafe heldExtras?.retain()
    extendLifetime(extras)
  }

  deinit {
    // SAFETY: `init` retained it.
    unsafe heldExtras?.release()
  }

  override func _didLeaveList() {
    // What waits for a listener of one topic ends with it; a pattern's mailbox serves many topics.
    if topic != nil { extras?.mailbox?.close() }
    guard let topic else { return }
    let flags = topic.currentFlags
    if flags.contains(.recorded) { topic.noteLeft(self) }
    if flags.contains(.observed) {
      topic.exchange.currentObservation?.noteLeft(self, of: topic.name)
    }
  }
}

extension ChannelEntry {
  /// What the listener asks for beyond being called by the poster; `nil` for most.
  var extras: ListenerExtras<Message>? {
    // SAFETY: this entry retains it as long as it lives.
    unsafe heldExtras?.takeUnretainedValue()
  }

  /// What was registered: the entry itself, or the pattern that it is a deputy of.
  var registrant: _ListEntry { extras?.pattern ?? self }

  /// Calls the handler with the owner, where it has one, and the message.
  @inlinable
  @inline(__always)
  func invoke(_ owner: AnyObject, _ message: Message) throws {
    guard isBare else { return try call(owner, message) }
    // SAFETY: what is bare was made by `BareChannelEntry.init`.
    try unsafe unsafeDowncast(self, to: BareChannelEntry<Message>.self).bareCall(message)
  }

  /// Takes it out of its list, for good. Returns whether this call did.
  func remove() -> Bool {
    if let pattern = extras?.pattern { return pattern.remove() }
    guard let topic, markRemoved() else { return false }
    topic.list.remove(id: id, key: OrderKey(priority: extras?.priority ?? 0, id: id))
    return true
  }
}

/// A listener without an owner, whose handler takes the message alone.
@usableFromInline
final class BareChannelEntry<Message: Sendable>: ChannelEntry<Message>, @unchecked Sendable {
  // SAFETY (unchecked Sendable): as for `ChannelEntry`.

  /// The handler.
  @usableFromInline let bareCall: @Sendable (Message) throws -> Void

  /// Makes the entry of a listener that lives by its subscription.
  init(
    topic: Topic?, bare handler: StoredHandler<Message>, extras: ListenerExtras<Message>?,
    site: SourceSite
  ) {
    // SAFETY: both structs hold one function value, and this one was made of a function that takes a message alone (see
    // `StoredHandler.ignoringOwner`); its isolation, kept in the function's context, adds nothing to its parameters.
    bareCall = unsafe unsafeBitCast(handler.function, to: BareHandler<Message>.self).call
    super.init(topic: topic, handler: handler, extras: extras, site: site)
  }

  override func _words() -> (code: UInt, context: UInt)? {
    guard isPlain, !owner.isBound else { return nil }
    // SAFETY: a function value is two words, its code and its context, which this entry retains for its life. Kept in a
    // generic structure it has the most general form: the message by address.
    let words = unsafe unsafeBitCast(BareHandler(call: bareCall), to: (UInt, UInt).self)
    return (words.0, words.1)
  }
}
