/// One feed with its articles, in the order of the file.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct Feed: Sendable {
  /// What the feed is known by, in every run.
  let id: FeedID
  /// Its title; the file's name where it has none.
  let title: String
  /// The file that it was read from.
  let path: String
  /// Its articles, in the order of the file.
  var articles: [Article]
}

/// What one file turned out to be.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct LoadedFile: Sendable {
  /// The feed in it, if it is one.
  var feed: Feed?
  /// The files that it lists, if it is an OPML file.
  var outline: [OutlineEntry] = []
  /// What is wrong with it. A feed beside it holds the articles that came before the fault.
  var problem: NewsreaderError?
  /// Smaller things that were put right while reading.
  var warnings: [String] = []
}

/// A feed that an OPML file lists.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct OutlineEntry: Sendable, Hashable {
  /// Where it lies, as written.
  var location: String
  /// The line that lists it.
  var line: Int
}
