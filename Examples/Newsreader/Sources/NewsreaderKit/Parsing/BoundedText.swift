internal import Foundation

/// Collects text up to a limit and lets the rest pass: what a feed can send has no end, memory has.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct BoundedText {
  /// What was collected.
  private(set) var text = ""
  /// Whether something was left out.
  private(set) var isCut = false
  private let limit: Int
  private var room: Int

  /// Starts empty.
  ///
  /// - Parameter limit: the most bytes that are kept.
  init(limit: Int) {
    self.limit = limit
    room = limit
  }

  /// Adds text, or as much of it as there is room for.
  ///
  /// - Parameter string: the text.
  /// - Complexity: O(length).
  mutating func append(_ string: String) {
    let count = string.utf8.count
    if count <= room {
      text += string
      room -= count
      return
    }
    isCut = true
    guard room > 0 else { return }
    // `Substring` cannot end inside a scalar: the index is rounded down.
    var end = string.utf8.index(string.startIndex, offsetBy: room)
    while end.samePosition(in: string.unicodeScalars) == nil, end > string.startIndex {
      end = string.utf8.index(before: end)
    }
    text += string[..<end]
    room = 0
  }

  /// Adds the bytes of a CDATA section.
  ///
  /// - Parameter data: UTF-8, as the parser gives it.
  /// - Complexity: O(length).
  mutating func append(_ data: Data) {
    if room == 0 {
      isCut = isCut || !data.isEmpty
    } else {
      append(String(decoding: data, as: UTF8.self))
    }
  }

  /// Adds text that is no markup to text that is, so that it reads the same afterwards.
  ///
  /// - Parameter string: the text.
  /// - Complexity: O(length).
  mutating func append(escaping string: String) {
    guard string.utf8.contains(where: { $0 == 0x26 || $0 == 0x3C }) else { return append(string) }
    append(
      string.replacingOccurrences(of: "&", with: "&amp;")
        .replacingOccurrences(of: "<", with: "&lt;"))
  }
}
