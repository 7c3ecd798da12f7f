internal import JunctorCore

extension Handover {
  /// Hands a model to the one receiver in an object that takes it and gives the expected result back.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - object: a receiver or a container.
  ///   - result: the type of what comes back.
  ///   - owner: who is told; not retained. If it is gone by then, nobody is told.
  ///   - isolation: where this is called; filled in by the compiler.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  ///   - handler: told how the request ended, once.
  /// - Returns: the request; it need not be kept.
  /// - Throws: ``HandoverError`` where no receiver or more than one would do, or it belongs to another actor. Then nothing
  ///   was changed, and the handler is not called.
  /// - Complexity: O(objects in the container).
  @discardableResult
  public static func request<Model, Result, Owner: AnyObject>(
    _ model: Model, from object: AnyObject, expecting result: Result.Type, for owner: Owner,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    line: UInt = #line, _ handler: @escaping (Owner, HandoverOutcome<Result>) -> Void
  ) throws(HandoverError) -> HandoverRequest<Result> {
    let site = SourceSite(fileID: fileID, line: line)
    let request = Request(site: site, owner: owner, isolation: isolation, handler: handler)
    let found = ReceiverSearch(in: object)
    try found.candidate(for: model, in: object, request: request, site: site).accept(owner)
    return HandoverRequest(request: request)
  }

  /// Hands a model over and asks for a result, which is awaited later.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - object: a receiver or a container.
  ///   - result: the type of what comes back.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  /// - Returns: the request, whose `outcome` is awaited.
  /// - Throws: ``HandoverError``, as for the form with an owner.
  /// - Complexity: O(objects in the container).
  public static func request<Model, Result>(
    _ model: Model, from object: AnyObject, expecting result: Result.Type,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(HandoverError) -> HandoverRequest<Result> {
    let site = SourceSite(fileID: fileID, line: line)
    let request = Request<Result>(site: site, requester: nil, isolation: nil, handler: nil)
    let found = ReceiverSearch(in: object)
    try found.candidate(for: model, in: object, request: request, site: site).accept(nil)
    return HandoverRequest(request: request)
  }
}
