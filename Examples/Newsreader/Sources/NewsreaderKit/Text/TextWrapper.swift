/// Breaks text into lines for a terminal: the service that screens ask for.
///
/// ## Concurrency
/// May be called from any thread.
protocol TextWrapper: Sendable {
  /// Breaks a text into lines of at most so many columns.
  ///
  /// - Parameters:
  ///   - text: paragraphs, separated by line feeds.
  ///   - width: the columns of a line; at least 1.
  /// - Returns: the lines, an empty one for an empty paragraph.
  func wrap(_ text: String, width: Int) -> [String]

  /// Shortens a text to at most so many columns, with an ellipsis where something was left out.
  ///
  /// - Parameters:
  ///   - text: one line.
  ///   - width: the columns.
  func shorten(_ text: String, width: Int) -> String
}

/// Breaks at spaces and, where there are none, between characters; counts wide characters as two columns.
///
/// ## Concurrency
/// A value without state; may be used anywhere.
struct ColumnWrapper: TextWrapper {
  /// Breaks a text into lines of at most so many columns.
  ///
  /// - Complexity: O(length).
  func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      wrap(paragraph: paragraph, width: max(width, 1), into: &lines)
    }
    return lines
  }

  /// Shortens a text to at most so many columns, with an ellipsis where something was left out.
  ///
  /// - Complexity: O(width).
  func shorten(_ text: String, width: Int) -> String {
    guard width > 0 else { return "" }
    var columns = 0
    var kept = text.startIndex
    for index in text.indices {
      let next = columns + CharacterWidth.of(text[index])
      if next > width { return text[..<kept] + "…" }
      columns = next
      if next < width { kept = text.index(after: index) }
    }
    return text
  }

  private func wrap(paragraph: Substring, width: Int, into lines: inout [String]) {
    var line = ""
    var columns = 0
    for word in paragraph.split(separator: " ") {
      let wordColumns = CharacterWidth.of(word)
      if columns > 0, columns + 1 + wordColumns <= width {
        line += " " + word
        columns += 1 + wordColumns
        continue
      }
      if columns > 0 { lines.append(line) }
      line = String(word)
      columns = wordColumns
      if wordColumns > width { (line, columns) = split(word, width: width, into: &lines) }
    }
    lines.append(line)
  }

  /// Breaks a word that is longer than a line; returns its last piece and the columns of that.
  private func split(
    _ word: Substring, width: Int, into lines: inout [String]
  ) -> (String, Int) {
    var piece = ""
    var columns = 0
    for character in word {
      let next = CharacterWidth.of(character)
      // A wide character does not fit a line of one column: it stands alone, a column too far.
      if columns > 0, columns + next > width {
        lines.append(piece)
        piece = ""
        columns = 0
      }
      piece.append(character)
      columns += next
    }
    return (piece, columns)
  }
}
