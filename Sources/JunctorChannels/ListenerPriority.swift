/// Who is called before whom: higher first; among equals, the one that began to listen earlier.
///
/// Any integer will do, the extremes included; the names are a common vocabulary.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct ListenerPriority: Sendable, Hashable, RawRepresentable {
  /// The number that is compared.
  public let rawValue: Int

  /// Makes a priority of a number.
  ///
  /// - Parameter rawValue: the number that is compared; higher is called earlier.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Before the high ones: 2 000.
  public static let highest = ListenerPriority(rawValue: 2_000)
  /// Before the usual: 1 000.
  public static let high = ListenerPriority(rawValue: 1_000)
  /// The usual: 0.
  public static let normal = ListenerPriority(rawValue: 0)
  /// After the usual: −1 000.
  public static let low = ListenerPriority(rawValue: -1_000)
  /// After the low ones: −2 000.
  public static let lowest = ListenerPriority(rawValue: -2_000)
}

extension ListenerPriority: ExpressibleByIntegerLiteral {
  /// Makes a priority of a number written in the source.
  ///
  /// - Parameter value: the number that is compared; higher is called earlier.
  public init(integerLiteral value: Int) { self.init(rawValue: value) }
}

extension ListenerPriority: Comparable {
  /// Whether the left one is called after the right one.
  public static func < (left: ListenerPriority, right: ListenerPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
