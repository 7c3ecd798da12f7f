internal import Foundation

/// How an article looks as a row of the list: a service of the list screen alone.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct ArticleLineStyle: Sendable {
  /// A row: a dot if it is unread, the title, and how old it is at the right edge.
  ///
  /// - Parameters:
  ///   - article: the article.
  ///   - isRead: whether it was read.
  ///   - width: the columns.
  ///   - wrapper: shortens what is too long.
  ///   - now: the present moment.
  /// - Returns: the row, in exactly `width` columns.
  /// - Complexity: O(width).
  func row(
    _ article: Article, isRead: Bool, width: Int, wrapper: any TextWrapper, now: Date
  ) -> String {
    let dot = isRead ? "  " : "● "
    let age = article.published?.age(at: now) ?? ""
    // In a narrow terminal the title is worth more than the age.
    let tail =
      width < 40 || age.isEmpty
      ? "" : " " + String(repeating: " ", count: max(5 - age.count, 0)) + age
    let room = max(width - 2 - tail.count, 0)
    let title = wrapper.shorten(article.title, width: room)
    let padding = String(repeating: " ", count: max(room - CharacterWidth.of(title), 0))
    return dot + title + padding + tail
  }
}
