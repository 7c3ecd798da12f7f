/// A class that is a delegate and forwards to many: what `@Multicast` writes conforms to it.
///
/// The forwarding methods are those that `@Multicast` adds to the protocol for conforming classes; a class written by hand
/// that conforms to both gets them as well.
///
/// ## Concurrency
/// As isolated as the protocol that it forwards.
public protocol Multicasting: MulticastHolder {
  /// What the targets are called as, `any` of the protocol.
  associatedtype MulticastTarget

  /// The protocol's methods, properties and subscripts, by name. Written by `@Multicast`.
  associatedtype DelegateMethod: MulticastMethod

  /// Notes a target under every type that it will be called as. Written by `@Multicast`.
  ///
  /// - Parameters:
  ///   - target: the target being added.
  ///   - faces: where it is noted.
  static func _addFaces(of target: MulticastTarget, to faces: MulticastFaces)
}

extension Multicasting {
  /// Says whether anyone would answer a method, property or subscript, as far as is known.
  ///
  /// The answer is that of this moment: whoever keeps it does not learn of targets that come or go. A class whose objects
  /// were never called counts as one that answers, until its first call.
  ///
  /// - Parameter method: the method in question.
  /// - Returns: whether at least one living target has, or may have, an implementation of its own.
  /// - Complexity: O(n).
  public func responds(to method: DelegateMethod) -> Bool {
    guard let optional = method.optional else { return !multicastRegistry.isEmpty }
    return multicastRegistry.responds(to: optional)
  }
}

/// Names the methods, properties and subscripts of one protocol. Written by `@Multicast`.
///
/// ## Concurrency
/// A value; may be used anywhere.
public protocol MulticastMethod: Sendable, SendableMetatype {
  /// What the optional ones are known by; `nil` for those that every target implements.
  var optional: OptionalMethod? { get }
}
