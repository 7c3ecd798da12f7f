internal import JunctorCore

/// Makes text from elsewhere fit to be shown by a terminal, which obeys some characters instead of showing them.
enum TerminalText {
  /// One line: characters that a terminal obeys, and those that change the direction of what follows, become escapes.
  ///
  /// - Complexity: O(length).
  static func line(_ text: String) -> String { text.escapingObeyed() }

  /// Several lines, with their ends, tabulators, and what keeps text of another direction to itself.
  ///
  /// - Complexity: O(length).
  static func lines(_ text: String) -> String {
    text.escapingObeyed {
      $0 == "\n" || $0 == "\t" || (0x2066...0x2069).contains($0.value)
    }
  }

  /// A text in JSON, which has escapes of its own.
  ///
  /// - Complexity: O(length).
  static func json(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.isObeyed && $0.value >= 0x7F }) else {
      return text
    }
    var result = ""
    for scalar in text.unicodeScalars {
      guard scalar.isObeyed, scalar.value >= 0x7F else {
        result.unicodeScalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return result
  }
}
