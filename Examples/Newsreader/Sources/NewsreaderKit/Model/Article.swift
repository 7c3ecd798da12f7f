internal import Foundation

/// One article, as far as it is kept in memory.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct Article: Sendable, Identifiable {
  /// What the article is known by, in every run.
  let id: ArticleID
  /// Its title in one line; never empty.
  let title: String
  /// The title of its feed.
  let feedTitle: String
  /// Its page, resolved against the feed's base; `nil` where there is none.
  let link: String?
  /// Who wrote it, where that is said.
  let author: String?
  /// When it was published; `nil` where nothing was said or nothing could be made of it.
  let published: Date?
  /// Its text without markup, paragraphs separated by empty lines; at most `ArticleCollector.bodyLimit` bytes.
  let body: String
  /// Whether `body` ends before the article does.
  let isCut: Bool
  /// Further links: enclosures, comments, what it refers to.
  let links: [ArticleLink]
}

/// A link that an article carries besides its own page.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct ArticleLink: Sendable, Hashable {
  /// What the link is for, as in Atom's `rel`: `enclosure`, `comments`, `related`, `via`.
  var relation: String
  /// Where it leads.
  var target: String
}
