internal import JunctorCore

/// Hands over where the receiver's type is not known.
///
/// Where it is known, use the receiver's own `handOver(_:)`: then a model of the wrong type does not compile.
///
/// ## Concurrency
/// Call it on the isolation of the receiver. A receiver that belongs to an actor that the caller is not on is not touched;
/// the error says so. Nothing is retained.
public enum Handover {
  /// Hands a model to the one receiver in an object that takes it.
  ///
  /// The object itself and, where it is a ``ReceiverContainer``, all that is inside are looked at, breadth first, each
  /// once. A receiver whose model has exactly the given type comes first; failing that, one whose type accepts it.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - object: a receiver or a container.
  ///   - sender: who hands over, for the wiring; not retained.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  /// - Returns: the receiver.
  /// - Throws: ``HandoverError`` where none takes it, more than one does, or it belongs to another actor. Then nothing was
  ///   changed.
  /// - Complexity: O(objects in the container).
  @discardableResult
  public static func deliver<Model>(
    _ model: Model, to object: AnyObject, from sender: AnyObject? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(HandoverError) -> any DataReceiver {
    let site = SourceSite(fileID: fileID, line: line)
    let found = ReceiverSearch(in: object)
    let candidate = try found.candidate(for: model, in: object, site: site)
    candidate.accept(sender)
    return candidate.receiver
  }

  /// Whether `deliver(_:to:)` would find the one receiver.
  ///
  /// - Parameters:
  ///   - model: what would be handed over.
  ///   - object: a receiver or a container.
  /// - Returns: true if there is exactly one receiver for it.
  /// - Complexity: O(objects in the container).
  public static func canDeliver<Model>(_ model: Model, to object: AnyObject) -> Bool {
    let found = ReceiverSearch(in: object)
    do throws(HandoverError) {
      _ = try found.candidate(for: model, in: object, site: SourceSite())
      return true
    } catch {
      return false
    }
  }

  /// The receivers in an object, breadth first, each once.
  ///
  /// Those that belong to another actor than the caller's are left out.
  ///
  /// - Parameter object: a receiver or a container.
  /// - Returns: the receivers.
  /// - Complexity: O(objects in the container).
  public static func receivers(in object: AnyObject) -> [any DataReceiver] {
    ReceiverSearch(in: object).receivers
  }
}

extension DataReceiver {
  /// Whether this receiver takes a value, whose type the compiler does not know.
  ///
  /// - Parameter value: what would be handed over.
  /// - Returns: true if `Handover.deliver` would hand it to this receiver.
  /// - Complexity: O(1).
  public func canHandOver<Value>(_ value: Value) -> Bool {
    switch ModelMatch<Model>(value) {
    case .exact, .accepted: true
    case .refused: false
    }
  }
}
