/// Makes text from a feed safe to show in a terminal.
///
/// ## Concurrency
/// Pure functions; may be called anywhere.
enum CleanText {
  /// One line: control characters gone, runs of white space one space each, none at the ends.
  ///
  /// - Parameter text: any text.
  /// - Complexity: O(length).
  static func line(_ text: String) -> String {
    if isCleanLine(text.utf8) { return text }
    var result = ""
    var pendingSpace = false
    for scalar in text.unicodeScalars {
      guard let scalar = clean(scalar) else { continue }
      if isSpace(scalar) {
        pendingSpace = !result.isEmpty
      } else {
        if pendingSpace { result.unicodeScalars.append(" ") }
        pendingSpace = false
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A scalar as it may be shown; `nil` if it may not.
  ///
  /// A feed must not be able to send commands to the terminal, nor to turn the direction of what follows it. The
  /// scalars from U+0080 to U+009F are controls, but what feeds that carry them mean is Windows' code page 1252.
  ///
  /// - Parameter scalar: any scalar.
  /// - Complexity: O(1).
  static func clean(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x20..<0x7F: scalar
    case 0x09, 0x0A, 0x0D: scalar
    case 0..<0x20, 0x7F: nil
    case 0x80..<0xA0: windows1252[Int(scalar.value - 0x80)]
    case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: nil
    default: scalar
    }
  }

  /// Whether a scalar separates words. A no-break space does not.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  private static func isCleanLine(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
    var previous: UInt8 = 0x20
    for byte in bytes {
      // What begins with C2 may be a control, with E2 or EF a direction mark: those take the long way.
      if byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 || byte == 0xEF {
        return false
      }
      if byte == 0x20, previous == 0x20 { return false }
      previous = byte
    }
    return bytes.last != 0x20
  }

  private static let windows1252: [Unicode.Scalar?] = [
    "€", nil, "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", nil, "Ž", nil,
    nil, "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", nil, "ž", "Ÿ",
  ]
}
