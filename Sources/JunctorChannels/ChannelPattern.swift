/// Which channels of an exchange are meant: names divided by dots, with wildcards.
///
/// | pattern | matches | does not match |
/// | --- | --- | --- |
/// | `account.created` | `account.created` | everything else |
/// | `account.*` | `account.created` | `account`, `account.name.changed` |
/// | `account.>` | `account.created`, `account.name.changed` | `account` |
/// | `*.created` | `account.created` | `a.b.created` |
/// | `>` | every name | |
///
/// `*` stands for exactly one part and `>`, at the end, for one or more. As a piece of a part (`acc*`), or `>` elsewhere,
/// they stand for themselves, and listening by such a pattern is reported. In a channel's name they always do.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct ChannelPattern: Sendable, Hashable {
  /// The pattern as it was written.
  public let text: String

  private let parts: [Substring]
  private let isOpen: Bool

  /// Reads a pattern; every text is one.
  ///
  /// - Parameter text: names divided by dots, with wildcards.
  /// - Complexity: O(length of the text).
  public init(_ text: String) {
    self.text = text
    var parts = text.split(separator: ".", omittingEmptySubsequences: false)
    isOpen = parts.last == ">"
    if isOpen { parts.removeLast() }
    self.parts = parts
  }

  /// A part with a wildcard's sign that stands for itself, if there is one.
  var misplaced: Substring? {
    parts.first { $0 == ">" || ($0.count > 1 && $0.contains { $0 == "*" || $0 == ">" }) }
  }

  /// Whether a name is meant.
  ///
  /// - Parameter name: a channel's name.
  /// - Returns: whether it matches, part by part.
  /// - Complexity: O(length of the name).
  public func matches(_ name: String) -> Bool {
    var rest = name[...]
    var isAtEnd = false
    for part in parts {
      if isAtEnd { return false }
      let end = rest.firstIndex(of: ".")
      let found = end.map { rest[..<$0] } ?? rest
      guard part == "*" || part == found else { return false }
      if let end { rest = rest[rest.index(after: end)...] } else { isAtEnd = true }
    }
    return isOpen ? !isAtEnd : isAtEnd
  }
}

extension ChannelPattern: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Reads a pattern written in the source.
  ///
  /// - Parameter value: names divided by dots, with wildcards.
  public init(stringLiteral value: String) { self.init(value) }

  /// The pattern as it was written.
  public var description: String { text }
}
