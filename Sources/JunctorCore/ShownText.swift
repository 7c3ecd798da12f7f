extension Unicode.Scalar {
  /// Whether a terminal obeys it instead of showing it: control characters, those of the second set too, and those that
  /// change the direction of writing or end a line.
  package var isObeyed: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// The same with escapes for what a terminal obeys.
  ///
  /// - Parameter isKept: whether such a character stays all the same.
  /// - Complexity: O(length).
  package func escapingObeyed(
    except isKept: (Unicode.Scalar) -> Bool = { _ in false }
  ) -> String {
    guard unicodeScalars.contains(where: { $0.isObeyed && !isKept($0) }) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.isObeyed, !isKept(scalar) {
        result += scalar.escaped(asASCII: true)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// A name as it is shown in a message: its beginning where it is long, with escapes for what a terminal obeys.
///
/// - Complexity: O(1) in the name's length.
package func shown(_ name: String) -> String {
  let beginning = name.unicodeScalars.prefix(120)
  let isWhole = beginning.endIndex == name.unicodeScalars.endIndex
  return String(beginning).escapingObeyed() + (isWhole ? "" : "…")
}
