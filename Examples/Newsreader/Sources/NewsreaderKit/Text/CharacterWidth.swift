/// How many terminal columns text takes.
///
/// ## Concurrency
/// Pure functions; may be called anywhere.
enum CharacterWidth {
  /// The columns of a text.
  ///
  /// - Parameter text: text without line breaks.
  /// - Complexity: O(length).
  static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  /// The columns of one character as people see it: 0, 1 or 2.
  ///
  /// - Parameter character: a grapheme cluster; combining marks and joined emoji count as part of their base.
  /// - Complexity: O(number of its scalars).
  static func of(_ character: Character) -> Int {
    // Nearly all text is this.
    if let ascii = character.asciiValue { return (0x20...0x7E).contains(ascii) ? 1 : 0 }
    var width = 0
    for scalar in character.unicodeScalars {
      // Variation selector 16 asks for the picture, which is wide.
      if scalar.value == 0xFE0F { return 2 }
      width = max(width, of(scalar))
    }
    return width
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator:
      return 0
    default:
      return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
    }
  }

  /// Whether a scalar is wide or full-width in Unicode's table of East Asian widths.
  private static func isWide(_ value: UInt32) -> Bool {
    if value < 0x1100 { return false }
    return wideRanges.contains { $0.contains(value) }
  }

  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x3041...0x33FF, 0x1100...0x115F, 0x2E80...0x303E,
    0x3400...0x4DBF, 0xA000...0xA4C6, 0xA960...0xA97C, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x2329...0x232A, 0x16FE0...0x18CFF,
    0x1AFF0...0x1B2FB, 0x1F1E6...0x1F1FF, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
