/// Holds a service's value without saying its type, so that one engine serves all types.
@usableFromInline
class ServiceBox: @unchecked Sendable {
  // SAFETY (unchecked Sendable): the class has no state; the one subclass has a constant of a `Sendable` type.

  /// Makes the part that has no type.
  @usableFromInline init() {}

  /// The value, if it is an instance of a class.
  var object: AnyObject? { nil }

  /// The value as it is.
  var anyValue: any Sendable { () }
}

/// Holds a service's value under the type it was registered with.
@usableFromInline
final class TypedBox<P: Sendable>: ServiceBox, @unchecked Sendable {
  // SAFETY (unchecked Sendable): a constant of a `Sendable` type.

  /// The service.
  @usableFromInline let value: P

  /// Holds a value.
  @inlinable
  init(_ value: P) {
    self.value = value
    super.init()
  }

  override var object: AnyObject? {
    // On Linux every value converts to `AnyObject` by being boxed; only what is a class instance already counts.
    func dynamicType<T>(_ value: T) -> Any.Type { type(of: value as Any) }
    guard dynamicType(value) is AnyObject.Type else { return nil }
    return value as AnyObject
  }

  override var anyValue: any Sendable { value }
}

/// Whether two boxes hold the same service: the same box, or the same instance.
func isSameService(_ left: ServiceBox, _ right: ServiceBox) -> Bool {
  if left === right { return true }
  guard let object = left.object else { return false }
  return object === right.object
}
