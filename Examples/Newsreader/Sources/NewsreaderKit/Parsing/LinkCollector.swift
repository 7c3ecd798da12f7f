internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// The links of one article.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct ArticleLinks: Sendable, Hashable {
  /// The article's own page, as written.
  var page: String?
  /// The page that its identifier is, if it is one.
  var permanent: String?
  /// What relative links in it are relative to, where the document says so.
  var base: String?
  /// Enclosures, comments and the like, as written.
  var others: [ArticleLink] = []
}

/// Hears a parse and collects where everything leads.
///
/// ## Concurrency
/// Not `Sendable`: stays with the loader that made it.
final class LinkCollector: NSObject, XMLParserDelegate {
  /// What a feed's links are.
  struct Links: Sendable {
    /// The page that the feed belongs to.
    var page: String?
    /// The feed's own place.
    var feed: String?
    /// One per article, in the order of the file.
    var articles: [ArticleLinks] = []
  }

  private enum Target { case page, permanent, comments }

  /// The most further links of one article that are kept.
  private static let mostLinks = 32

  private var links = Links()
  private var article: ArticleLinks?
  private var articleDepth = 0
  private var feedDepth = 0
  private var depth = 0
  private var collecting: (target: Target, depth: Int, text: BoundedText)?
  private var base = LinkBase()

  /// Hands out what was collected, and is empty again.
  ///
  /// - Returns: the links of the feed and of the articles that were complete.
  /// - Complexity: O(1).
  func take() -> Links {
    defer {
      (links, article, collecting, base) = (Links(), nil, nil, LinkBase())
      (depth, feedDepth, articleDepth) = (0, 0, 0)
    }
    return links
  }

  // MARK: - XMLParserDelegate

  /// Begins an article or a link.
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes: [String: String]
  ) {
    depth += 1
    base.enter(attributes)
    let name = ElementName(elementName, namespace: namespaceURI, qualifiedName: qName)
    if name.isArticle, article == nil {
      article = ArticleLinks(base: base.current)
      articleDepth = depth
    } else if name.isFeed, feedDepth == 0 {
      feedDepth = depth
    } else if article != nil {
      if depth == articleDepth + 1 { beginInArticle(name, attributes) }
    } else if feedDepth > 0, depth == feedDepth + 1 {
      if name.family == .atom, name.local == "link" {
        takeFeedLink(attributes)
      } else if name.family == .rss, name.local == "link" {
        begin(.page)
      }
    }
  }

  /// Ends an article or a link.
  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?
  ) {
    if let current = collecting, current.depth == depth {
      collecting = nil
      finish(current.target, CleanText.line(current.text.text))
    } else if let finished = article, depth == articleDepth {
      links.articles.append(finished)
      article = nil
    }
    depth -= 1
    base.leave()
  }

  /// Adds text to the link.
  func parser(_ parser: XMLParser, foundCharacters string: String) {
    collecting?.text.append(string)
  }

  /// Adds a CDATA section to the link.
  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    collecting?.text.append(block)
  }
}

// MARK: - Links

extension LinkCollector {
  private func begin(_ target: Target) {
    collecting = (target, depth, BoundedText(limit: ArticleCollector.lineLimit))
  }

  private func beginInArticle(_ name: ElementName, _ attributes: [String: String]) {
    switch (name.family, name.local) {
    case (.rss, "link"): begin(.page)
    case (.rss, "comments"): begin(.comments)
    case (.rss, "guid") where attributes["isPermaLink"]?.lowercased() != "false": begin(.permanent)
    case (.rss, "enclosure"):
      if let url = attributes["url"] { add("enclosure", url) }
    case (.atom, "link"):
      guard let href = attributes["href"] else { return }
      let relation = attributes["rel"] ?? "alternate"
      if relation == "alternate" {
        if article?.page == nil { article?.page = LinkBase.resolve(href, against: base.current) }
      } else if relation != "self", relation != "edit" {
        add(relation, href)
      }
    default: break
    }
  }

  private func takeFeedLink(_ attributes: [String: String]) {
    guard let href = attributes["href"] else { return }
    let target = LinkBase.resolve(href, against: base.current)
    switch attributes["rel"] ?? "alternate" {
    case "alternate": links.page = links.page ?? target
    case "self": links.feed = links.feed ?? target
    default: break
    }
  }

  private func add(_ relation: String, _ target: String) {
    guard let count = article?.others.count, count < Self.mostLinks else { return }
    let link = ArticleLink(
      relation: CleanText.line(relation), target: LinkBase.resolve(target, against: base.current))
    article?.others.append(link)
  }

  private func finish(_ target: Target, _ link: String) {
    guard !link.isEmpty else { return }
    let resolved = LinkBase.resolve(link, against: base.current)
    switch target {
    case .comments: add("comments", link)
    case .permanent: article?.permanent = LinkBase.isAbsolute(link) ? link : nil
    case .page:
      if article != nil {
        article?.page = resolved
      } else {
        links.page = links.page ?? resolved
      }
    }
  }
}
