internal import Junctor

/// Shows how much is unread, and keeps itself up to date by listening.
///
/// ## Concurrency
/// On the main actor.
@MainActor
final class UnreadBadge {
  private let store: any ArticleStore

  /// The badge's text; empty if nothing is unread.
  private(set) var text = ""

  /// Makes a badge.
  ///
  /// - Parameter store: whose articles are counted.
  init(store: any ArticleStore) {
    self.store = store
    Channel.feedLoaded.listen(for: self) { badge, _ in badge.update() }
    Channel.articleRead.listen(for: self) { badge, _ in badge.update() }
    Channel.articleArchived.listen(for: self) { badge, _ in badge.update() }
    update()
  }

  private func update() {
    let count = store.unreadCount
    text = count == 0 ? "" : "● \(count) unread"
  }
}
