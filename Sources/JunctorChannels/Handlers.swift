/// A handler as it is written: isolated to whatever the closure is isolated to.
struct OwnerHandler<Owner: AnyObject, Message> {
  /// The function.
  let call: @isolated(any) @Sendable (Owner, Message) throws -> Void
}

/// A handler of an actor, as it is written.
struct ActorHandler<Owner: Actor, Message> {
  /// The function.
  let call: @Sendable (isolated Owner, Message) throws -> Void
}

/// A handler as it is stored and called: the owner's type forgotten, the isolation kept beside it.
@usableFromInline
struct StoredHandler<Message> {
  /// A handler of any owner, which the caller passes as what it is.
  @usableFromInline typealias Call = @Sendable (AnyObject, Message) throws -> Void

  /// The function.
  @usableFromInline let call: Call

  /// Stores a function as it is.
  @usableFromInline
  init(_ call: @escaping Call) { self.call = call }

  /// Forgets the owner's type.
  init<Owner: AnyObject>(_ handler: OwnerHandler<Owner, Message>) {
    // SAFETY: both structs hold one function value. `Owner` is a class, so it is passed as one reference in either
    // convention, and `Message` is of the same abstraction in both; `@isolated(any)` keeps the isolation in the
    // function's context and adds nothing to its parameters. Only an owner of this type is passed (`ChannelEntry` holds
    // it), and only where its isolation allows (`ChannelEntry.deliver`). A closure made for it would be one allocation
    // and one more call.
    self = unsafe unsafeBitCast(handler, to: StoredHandler<Message>.self)
  }

  /// Forgets the actor's type.
  init<Owner: Actor>(_ handler: ActorHandler<Owner, Message>) {
    // SAFETY: as above; an `isolated` parameter is passed like any other. Only called on that actor.
    self = unsafe unsafeBitCast(handler, to: StoredHandler<Message>.self)
  }
}

/// A handler that asks for the envelope, as it is written.
struct OwnerEnvelopeHandler<Owner: AnyObject, Message> {
  /// The function.
  let call: @isolated(any) @Sendable (Owner, Message, Envelope) throws -> Void
}

/// A handler of an actor that asks for the envelope, as it is written.
struct ActorEnvelopeHandler<Owner: Actor, Message> {
  /// The function.
  let call: @Sendable (isolated Owner, Message, Envelope) throws -> Void
}

/// A handler that asks for the envelope, as it is stored and called.
struct StoredEnvelopeHandler<Message> {
  /// The function.
  let call: @Sendable (AnyObject, Message, Envelope) throws -> Void

  /// Stores a function as it is.
  init(_ call: @escaping @Sendable (AnyObject, Message, Envelope) throws -> Void) {
    self.call = call
  }

  /// Forgets the owner's type.
  init<Owner: AnyObject>(_ handler: OwnerEnvelopeHandler<Owner, Message>) {
    // SAFETY: as for `StoredHandler`; the envelope is the same concrete type in both.
    self = unsafe unsafeBitCast(handler, to: StoredEnvelopeHandler<Message>.self)
  }

  /// Forgets the actor's type.
  init<Owner: Actor>(_ handler: ActorEnvelopeHandler<Owner, Message>) {
    // SAFETY: as for `StoredHandler`; the envelope is the same concrete type in both.
    self = unsafe unsafeBitCast(handler, to: StoredEnvelopeHandler<Message>.self)
  }
}

/// A handler that takes no owner, as it is written.
struct FreeHandler<Message> {
  /// The function.
  let call: @isolated(any) @Sendable (Message) throws -> Void
}

/// The same, with its isolation kept beside it.
struct BareHandler<Message> {
  /// The function.
  let call: @Sendable (Message) throws -> Void
}

/// A handler that takes no owner and asks for the envelope, as it is written.
struct FreeEnvelopeHandler<Message> {
  /// The function.
  let call: @isolated(any) @Sendable (Message, Envelope) throws -> Void
}

/// The same, with its isolation kept beside it.
struct BareEnvelopeHandler<Message> {
  /// The function.
  let call: @Sendable (Message, Envelope) throws -> Void
}

extension StoredHandler {
  /// What stands in the place of a handler that is never called.
  static var unused: StoredHandler { StoredHandler { _, _ in } }

  /// Makes the handler of a listener without an owner.
  static func ignoringOwner(
    _ handler: @escaping @isolated(any) @Sendable (Message) throws -> Void
  ) -> StoredHandler {
    // SAFETY: as above: the isolation adds nothing to the parameters and is kept beside the handler.
    let bare = unsafe unsafeBitCast(FreeHandler(call: handler), to: BareHandler<Message>.self)
    let call = bare.call
    return StoredHandler { _, message in try call(message) }
  }
}

extension StoredEnvelopeHandler {
  /// Makes the handler of a listener without an owner.
  static func ignoringOwner(
    _ handler: @escaping @isolated(any) @Sendable (Message, Envelope) throws -> Void
  ) -> StoredEnvelopeHandler {
    // SAFETY: as above: the isolation adds nothing to the parameters and is kept beside the handler.
    let bare = unsafe unsafeBitCast(
      FreeEnvelopeHandler(call: handler), to: BareEnvelopeHandler<Message>.self)
    let call = bare.call
    return StoredEnvelopeHandler { _, message, envelope in try call(message, envelope) }
  }
}
