internal import Foundation

/// Knows what relative links are relative to, at every depth of a document: `xml:base`, nested as it may be.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct LinkBase {
  private var bases: [String?] = []

  /// The base at this place; `nil` where none was stated.
  var current: String? { bases.last ?? nil }

  /// Goes into an element.
  ///
  /// - Parameter attributes: its attributes.
  /// - Complexity: O(1) without `xml:base`.
  mutating func enter(_ attributes: [String: String]) {
    guard let base = attributes["xml:base"] else { return bases.append(current) }
    bases.append(Self.resolve(base, against: current))
  }

  /// Leaves an element.
  mutating func leave() { _ = bases.popLast() }

  /// Makes a link absolute.
  ///
  /// - Parameters:
  ///   - link: a link, relative or not, with or without space around it.
  ///   - base: what it is relative to.
  /// - Returns: the absolute link, or the link itself where nothing can be made of it.
  /// - Complexity: O(length).
  static func resolve(_ link: String, against base: String?) -> String {
    let link = CleanText.line(link).replacingOccurrences(of: " ", with: "%20")
    guard let base, !isAbsolute(link), let baseURL = URL(string: base),
      let url = URL(string: link, relativeTo: baseURL)
    else { return link }
    return url.absoluteString
  }

  /// Whether a link begins with a scheme.
  ///
  /// - Parameter link: the link.
  /// - Complexity: O(length of the scheme).
  static func isAbsolute(_ link: String) -> Bool {
    guard let colon = link.utf8.firstIndex(of: UInt8(ascii: ":")), colon > link.startIndex else {
      return false
    }
    return link.utf8[..<colon].allSatisfy { byte in
      (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte)
        || byte == 0x2B || byte == 0x2D || byte == 0x2E
    }
  }
}
