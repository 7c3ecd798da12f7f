/// Reads one file: the service that turns a path into a feed.
///
/// ## Concurrency
/// May be asked from any isolation; reads one file after another, off the main actor.
protocol FeedLoader: Sendable {
  /// Reads a file, whatever is in it.
  ///
  /// - Parameter path: the file, as it was named.
  /// - Returns: the feed, or the files that an OPML file lists, or what is wrong.
  /// - Complexity: O(size of the file); memory is bounded by what is kept of its articles.
  func load(_ path: String) async -> LoadedFile
}
