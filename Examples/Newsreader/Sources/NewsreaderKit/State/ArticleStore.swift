/// Keeps the articles of all loaded feeds and what is known of them: the service behind every screen.
///
/// Articles are numbered from 1 in the order in which their feeds were loaded; a number never moves.
///
/// ## Concurrency
/// On the main actor.
@MainActor
protocol ArticleStore: AnyObject, Sendable {
  /// How many articles there are, archived ones included.
  var count: Int { get }
  /// How many are neither read nor archived.
  var unreadCount: Int { get }
  /// How many are archived.
  var archivedCount: Int { get }

  /// The article with a number; `nil` if there is none.
  ///
  /// - Parameter number: the number, from 1.
  func article(_ number: Int) -> Article?

  /// What is known of the article with a number.
  ///
  /// - Parameter number: the number, from 1.
  func mark(_ number: Int) -> ArticleMark

  /// The number of an article; `nil` if it is of no loaded feed.
  ///
  /// - Parameter id: the article.
  func number(of id: ArticleID) -> Int?

  /// Writes what has changed since it was last written, if anything has.
  func save()
}

extension ArticleStore {
  /// The article as a line of a list: `12. [unread] Title`.
  ///
  /// - Parameter number: the number, from 1.
  /// - Returns: the line; `nil` if there is no such article.
  /// - Complexity: O(length).
  func line(_ number: Int) -> String? {
    guard let article = article(number) else { return nil }
    return "\(number). [\(mark(number).contains(.read) ? "read" : "unread")] \(article.title)"
  }
}
