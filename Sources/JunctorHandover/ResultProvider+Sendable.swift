internal import JunctorCore

extension ResultProvider where Self: Sendable, Result: Sendable {
  /// Hands a model over and has an object told what comes back, wherever the result was given.
  ///
  /// The form for receivers that several threads use. The handler has the isolation that it is written in: a handler in a
  /// `@MainActor` class runs on the main actor. It runs soon after the request has ended, not inside `giveBack`.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - owner: who is told; not retained. If it is gone by then, nobody is told.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  ///   - handler: told how the request ended, once.
  /// - Returns: the request; it need not be kept.
  /// - Complexity: O(open requests).
  @discardableResult
  public func request<Owner: AnyObject & Sendable>(
    _ model: Model?, telling owner: Owner, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext _ handler:
      @escaping @isolated(any) @Sendable (Owner, HandoverOutcome<Result>) -> Void
  ) -> HandoverRequest<Result> {
    let site = SourceSite(fileID: fileID, line: line)
    let request = Request<Result>(site: site, owner: owner, isolation: nil) { owner, outcome in
      Task { await handler(owner, outcome) }
    }
    return send(model, request, from: owner)
  }
}

extension ResultProvider where Self: Sendable {
  /// Warns: a receiver that several threads use tells its requester by `request(_:telling:_:)`.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - owner: who is told; not retained.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  ///   - handler: told how the request ended, once, on the thread on which it ends.
  /// - Returns: the request; it need not be kept.
  /// - Complexity: O(open requests).
  @available(
    *, deprecated,
    message:
      "The conformance to 'ResultProvider' is bound to no actor, so that the result may come on any thread. If the class is on the main actor, write '@MainActor ResultProvider'; else use 'request(_:telling:_:)', whose handler keeps its isolation, or await the request's 'outcome'."
  )
  @discardableResult
  public func request<Owner: AnyObject>(
    _ model: Model?, for owner: Owner, fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (Owner, HandoverOutcome<Result>) -> Void
  ) -> HandoverRequest<Result> {
    let site = SourceSite(fileID: fileID, line: line)
    return send(
      model, Request(site: site, owner: owner, isolation: nil, handler: handler), from: owner)
  }
}
