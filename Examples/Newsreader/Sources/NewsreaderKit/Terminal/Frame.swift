/// The picture that a screen shows: one line of text per row of the terminal.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct Frame: Sendable, Hashable {
  /// How a row is drawn.
  enum Style: Sendable, Hashable {
    /// Bold for headings, faint for hints, inverse for what is chosen.
    case plain, bold, faint, inverse
  }

  /// The columns.
  let columns: Int
  /// The rows.
  let rows: Int
  private var lines: [(text: String, style: Style)] = []

  /// Starts with an empty picture.
  ///
  /// - Parameters:
  ///   - columns: the columns.
  ///   - rows: the rows.
  init(columns: Int, rows: Int) {
    self.columns = max(columns, 1)
    self.rows = max(rows, 1)
  }

  /// Adds a row at the bottom; one that is too long is shortened, one for which there is no room is left out.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - style: how it is drawn.
  /// - Complexity: O(columns).
  mutating func add(_ text: String, _ style: Style = .plain) {
    guard lines.count < rows else { return }
    lines.append((ColumnWrapper().shorten(text, width: columns), style))
  }

  /// Adds empty rows until so many are left.
  ///
  /// - Parameter rest: the rows that are to be left.
  /// - Complexity: O(rows).
  mutating func fill(leaving rest: Int) {
    while lines.count < rows - rest { lines.append(("", .plain)) }
  }

  /// Adds a status below everything, in several rows where it is long and the screen is high enough.
  ///
  /// - Parameter rows: the rows of `statusRows(_:)`.
  /// - Complexity: O(rows × columns).
  mutating func addStatus(_ rows: [String]) {
    fill(leaving: rows.count)
    for row in rows { add(row, .faint) }
  }

  /// A status in rows, at most a quarter of the screen.
  ///
  /// - Parameter status: the line.
  /// - Complexity: O(length).
  func statusRows(_ status: String) -> [String] {
    KeyHelp.rows(status, columns: columns, limit: max(rows / 4, 1))
  }

  /// The control sequences that draw the picture, without a moment in which the screen is empty.
  ///
  /// - Complexity: O(rows × columns).
  func drawn() -> String {
    var result = ""
    for row in 0..<rows {
      let (text, style) = row < lines.count ? lines[row] : ("", .plain)
      // The rest of the row is wiped first: behind a full row, the cursor is still on its last character.
      result += "\u{1B}[\(row + 1);1H\u{1B}[K"
      switch style {
      case .plain: result += text
      case .bold: result += "\u{1B}[1m\(text)\u{1B}[0m"
      case .faint: result += "\u{1B}[2m\(text)\u{1B}[0m"
      case .inverse:
        let padding = String(repeating: " ", count: max(columns - CharacterWidth.of(text), 0))
        result += "\u{1B}[7m\(text)\(padding)\u{1B}[0m"
      }
    }
    return result
  }

  /// The rows as plain text, for tests.
  var text: [String] { lines.map(\.text) }

  /// Compares what is shown.
  static func == (left: Frame, right: Frame) -> Bool {
    left.columns == right.columns && left.rows == right.rows
      && left.lines.elementsEqual(right.lines, by: ==)
  }

  /// Hashes what is shown.
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
