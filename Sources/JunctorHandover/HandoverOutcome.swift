/// How a request ended.
///
/// ## Concurrency
/// A value; as `Sendable` as the result.
public enum HandoverOutcome<Value> {
  /// The receiver gave this back.
  case value(Value)

  /// The receiver gave nothing back: it was left, went away, or nobody wants the result any longer.
  case cancelled

  /// What was given back; `nil` if nothing was.
  public var value: Value? {
    switch self {
    case .value(let value): value
    case .cancelled: nil
    }
  }

  /// Whether nothing was given back.
  public var isCancelled: Bool {
    switch self {
    case .value: false
    case .cancelled: true
    }
  }
}

extension HandoverOutcome: Sendable where Value: Sendable {}
extension HandoverOutcome: Equatable where Value: Equatable {}
extension HandoverOutcome: Hashable where Value: Hashable {}
