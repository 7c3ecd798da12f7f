/// What an element says, of an article or of the whole feed.
///
/// ## Concurrency
/// A value; may be used anywhere.
enum ArticleField: Sendable, Hashable {
  /// The feed's title.
  case feedTitle(isAtom: Bool)
  /// The feed's identifier.
  case feedIdentifier
  /// The page that the feed belongs to.
  case feedPage
  /// The article's title.
  case title(isAtom: Bool)
  /// The article's identifier.
  case identifier
  /// Who wrote it.
  case author
  /// A date.
  case date(ArticleDraft.DateKind)
  /// A text, and how rich it is.
  case body(ArticleDraft.BodyRank, isAtom: Bool)

  /// What a child of `item` or `entry` says; `nil` if nothing that is collected.
  ///
  /// - Parameter name: the element.
  /// - Complexity: O(1).
  init?(inArticle name: ElementName) {
    switch (name.family, name.local) {
    case (.rss, "title"): self = .title(isAtom: false)
    case (.atom, "title"): self = .title(isAtom: true)
    case (.rss, "guid"), (.atom, "id"): self = .identifier
    case (.rss, "author"), (.dublinCore, "creator"): self = .author
    case (.rss, "pubDate"), (.rss, "pubdate"), (.atom, "published"), (.atom, "issued"):
      self = .date(.published)
    case (.dublinCore, "date"), (.dublinCore, "issued"), (.dublinCore, "created"),
      (.atom, "created"):
      self = .date(.created)
    case (.atom, "updated"), (.atom, "modified"), (.dublinCore, "modified"): self = .date(.updated)
    case (.rss, "description"): self = .body(.summary, isAtom: false)
    case (.atom, "summary"): self = .body(.summary, isAtom: true)
    case (.atom, "content"): self = .body(.content, isAtom: true)
    case (.content, "encoded"): self = .body(.content, isAtom: false)
    default: return nil
    }
  }

  /// What a child of `channel` or `feed` says; `nil` if nothing that is collected.
  ///
  /// - Parameter name: the element.
  /// - Complexity: O(1).
  init?(inFeed name: ElementName) {
    switch (name.family, name.local) {
    case (.rss, "title"): self = .feedTitle(isAtom: false)
    case (.atom, "title"): self = .feedTitle(isAtom: true)
    case (.atom, "id"): self = .feedIdentifier
    case (.rss, "link"): self = .feedPage
    default: return nil
    }
  }

  /// Whether Atom's rules hold: without a type, the text is no markup.
  var isAtom: Bool {
    switch self {
    case .feedTitle(let isAtom), .title(let isAtom), .body(_, let isAtom): isAtom
    default: false
    }
  }

  /// Whether this is an article's text.
  var isBody: Bool {
    if case .body = self { true } else { false }
  }

  /// Whether this is never markup.
  var isPlain: Bool {
    switch self {
    case .identifier, .feedIdentifier, .feedPage, .date: true
    default: false
    }
  }
}
