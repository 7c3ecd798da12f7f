/// Makes text from elsewhere fit to be shown by a terminal, which obeys some characters instead of showing them.
enum TerminalText {
  /// One line: characters that a terminal obeys, and those that change the direction of what follows, become escapes.
  ///
  /// - Complexity: O(length).
  static func line(_ text: String) -> String { shown(text) { _ in false } }

  /// Several lines, with their ends, tabulators, and what keeps text of another direction to itself.
  ///
  /// - Complexity: O(length).
  static func lines(_ text: String) -> String {
    shown(text) { $0 == "\n" || $0 == "\t" || (0x2066...0x2069).contains($0.value) }
  }

  /// A text in JSON, which has escapes of its own.
  ///
  /// - Complexity: O(length).
  static func json(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isObeyed($0) && $0.value >= 0x7F }) else {
      return text
    }
    var result = ""
    for scalar in text.unicodeScalars {
      guard isObeyed(scalar), scalar.value >= 0x7F else {
        result.unicodeScalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return result
  }

  private static func shown(_ text: String, _ isKept: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: { isObeyed($0) && !isKept($0) }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isObeyed(scalar), !isKept(scalar) {
        result += scalar.escaped(asASCII: true)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Control characters, those of the second set too, and those that change the direction of writing.
  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
