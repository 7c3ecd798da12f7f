/// Text of a picture that keeps inside its frame whatever font it is shown in.
///
/// Graphviz lays text out with the measures of one font, and a picture in SVG is drawn with whichever its reader has. So
/// each text is given the width that it takes in a wide font, and begins at the left of it: what is centred in one font
/// is not in another.
enum DOTText {
  /// A line of text, and what it is written with.
  struct Line {
    /// The line in Graphviz's markup.
    let markup: String
    /// How wide it is in a wide font, in points.
    let width: Double

    /// Prepares a line.
    ///
    /// - Parameters:
    ///   - text: the text as it is shown.
    ///   - size: the font's size in points.
    ///   - isBold: whether it is bold; the markup says so as well.
    ///   - markup: the text in Graphviz's markup.
    init(_ text: String, size: Double, isBold: Bool = false, markup: String) {
      self.markup = markup
      width = DOTText.width(of: text, size: size, isBold: isBold)
    }
  }

  /// A label of lines that begin at the left.
  ///
  /// - Complexity: O(lines).
  static func label(_ lines: [Line]) -> String {
    let rows = lines.map { "\($0.markup)<BR ALIGN=\"LEFT\"/>" }.joined()
    return
      "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\"><TR><TD ALIGN=\"LEFT\" WIDTH=\"\(points(lines))\">\(rows)</TD></TR></TABLE>"
  }

  /// The width of the widest of some lines in whole points.
  ///
  /// - Complexity: O(lines).
  static func points(_ lines: [Line]) -> Int {
    Int((lines.map(\.width).max() ?? 0).rounded(.up))
  }

  /// How wide a text is in a wide font: at least what it takes in DejaVu Sans or Verdana.
  ///
  /// - Complexity: O(length).
  static func width(of text: String, size: Double, isBold: Bool) -> Double {
    let length = text.unicodeScalars.reduce(0.0) { $0 + ems($1) }
    return length * size * (isBold ? 1.15 : 1)
  }

  private static func ems(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", "J", " ", ",", ".", ":", ";", "'", "|", "/", "\\", "·": 0.35
    case "f", "r", "t", "!", "(", ")", "[", "]", "-": 0.42
    case "m", "w", "M", "W", "@", "%": 1
    case "A"..."Z": 0.77
    case "#", "&", "+", "<", "=", ">", "^", "~": 0.86
    case _ where scalar.value < 0x1100: 0.64
    default: 1
    }
  }
}
