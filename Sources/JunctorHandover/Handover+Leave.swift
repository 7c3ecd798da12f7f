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
