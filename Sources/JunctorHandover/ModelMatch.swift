/// Whether a receiver takes what is given, and as what.
enum ModelMatch<Target> {
  /// The type is exactly what the receiver states.
  case exact(Target?)
  /// The type is another, which the receiver's type accepts: a subclass, a conforming type, the payload of an optional.
  case accepted(Target?)
  /// The receiver does not take it.
  case refused

  /// Finds out whether `given` can be handed to a receiver of `Target`.
  ///
  /// A `nil` says nothing but its type, and is taken where that type is: `String?.none` is not an `Int?`.
  init<Given>(_ given: Given) {
    // An optional in an `Any` is looked at as the optional that it is.
    let type = Swift.type(of: given as Any)
    if Given.self == Target.self || Given.self == Target?.self {
      self = .exact(Self.same(given))
    } else if type is any OptionalValue.Type, let optional = given as? any OptionalValue {
      self = Self.payload(of: optional)
    } else if type == Target.self {
      self = .exact(given as? Target)
    } else if Target.self == AnyObject.self, !(type is AnyClass) {
      // The runtime would put any value in a box of its own.
      self = .refused
    } else if let target = given as? Target {
      self = .accepted(target)
    } else {
      self = .refused
    }
  }

  private static func same<Given>(_ given: Given) -> Target? {
    if Given.self == Target?.self { return (given as? Target?) ?? nil }
    return given as? Target
  }

  private static func payload<Value: OptionalValue>(of optional: Value) -> Self {
    if Value.self == Target.self { return .exact(optional as? Target) }
    if Value.self == Target?.self { return .exact((optional as? Target?) ?? nil) }
    if let payload = optional.payload { return Self(payload) }
    return isTaken(Value.Payload.self) ? .accepted(nil) : .refused
  }

  /// Whether the type alone, without a value, says that a receiver of `Target` takes it.
  private static func isTaken<Payload>(_ payload: Payload.Type) -> Bool {
    if Payload.self == Target.self || Payload.self == Target?.self || Target.self == Any.self {
      return true
    }
    if Target?.self == Payload.self || payload is Target.Type { return true }
    guard let inner = payload as? any OptionalValue.Type else { return false }
    return isPayloadTaken(inner)
  }

  private static func isPayloadTaken<Value: OptionalValue>(_ value: Value.Type) -> Bool {
    isTaken(Value.Payload.self)
  }
}

/// Every optional, whatever is in it.
private protocol OptionalValue {
  associatedtype Payload
  var payload: Payload? { get }
}

extension Optional: OptionalValue {
  fileprivate var payload: Wrapped? { self }
}
