/// A class that is a delegate and forwards to many: what `@Multicast` writes conforms to it.
///
/// The forwarding methods are those that `@Multicast` adds to the protocol for conforming classes; a class written by hand
/// that conforms to both gets them as well.
///
/// ## Concurrency
/// As isolated as the protocol that it forwards.
public protocol Multicasting: MulticastHolder {
  /// What the targets are called as, `any` of the protocol.
  associatedtype Target

  /// Notes a target under every type that it will be called as. Written by `@Multicast`.
  ///
  /// - Parameters:
  ///   - target: the target being added.
  ///   - faces: where it is noted.
  static func _addFaces(of target: Target, to faces: MulticastFaces)
}
