internal import JunctorCore

extension ResultProvider {
  /// Hands a model over and asks for a result, which is awaited later.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  /// - Returns: the request, for `result(of:)`.
  /// - Complexity: O(open requests).
  public func request(
    _ model: Model?, fileID: StaticString = #fileID, line: UInt = #line
  ) -> HandoverRequest<Result> {
    send(
      model,
      Request(
        site: SourceSite(fileID: fileID, line: line), requester: nil, isolation: nil, handler: nil),
      from: nil)
  }

  /// Hands a model over and has an object told what comes back.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - owner: who is told; not retained. If it is gone by then, nobody is told.
  ///   - isolation: where this is called; filled in by the compiler.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  ///   - handler: told how the request ended, once.
  /// - Returns: the request; it need not be kept.
  /// - Complexity: O(open requests).
  @discardableResult
  public func request<Owner: AnyObject>(
    _ model: Model?, for owner: Owner, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (Owner, HandoverOutcome<Result>) -> Void
  ) -> HandoverRequest<Result> {
    send(
      model,
      Request(
        site: SourceSite(fileID: fileID, line: line), owner: owner, isolation: isolation,
        handler: handler),
      from: owner)
  }

  /// Hands over with a request.
  func send(
    _ model: Model?, _ request: Request<Result>, from sender: AnyObject?
  ) -> HandoverRequest<Result> {
    handoverSlot.accept(
      PendingHandover(model: model, site: request.site, request: request), for: self, from: sender)
    return HandoverRequest(request: request)
  }
}

extension ResultProvider {
  /// How a request ended, once it has.
  ///
  /// The same as the request's own `outcome`. The task that awaits this ends the request as cancelled when it is cancelled
  /// itself.
  ///
  /// - Parameter request: what `request(_:)` returned.
  /// - Returns: the value, or that it was cancelled.
  /// - Complexity: O(1).
  public consuming func result(
    of request: HandoverRequest<Result>
  ) async -> HandoverOutcome<Result> {
    await request.outcome
  }
}
