/// A name that tells services of the same protocol apart.
///
/// ```swift
/// extension ServiceName {
///   static let archive: ServiceName = "archive"
/// }
/// ```
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct ServiceName: Sendable, Hashable {
  /// The name as text.
  public let rawValue: String

  /// Makes a name from its text.
  ///
  /// - Parameter rawValue: the text.
  /// - Complexity: O(1).
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension ServiceName: ExpressibleByStringLiteral {
  /// Makes a name from a literal.
  ///
  /// - Parameter value: the text.
  public init(stringLiteral value: String) { self.init(value) }
}

extension ServiceName: CustomStringConvertible {
  /// The name as text.
  public var description: String { rawValue }
}
