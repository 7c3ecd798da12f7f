public import JunctorCore

extension RequestChannel {
  /// Answers for as long as an owner lives.
  ///
  /// - Parameters:
  ///   - owner: is held weakly, kept alive during a call, and handed to the handler.
  ///   - priority: who is asked before whom; among equals, the earlier one.
  ///   - mode: where the handler is called.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the owner and the request; returns the answer, or `nil` to leave it to others.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: as `Channel.listen(for:)`.
  @discardableResult
  public func answer<Owner: AnyObject & Sendable>(
    for owner: Owner, priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler:
      @escaping @isolated(any) @Sendable (Owner, Request) throws -> Reply?
  ) -> Registration {
    let bare = BareAnswer(OwnerAnswer(call: handler))
    return questions.topic.add(
      owner: owner, .unused,
      bare.handler,
      isolation: handler.isolation,
      ListenerOptions(priority: priority, mode: mode, label: label),
      SourceSite(fileID: fileID, line: line))
  }

  /// Answers for as long as the returned subscription lives.
  ///
  /// - Parameters:
  ///   - priority: who is asked before whom; among equals, the earlier one.
  ///   - mode: where the handler is called.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the request; returns the answer, or `nil` to leave it to others.
  /// - Returns: keep it: when it goes, the answering ends.
  /// - Complexity: as `Channel.listen(priority:)`.
  public func answer(
    priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler: @escaping @isolated(any) @Sendable (Request) throws -> Reply?
  ) -> Subscription {
    let bare = BareAnswer(FreeAnswer(call: handler))
    return questions.topic.add(
      .unused,
      bare.handler,
      isolation: handler.isolation,
      ListenerOptions(priority: priority, mode: mode, label: label),
      SourceSite(fileID: fileID, line: line))
  }
}

/// A handler that answers, as it is written.
struct OwnerAnswer<Owner: AnyObject, Request, Reply> {
  /// The function.
  let call: @isolated(any) @Sendable (Owner, Request) throws -> Reply?
}

/// An actor's handler that answers, as it is written.
struct ActorAnswer<Owner: Actor, Request, Reply> {
  /// The function.
  let call: @Sendable (isolated Owner, Request) throws -> Reply?
}

/// A handler that answers and takes no owner, as it is written.
struct FreeAnswer<Request, Reply> {
  /// The function.
  let call: @isolated(any) @Sendable (Request) throws -> Reply?
}

/// The same, with its isolation kept beside it.
private struct FreeBareAnswer<Request, Reply> {
  let call: @Sendable (Request) throws -> Reply?
}

/// A handler that answers, as it is stored and called: the owner's type forgotten, the isolation kept beside it.
struct BareAnswer<Request, Reply> {
  /// The function.
  let call: @Sendable (AnyObject, Request) throws -> Reply?

  private init(call: @escaping @Sendable (AnyObject, Request) throws -> Reply?) {
    self.call = call
  }

  /// Forgets the owner's type.
  init<Owner: AnyObject>(_ handler: OwnerAnswer<Owner, Request, Reply>) {
    // SAFETY: as for `StoredHandler`: both structs hold one function value whose parameters and result are of the same
    // abstraction. Only an owner of this type is passed, and only where its isolation allows.
    self = unsafe unsafeBitCast(handler, to: BareAnswer<Request, Reply>.self)
  }

  /// Forgets the actor's type.
  init<Owner: Actor>(_ handler: ActorAnswer<Owner, Request, Reply>) {
    // SAFETY: as above; an `isolated` parameter is passed like any other. Only called on that actor.
    self = unsafe unsafeBitCast(handler, to: BareAnswer<Request, Reply>.self)
  }

  /// Ignores the owner.
  init(_ handler: FreeAnswer<Request, Reply>) {
    // SAFETY: as for `StoredHandler`: the isolation adds nothing to the parameters and is kept beside the handler.
    let bare = unsafe unsafeBitCast(handler, to: FreeBareAnswer<Request, Reply>.self).call
    self.init { _, request in try bare(request) }
  }
}

extension BareAnswer where Request: Sendable, Reply: Sendable {
  /// The same as a listener of the questions.
  var handler: StoredEnvelopeHandler<Question<Request, Reply>> {
    StoredEnvelopeHandler { owner, question, envelope in
      question.answer(envelope) { try call(owner, question.request) }
    }
  }
}
