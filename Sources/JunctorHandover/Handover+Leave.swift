internal import JunctorCore

extension Handover {
  /// Hands a model to the one receiver in a container that takes it, or leaves it there for one.
  ///
  /// What waits is tried in order whenever the container says that receivers have arrived, and is reported if the container
  /// goes before.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - container: the container.
  ///   - sender: who hands over, for the wiring; not retained.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  /// - Returns: the receiver; `nil` if the model waits.
  /// - Throws: ``HandoverError`` where more than one receiver takes it, or it is no container. Then nothing was changed.
  /// - Complexity: O(objects in the container).
  @discardableResult
  public static func leave<Model>(
    _ model: Model, with container: AnyObject, from sender: AnyObject? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(HandoverError) -> (any DataReceiver)? {
    let site = SourceSite(fileID: fileID, line: line)
    return try leave(model, with: container, from: sender, request: nil, site: site)
  }

  /// Hands a model over and asks for a result, or leaves both in a container for a receiver.
  ///
  /// The receiver is the one in the container that takes the model and gives the expected result back; where there is none
  /// yet, model and request wait together for it. The request ends like any other; as cancelled, too, when the container
  /// goes before a receiver has come. Giving it up does not take the model back.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - container: the container.
  ///   - result: the type of what comes back.
  ///   - owner: who is told; not retained. If it is gone by then, nobody is told.
  ///   - isolation: where this is called; filled in by the compiler.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  ///   - handler: told how the request ended, once.
  /// - Returns: the request; it need not be kept.
  /// - Throws: ``HandoverError`` where more than one receiver would do, or it is no container. Then nothing was changed, and
  ///   the handler is not called.
  /// - Complexity: O(objects in the container).
  @discardableResult
  public static func leave<Model, Result, Owner: AnyObject>(
    _ model: Model, with container: AnyObject, expecting result: Result.Type, for owner: Owner,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    line: UInt = #line, _ handler: @escaping (Owner, HandoverOutcome<Result>) -> Void
  ) throws(HandoverError) -> HandoverRequest<Result> {
    let site = SourceSite(fileID: fileID, line: line)
    let request = Request(site: site, owner: owner, isolation: isolation, handler: handler)
    _ = try leave(model, with: container, from: owner, request: request, site: site)
    return HandoverRequest(request: request)
  }

  /// Hands a model over and asks for a result to be awaited, or leaves both in a container.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - container: the container.
  ///   - result: the type of what comes back.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  /// - Returns: the request, whose `outcome` is awaited.
  /// - Throws: ``HandoverError``, as for the form with an owner.
  /// - Complexity: O(objects in the container).
  public static func leave<Model, Result>(
    _ model: Model, with container: AnyObject, expecting result: Result.Type,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(HandoverError) -> HandoverRequest<Result> {
    let site = SourceSite(fileID: fileID, line: line)
    let request = Request<Result>(site: site, requester: nil, isolation: nil, handler: nil)
    _ = try leave(model, with: container, from: nil, request: request, site: site)
    return HandoverRequest(request: request)
  }

  /// Hands over with a request, or leaves both.
  static func leave<Model>(
    _ model: Model, with container: AnyObject, from sender: AnyObject?,
    request: (any ProviderRequest)?, site: SourceSite
  ) throws(HandoverError) -> (any DataReceiver)? {
    let found = ReceiverSearch(in: container)
    do throws(HandoverError) {
      let candidate = try found.candidate(for: model, in: container, request: request, site: site)
      candidate.accept(sender)
      return candidate.receiver
    } catch {
      guard error.code != .ambiguous, container is any ReceiverContainer else { throw error }
    }
    let from = sender.flatMap { WeakObject($0) }
    let item = HandoverShelf.Item(
      given: String(describing: type(of: model as Any)), site: site, request: request?.base
    ) { found, container in
      do throws(HandoverError) {
        try found.candidate(for: model, in: container, request: request, site: site)
          .accept(from?.object)
        return nil
      } catch {
        return error
      }
    }
    HandoverShelf.shelf(of: container).add(item, for: container, from: sender)
    // A child that came between the search and this has announced itself to an empty shelf.
    HandoverShelf.deliverWaiting(from: container)
    return nil
  }
}
