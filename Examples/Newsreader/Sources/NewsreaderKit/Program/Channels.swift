internal import Junctor

/// Says that an article was read, or is to count as unread again.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct ArticleRead: Codable, Sendable {
  /// The article.
  var id: ArticleID
  /// Whether it counts as read from now on.
  var isRead: Bool
}

/// Says that an article was put away.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct ArticleArchived: Codable, Sendable {
  /// The article.
  var id: ArticleID
}

/// Says that a feed was read from its file.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct FeedLoaded: Sendable {
  /// The feed.
  var feed: Feed
}

extension Channel where Message == ArticleRead {
  /// Tells of every article that changes between read and unread.
  static var articleRead: Channel { Channel("article.read") }
}

extension Channel where Message == ArticleArchived {
  /// Tells of every article that is put away.
  static var articleArchived: Channel { Channel("article.archived") }
}

extension Channel where Message == FeedLoaded {
  /// Tells of every feed that was read.
  static var feedLoaded: Channel { Channel("feed.loaded") }
}

extension Channel where Message == LoadProgress {
  /// Tells how far the file is that is being read.
  static var progress: Channel { Channel("feed.progress") }
}
