internal import Foundation

/// Joins what two listeners heard of the same parse into one feed.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct FeedAssembly {
  private let path: String
  private let draft: FeedDraft
  private let links: LinkCollector.Links

  /// Takes what was heard.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - draft: what the article collector heard.
  ///   - links: what the link collector heard.
  init(path: String, draft: FeedDraft, links: LinkCollector.Links) {
    self.path = path
    self.draft = draft
    self.links = links
  }

  /// How many articles there are.
  var articleCount: Int { draft.articles.count }

  /// The feed. Of articles with one identity, the first stays.
  ///
  /// - Complexity: O(number of articles).
  func feed() -> Feed {
    let name = URL(fileURLWithPath: path).lastPathComponent
    let title = draft.title.isEmpty ? name : draft.title
    let id = FeedID(
      identifier: draft.identifier ?? links.feed, link: links.page, title: draft.title,
      path: URL(fileURLWithPath: path).standardizedFileURL.path)
    var feed = Feed(id: id, title: title, path: path, articles: [])
    feed.articles.reserveCapacity(draft.articles.count)
    var known = Set<ArticleID>(minimumCapacity: draft.articles.count)
    for (draft, links) in zip(draft.articles, links.articles) {
      let article = article(draft, links, in: feed)
      if known.insert(article.id).inserted { feed.articles.append(article) }
    }
    return feed
  }

  private func article(_ draft: ArticleDraft, _ links: ArticleLinks, in feed: Feed) -> Article {
    let base = links.base ?? self.links.page
    let link = (links.page ?? links.permanent).map { LinkBase.resolve($0, against: base) }
    let title = title(of: draft, link: link)
    return Article(
      id: ArticleID(feed: feed.id, key: key(of: draft, link: link, title: title)), title: title,
      feedTitle: feed.title, link: link, author: draft.author, published: draft.published,
      body: draft.body, isCut: draft.isCut,
      links: links.others.map {
        ArticleLink(
          relation: $0.relation, target: LinkBase.resolve($0.target, against: base))
      })
  }

  /// What tells an article from the others: its own identifier, else its page and title, else its title and text.
  private func key(of draft: ArticleDraft, link: String?, title: String) -> String {
    if let identifier = draft.identifier { return "id\n" + identifier }
    if let link { return "link\n" + link + "\n" + title }
    let date = draft.published.map { String($0.timeIntervalSince1970) } ?? ""
    return "text\n" + title + "\n" + date + "\n" + draft.body.prefix(120)
  }

  private func title(of draft: ArticleDraft, link: String?) -> String {
    if !draft.title.isEmpty { return draft.title }
    let start = draft.body.prefix { !$0.isNewline }
    if !start.isEmpty { return ColumnWrapper().shorten(String(start), width: 60) }
    return link ?? "Untitled"
  }
}
