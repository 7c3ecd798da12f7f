internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// Hears a parse and collects what the articles say: titles, dates, authors, texts.
///
/// It knows nothing of links, of faults, or of the others that hear the same parse.
///
/// ## Concurrency
/// Not `Sendable`: stays with the loader that made it.
final class ArticleCollector: NSObject, XMLParserDelegate {
  /// The most bytes of one article's text that are kept.
  static let bodyLimit = 16_384
  /// The most bytes of markup that are looked at for one text.
  static let markupLimit = 4 * bodyLimit
  /// The most bytes of a title, a name or an identifier.
  static let lineLimit = 2_048

  /// The text that is being collected, and for what.
  private struct Collecting {
    var field: ArticleField
    var depth: Int
    var isMarkup: Bool
    var text: BoundedText
  }

  /// How many bytes of text are kept in full; beyond them, only the beginning of each.
  private let budget: Int
  private var spent = 0
  private var feed = FeedDraft()
  private var article: ArticleDraft?
  private var articleDepth = 0
  private var feedDepth = 0
  private var depth = 0
  private var authorDepth = 0
  private var collecting: Collecting?
  private var base = LinkBase()
  private var page: String?

  /// Makes a collector.
  ///
  /// - Parameter budget: the bytes of text that are kept in full.
  init(budget: Int = 96 << 20) { self.budget = budget }

  /// Hands out what was collected, and is empty again.
  ///
  /// - Returns: the feed's own data and the articles that were complete.
  /// - Complexity: O(1).
  func take() -> FeedDraft {
    defer { reset() }
    return feed
  }

  private func reset() {
    (feed, article, collecting, page) = (FeedDraft(), nil, nil, nil)
    (depth, feedDepth, articleDepth, authorDepth, spent) = (0, 0, 0, 0, 0)
    base = LinkBase()
  }

  // MARK: - XMLParserDelegate

  /// Begins an article, a field, or markup inside one.
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes: [String: String]
  ) {
    depth += 1
    base.enter(attributes)
    if collecting != nil { return appendStart(of: elementName, attributes) }
    let name = ElementName(elementName, namespace: namespaceURI, qualifiedName: qName)
    if name.isArticle, article == nil {
      article = ArticleDraft(identifier: attributes["rdf:about"])
      articleDepth = depth
    } else if name.isFeed, feedDepth == 0 {
      feedDepth = depth
      feed.identifier = attributes["rdf:about"]
    } else if article != nil, depth == articleDepth + 1 {
      if name.family == .atom, name.local == "author" { authorDepth = depth }
      begin(ArticleField(inArticle: name), attributes)
    } else if authorDepth > 0, depth == authorDepth + 1, name.local == "name" {
      begin(.author, attributes)
    } else if article == nil, feedDepth > 0, depth == feedDepth + 1 {
      begin(ArticleField(inFeed: name), attributes)
    }
  }

  /// Ends an article, a field, or markup inside one.
  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?
  ) {
    defer {
      depth -= 1
      base.leave()
    }
    if let current = collecting {
      guard current.depth == depth else {
        collecting?.text.append("</\(elementName)>")
        return
      }
      collecting = nil
      finish(current)
    } else if depth == authorDepth {
      authorDepth = 0
    } else if let finished = article, depth == articleDepth {
      spent += finished.body.utf8.count
      feed.articles.append(finished)
      article = nil
    }
  }

  /// Adds text to the field.
  func parser(_ parser: XMLParser, foundCharacters string: String) {
    guard let current = collecting else { return }
    if current.isMarkup, depth > current.depth {
      collecting?.text.append(escaping: string)
    } else {
      collecting?.text.append(string)
    }
  }

  /// Adds a CDATA section to the field.
  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    collecting?.text.append(block)
  }
}

// MARK: - Fields

extension ArticleCollector {
  private func begin(_ field: ArticleField?, _ attributes: [String: String]) {
    guard let field else { return }
    let type = attributes["type"] ?? (field.isAtom ? "text" : "html")
    collecting = Collecting(
      field: field, depth: depth, isMarkup: type.hasSuffix("html") && !field.isPlain,
      text: BoundedText(limit: field.isBody ? Self.markupLimit : Self.lineLimit))
  }

  /// Writes an element inside a text down again, as far as its meaning for the text goes.
  private func appendStart(of name: String, _ attributes: [String: String]) {
    var tag = "<" + name
    for key in ["href", "alt"] {
      guard let value = attributes[key] else { continue }
      let escaped = value.replacingOccurrences(of: "&", with: "&amp;")
        .replacingOccurrences(of: "\"", with: "&quot;")
      tag += " \(key)=\"\(escaped)\""
    }
    collecting?.text.append(tag + ">")
  }

  private func finish(_ collected: Collecting) {
    let raw = collected.text.text
    switch collected.field {
    case .feedTitle: feed.title = line(collected)
    case .feedIdentifier: feed.identifier = CleanText.line(raw)
    case .feedPage: page = LinkBase.resolve(raw, against: base.current)
    case .title: article?.title = line(collected)
    case .identifier:
      let identifier = CleanText.line(raw)
      if !identifier.isEmpty { article?.identifier = identifier }
    case .author:
      let author = line(collected)
      if !author.isEmpty { article?.author = author }
    case .date(let kind):
      if let date = FeedDate.parse(raw) { article?.dates[kind] = date }
    case .body(let rank, _):
      guard rank > article?.bodyRank ?? .none else { return }
      let body = text(collected)
      guard !body.text.isEmpty else { return }
      article?.body = body.text
      article?.isCut = body.isCut || collected.text.isCut
      article?.bodyRank = rank
    }
  }

  private func line(_ collected: Collecting) -> String {
    let raw = collected.text.text
    return CleanText.line(collected.isMarkup ? MarkupText(raw, isTitle: true).text : raw)
  }

  private func text(_ collected: Collecting) -> (text: String, isCut: Bool) {
    let limit = spent < budget ? Self.bodyLimit : 256
    let base = base.current ?? page
    let raw = collected.text.text
    let markup = MarkupText(collected.isMarkup ? raw : MarkupText.escaping(raw), limit: limit) {
      LinkBase.resolve($0, against: base)
    }
    return (markup.text, markup.isCut)
  }
}
