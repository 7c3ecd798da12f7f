internal import Junctor

/// An article in the terminal: how far it is scrolled.
///
/// ## Concurrency
/// On the main actor.
@MainActor
final class ReadingView {
  private let reading: ReadingScreen
  private var top = 0
  private var page = 1
  private var lines: [String] = []
  private var shown: (id: ArticleID, columns: Int)?

  /// Makes the view.
  ///
  /// - Parameter reading: the article.
  init(reading: ReadingScreen) { self.reading = reading }

  /// Scrolls.
  ///
  /// - Parameter step: how many lines further down.
  func scroll(by step: Int) { top += step }

  /// Scrolls by a whole page.
  ///
  /// - Parameter direction: 1 for down, -1 for up.
  func scrollPage(_ direction: Int) { top += direction * max(page - 1, 1) }

  /// Draws the article.
  ///
  /// - Parameters:
  ///   - frame: what it is drawn on.
  ///   - status: the line at the bottom.
  /// - Complexity: O(length), when the article or the width is new; else O(rows × columns).
  func draw(on frame: inout Frame, status: String) {
    layOut(frame.columns)
    // As many rows as the longest status takes, so that the page does not change while it is scrolled.
    let rest = frame.statusRows("\(lines.count) more  \(status)").count
    page = max(frame.rows - rest, 1)
    top = max(0, min(top, lines.count - page))
    for (offset, line) in lines.enumerated().dropFirst(top).prefix(page) {
      frame.add(line, offset == 0 ? .bold : .plain)
    }
    let below = lines.count - top - page
    frame.addStatus(frame.statusRows(below > 0 ? "\(below) more  \(status)" : status))
  }

  private func layOut(_ columns: Int) {
    guard let id = reading.article?.id else { return }
    if let shown, shown.id == id, shown.columns == columns { return }
    if shown?.id != id { top = 0 }
    lines = reading.lines(width: columns)
    shown = (id, columns)
  }
}
