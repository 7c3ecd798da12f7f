internal import Junctor

/// The list in the terminal: which row is chosen, and which rows are in sight.
///
/// ## Concurrency
/// On the main actor.
@MainActor
final class ListView {
  /// The position of the chosen row.
  private(set) var position = 0
  private var top = 0
  private var page = 1
  private let list: ListScreen
  private let badge: UnreadBadge

  /// Makes the view.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - badge: shown beside the title.
  init(list: ListScreen, badge: UnreadBadge) {
    self.list = list
    self.badge = badge
  }

  /// The number of the chosen article; `nil` if there is none.
  var number: Int? { list.rows.indices.contains(position) ? list.rows[position] : nil }

  /// Chooses another row.
  ///
  /// - Parameter step: how many rows further down.
  func move(by step: Int) {
    position = max(0, min(position + step, list.rows.count - 1))
  }

  /// Moves by a whole page.
  ///
  /// - Parameter direction: 1 for down, -1 for up.
  func movePage(_ direction: Int) { move(by: direction * max(page - 1, 1)) }

  /// Chooses the row of an article, or the one that took its place.
  ///
  /// - Parameter number: the article's number.
  func choose(_ number: Int) {
    position = list.rows.firstIndex { $0 >= number } ?? max(list.rows.count - 1, 0)
  }

  /// Draws the list.
  ///
  /// - Parameters:
  ///   - frame: what it is drawn on.
  ///   - status: the line at the bottom.
  /// - Complexity: O(rows × columns).
  func draw(on frame: inout Frame, status: String) {
    move(by: 0)
    let statusRows = frame.statusRows(status)
    page = max(frame.rows - 1 - statusRows.count, 1)
    if position < top { top = position }
    if position >= top + page { top = position - page + 1 }
    top = max(0, min(top, list.rows.count - page))
    frame.add(heading(frame.columns), .bold)
    for row in list.rows.dropFirst(top).prefix(page) {
      frame.add(
        list.row(row, width: frame.columns), row == number ? .inverse : .plain)
    }
    if list.rows.isEmpty { frame.add(emptyText, .faint) }
    frame.addStatus(statusRows)
  }

  private var emptyText: String {
    switch list.filter {
    case .all: "No articles."
    case .unread: "Nothing is unread."
    case .search(let text): "Nothing found for '\(text)'."
    }
  }

  private func heading(_ columns: Int) -> String {
    let title =
      switch list.filter {
      case .all: "News"
      case .unread: "Unread news"
      case .search(let text): "News with '\(text)'"
      }
    return badge.text.isEmpty ? title : "\(title)  \(badge.text)"
  }
}
