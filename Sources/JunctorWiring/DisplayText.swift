internal import JunctorCore

/// Text of the user's made fit to be shown: one line, of bounded length, with nothing invisible in it.
package enum DisplayText {
  /// How many characters of a label are shown.
  package static let limit = 48

  /// Makes one short, visible line of any text.
  ///
  /// Control characters become their pictures (`␀`, `␊`), invisible ones that change direction or have no meaning in XML
  /// become `\u{…}`, right-to-left text is isolated from what stands around it, and what is too long is cut and
  /// marked with `…`.
  ///
  /// - Complexity: O(limit), however long the text.
  package static func line(_ text: String, limit: Int = limit) -> String {
    let scalars = text.unicodeScalars
    // A character may have any number of combining marks: scalars are bounded as well.
    let end =
      scalars.index(scalars.startIndex, offsetBy: limit * 16, limitedBy: scalars.endIndex)
      ?? scalars.endIndex
    var shown = ""
    var count = 0
    var isCut = end != scalars.endIndex
    var isRightToLeft = false
    for character in text[..<end] {
      guard count < limit else {
        isCut = true
        break
      }
      count += 1
      for scalar in character.unicodeScalars.prefix(16) {
        append(scalar, to: &shown)
        isRightToLeft = isRightToLeft || Self.isRightToLeft(scalar)
      }
    }
    if isCut { shown += "…" }
    return isRightToLeft ? "\u{2068}\(shown)\u{2069}" : shown
  }

  private static func append(_ scalar: Unicode.Scalar, to shown: inout String) {
    switch scalar.value {
    case 0..<0x20: append(picture: scalar.value, to: &shown)
    case 0x7F: shown += "\u{2421}"
    case 0x200B, 0x2060...0x206F, 0xFEFF, 0xFDD0...0xFDEF, 0xFFF0...0xFFFB,
      _ where scalar.isObeyed:
      shown += "\\u{\(String(scalar.value, radix: 16))}"
    case let value where value & 0xFFFE == 0xFFFE:
      shown += "\\u{\(String(value, radix: 16))}"
    default: shown.unicodeScalars.append(scalar)
    }
  }

  private static func append(picture control: UInt32, to shown: inout String) {
    guard let picture = Unicode.Scalar(0x2400 + control) else { return }
    shown.unicodeScalars.append(picture)
  }

  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }

  /// Replaces what has a meaning in XML.
  ///
  /// - Complexity: O(length).
  static func escapedForXML(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
