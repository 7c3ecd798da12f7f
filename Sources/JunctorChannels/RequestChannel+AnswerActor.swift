public import JunctorCore

extension RequestChannel {
  /// Answers for as long as an actor lives; the handler runs on that actor.
  ///
  /// - Parameters:
  ///   - owner: is held weakly, kept alive during a call, and handed to the handler.
  ///   - priority: who is asked before whom; among equals, the earlier one.
  ///   - mode: where the handler is called.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the actor, isolated to it, and the request; returns the answer, or `nil` to leave it to others.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: as `Channel.listen(for:)`.
  @discardableResult
  public func answer<Owner: Actor>(
    for owner: Owner, priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (isolated Owner, Request) throws -> Reply?
  ) -> Registration {
    let bare = BareAnswer(ActorAnswer(call: handler))
    return questions.topic.add(
      owner: owner, .unused,
      bare.handler,
      isolation: nil, ownerIsActor: true,
      ListenerOptions(priority: priority, mode: mode, label: label),
      SourceSite(fileID: fileID, line: line))
  }
}
