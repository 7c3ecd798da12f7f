/// What the keys do, as it is shown at the bottom of a screen and on a page of its own.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct KeyHelp: Sendable {
  /// The keys of one screen.
  struct Section: Sendable {
    /// Where they do it.
    let title: String
    /// The keys, and what they do.
    let keys: [(keys: String, meaning: String)]
  }

  /// At the bottom of the list.
  static let list = "↑↓ enter  u unread  / search  a archive  ? help  q quit"
  /// At the bottom of an article.
  static let article = "n next  p previous  a archive  m unread  b back"

  /// The page's sections.
  static let sections = [
    Section(
      title: "In the list",
      keys: [
        ("↑ ↓ j k", "choose"), ("enter →", "read"), ("space page", "a page further"),
        ("g G", "first, last"), ("u", "unread only"), ("/", "search"), ("m", "read or unread"),
        ("a", "archive"), ("esc", "all articles"), ("q", "quit"),
      ]),
    Section(
      title: "In an article",
      keys: [
        ("↑ ↓ j k", "scroll"), ("space", "a page further"), ("n →", "next"),
        ("p ←", "previous"), ("a", "archive"), ("m", "read or unread"),
        ("b esc q", "back to the list"),
      ]),
  ]

  /// The page, two keys in a row where there is room.
  ///
  /// - Parameter columns: the columns.
  /// - Complexity: O(keys).
  static func page(columns: Int) -> [String] {
    let perRow = columns >= 60 ? 2 : 1
    var rows: [String] = []
    for section in sections {
      rows.append(section.title)
      let cells = section.keys.map { "  " + pad($0.keys, to: 12) + $0.meaning }
      for start in stride(from: 0, to: cells.count, by: perRow) {
        let row = cells[start..<min(start + perRow, cells.count)]
        rows.append(row.dropLast().map { pad($0, to: 32) }.joined() + (row.last ?? ""))
      }
      rows.append("")
    }
    return rows + ["Any key closes this."]
  }

  /// A line in as many rows as it takes: broken between keys where two spaces part them, and between words where they do not.
  ///
  /// - Parameters:
  ///   - status: the line.
  ///   - columns: the columns.
  ///   - limit: how many rows there may be; what remains is in the last one.
  /// - Complexity: O(length).
  static func rows(_ status: String, columns: Int, limit: Int) -> [String] {
    var rows: [String] = []
    for part in status.split(separator: "  ") {
      if let last = rows.last,
        CharacterWidth.of(last) + 2 + CharacterWidth.of(String(part)) <= columns
      {
        rows[rows.count - 1] = "\(last)  \(part)"
      } else {
        rows += ColumnWrapper().wrap(String(part), width: columns)
      }
    }
    guard rows.count > limit else { return rows.isEmpty ? [""] : rows }
    return limit <= 1
      ? [status] : rows.prefix(limit - 1) + [rows.dropFirst(limit - 1).joined(separator: "  ")]
  }

  private static func pad(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(columns - CharacterWidth.of(text), 1))
  }
}
