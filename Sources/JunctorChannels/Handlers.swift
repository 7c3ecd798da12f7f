/// A handler as it is written: isolated to whatever the closure is isolated to.
struct OwnerHandler<Owner: AnyObject, Message> {
  let call: @isolated(any) @Sendable (Owner, Message) throws -> Void
}

/// A handler of an actor, as it is written.
struct ActorHandler<Owner: Actor, Message> {
  let call: @Sendable (isolated Owner, Message) throws -> Void
}

/// A handler's function as it is stored: the owner's type forgotten, the isolation kept beside it.
@usableFromInline
struct StoredFunction<Message> {
  @usableFromInline let call: @Sendable (AnyObject, Message) throws -> Void
}

/// A handler as it is stored and called.
@usableFromInline
struct StoredHandler<Message> {
  let function: StoredFunction<Message>
  /// Whether the function takes the message alone, so that it has to be cast back to be called.
  let isBare: Bool

  private init(_ function: StoredFunction<Message>, isBare: Bool) {
    self.function = function
    self.isBare = isBare
  }

  init(_ call: @escaping @Sendable (AnyObject, Message) throws -> Void) {
    self.init(StoredFunction(call: call), isBare: false)
  }

  /// Forgets the owner's type.
  init<Owner: AnyObject>(_ handler: OwnerHandler<Owner, Message>) {
    // SAFETY: both structs hold one function value. `Owner` is a class, so it is passed as one reference in either
    // convention, and `Message` is of the same abstraction in both; `@isolated(any)` keeps the isolation in the
    // function's context and adds nothing to its parameters. Only an owner of this type is passed (`ChannelEntry` holds
    // it), and only where its isolation allows (`ChannelEntry.deliver`). A closure made for it would be one allocation
    // and one more call.
    self.init(unsafe unsafeBitCast(handler, to: StoredFunction<Message>.self), isBare: false)
  }

  /// Forgets the actor's type.
  init<Owner: Actor>(_ handler: ActorHandler<Owner, Message>) {
    // SAFETY: as above; an `isolated` parameter is passed like any other. Only called on that actor.
    self.init(unsafe unsafeBitCast(handler, to: StoredFunction<Message>.self), isBare: false)
  }
}

/// A handler that asks for the envelope, as it is written.
struct OwnerEnvelopeHandler<Owner: AnyObject, Message> {
  let call: @isolated(any) @Sendable (Owner, Message, Envelope) throws -> Void
}

/// A handler of an actor that asks for the envelope, as it is written.
struct ActorEnvelopeHandler<Owner: Actor, Message> {
  let call: @Sendable (isolated Owner, Message, Envelope) throws -> Void
}

/// A handler that asks for the envelope, as it is stored and called.
struct StoredEnvelopeHandler<Message> {
  let call: @Sendable (AnyObject, Message, Envelope) throws -> Void

  init(_ call: @escaping @Sendable (AnyObject, Message, Envelope) throws -> Void) {
    self.call = call
  }

  init<Owner: AnyObject>(_ handler: OwnerEnvelopeHandler<Owner, Message>) {
    // SAFETY: as for `StoredHandler`; the envelope is the same concrete type in both.
    self = unsafe unsafeBitCast(handler, to: StoredEnvelopeHandler<Message>.self)
  }

  init<Owner: Actor>(_ handler: ActorEnvelopeHandler<Owner, Message>) {
    // SAFETY: as for `StoredHandler`; the envelope is the same concrete type in both.
    self = unsafe unsafeBitCast(handler, to: StoredEnvelopeHandler<Message>.self)
  }
}

/// A handler that takes no owner, as it is written.
struct FreeHandler<Message> {
  let call: @isolated(any) @Sendable (Message) throws -> Void
}

/// The same, with its isolation kept beside it.
struct BareHandler<Message> {
  let call: @Sendable (Message) throws -> Void
}

/// A handler that takes no owner and asks for the envelope, as it is written.
struct FreeEnvelopeHandler<Message> {
  let call: @isolated(any) @Sendable (Message, Envelope) throws -> Void
}

/// The same, with its isolation kept beside it.
struct BareEnvelopeHandler<Message> {
  let call: @Sendable (Message, Envelope) throws -> Void
}

extension StoredHandler {
  /// What stands in the place of a handler that is never called.
  static var unused: StoredHandler { StoredHandler { _, _ in } }

  /// Makes the handler of a listener without an owner.
  static func ignoringOwner(
    _ handler: @escaping @isolated(any) @Sendable (Message) throws -> Void
  ) -> StoredHandler {
    // SAFETY: the function is only called as what it is: `ChannelEntry.invoke` finds it cast back in a `BareChannelEntry`. A
    // closure that drops the owner would be one more call for every delivery.
    StoredHandler(
      unsafe unsafeBitCast(FreeHandler(call: handler), to: StoredFunction<Message>.self),
      isBare: true)
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
