/// The name of a scope: services of the lifetime `scoped(_:)` live in the nearest set that carries it.
///
/// ```swift
/// extension ServiceScope {
///   static let request: ServiceScope = "request"
/// }
/// let request = Services("request", alternate: app, scope: .request)
/// ```
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct ServiceScope: Sendable, Hashable {
  /// The name as text.
  public let rawValue: String

  /// Makes a scope from its name.
  ///
  /// - Parameter rawValue: the name.
  /// - Complexity: O(1).
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension ServiceScope: ExpressibleByStringLiteral {
  /// Makes a scope from a literal.
  ///
  /// - Parameter value: the name.
  public init(stringLiteral value: String) { self.init(value) }
}

extension ServiceScope: CustomStringConvertible {
  /// The name as text.
  public var description: String { rawValue }
}
