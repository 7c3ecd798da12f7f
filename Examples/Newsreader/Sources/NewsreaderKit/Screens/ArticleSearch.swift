internal import Foundation

/// Finds articles in which a text occurs, whatever its case and accents.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct ArticleSearch: Sendable {
  private let text: String
  private let isASCII: Bool
  private let needle: [UInt8]

  /// Looks for a text.
  ///
  /// - Parameter text: the text.
  init(_ text: String) {
    self.text = text
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    needle = text.utf8.map(Self.lowered)
  }

  /// Whether the text occurs in an article's title, author or text.
  ///
  /// - Parameter article: the article.
  /// - Complexity: O(length).
  func matches(_ article: Article) -> Bool {
    occurs(in: article.title) || occurs(in: article.body)
      || article.author.map { occurs(in: $0) } ?? false
  }

  private func occurs(in haystack: String) -> Bool {
    // Bytes are compared where that is all there is to it: nearly always, and twenty times as fast.
    if isASCII, haystack.utf8.allSatisfy({ $0 < 0x80 }) { return occurs(inASCII: haystack) }
    return haystack.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  private func occurs(inASCII haystack: String) -> Bool {
    guard let first = needle.first else { return true }
    var rest = haystack.utf8[...]
    while let start = rest.firstIndex(where: { Self.lowered($0) == first }) {
      rest = rest[start...]
      if rest.count < needle.count { return false }
      if rest.prefix(needle.count).elementsEqual(needle, by: { Self.lowered($0) == $1 }) {
        return true
      }
      rest = rest.dropFirst()
    }
    return false
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
