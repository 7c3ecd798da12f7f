/// How many columns of a terminal a text takes.
enum TextWidth {
  /// The columns of one line.
  ///
  /// - Complexity: O(length).
  static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

  private static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.value {
    case 0x2066...0x2069, 0x200B...0x200F: return 0
    // Letters and pictures that are as wide as two Latin letters.
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE4F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default:
      // A sign that a variation selector makes a picture of.
      return character.unicodeScalars.contains("\u{FE0F}") ? 2 : 1
    }
  }

  /// Cuts a text to a width, with an ellipsis where something is missing, or fills it up with blanks.
  ///
  /// - Complexity: O(length).
  static func fit(_ text: String, to width: Int, fill: Bool = true) -> String {
    let needed = of(text)
    if needed <= width {
      return fill ? text + String(repeating: " ", count: width - needed) : text
    }
    guard width > 0 else { return "" }
    var shown = ""
    var used = 0
    for character in text {
      let next = of(character)
      if used + next > width - 1 { break }
      shown.append(character)
      used += next
    }
    return shown + "…" + (fill ? String(repeating: " ", count: width - 1 - used) : "")
  }
}
