internal import JunctorCore

/// Who posted a message: the real object, weakly known.
///
/// ## Concurrency
/// May be used from any thread. Does not keep the sender alive; gives it out only as a type that may cross threads.
public final class Sender: Sendable {
  private let reference: OwnerReference

  /// Refers to an object weakly; `nil` if its deinitialiser has begun.
  init?(_ object: AnyObject) {
    guard let reference = OwnerReference(object) else { return nil }
    self.reference = reference
  }

  /// Whether this is exactly that object. Never true of a new object at a dead one's address.
  ///
  /// - Parameter object: is compared by identity.
  /// - Returns: whether it is.
  /// - Complexity: O(1).
  public func `is`(_ object: AnyObject) -> Bool { reference.refers(to: object) }

  /// Whether this is the object that a filter names.
  func isSame(as other: borrowing OwnerReference) -> Bool {
    other.object.map { reference.refers(to: $0) } ?? false
  }

  /// The sender, retained, if it lives.
  var object: AnyObject? { reference.object }

  /// Whether the sender still lives.
  ///
  /// - Complexity: O(1).
  public var isAlive: Bool { reference.isAlive }

  /// The sender as a type that may cross threads; `nil` if it is of another type or gone.
  ///
  /// - Parameter type: a `Sendable` class, or a protocol that demands it.
  /// - Returns: the sender, retained.
  /// - Complexity: O(1), a dynamic cast.
  public func `as`<Object: Sendable>(_ type: Object.Type) -> Object? {
    reference.object as? Object
  }
}
