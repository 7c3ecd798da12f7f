internal import Foundation
internal import Junctor
internal import JunctorMacros

/// What the reader wants after an article.
///
/// ## Concurrency
/// A value; may be used anywhere.
enum ReadingResult: Sendable, Hashable {
  /// The article after it.
  case next
  /// The article before it.
  case previous
  /// No more of it: it is to be put away.
  case archived
}

/// Shows one article. It is handed the article, and gives back what the reader wants next; left, it gives back nothing.
///
/// It knows neither the list that it came from nor the articles beside it.
///
/// ## Concurrency
/// On the main actor.
@DataReceiver
@MainActor
final class ReadingScreen: ResultProvider {
  /// What this screen gives back.
  typealias Result = ReadingResult

  /// The article that is shown; `nil` when the screen was left.
  private(set) var article: Article?

  private let services: Services

  /// Makes the screen.
  ///
  /// - Parameter app: the services of the whole program. The screen has its own in front of them: lines of a length that
  ///   reads well, however wide the terminal is.
  init(app: Services) {
    services = Services("reading screen", alternate: app)
    services.provide((any TextWrapper).self) { _ in
      try MeasuredWrapper(base: app.require((any TextWrapper).self))
    }
  }

  /// Takes the article that was handed over: shows it, and says that it was read.
  ///
  /// - Parameter article: the article.
  func prepare(with article: Article?) {
    self.article = article
    guard let article else { return }
    Channel.articleRead.post(ArticleRead(id: article.id, isRead: true), from: self)
  }

  /// Gives back what the reader wants next.
  ///
  /// - Parameter result: what that is.
  func finish(_ result: ReadingResult) {
    article = nil
    giveBack(result)
  }

  /// Leaves the article; nothing is given back.
  func leave() {
    guard article != nil else { return }
    article = nil
    cancelRequests()
  }

  /// The article in lines of at most so many columns: title, where it is from, text, links.
  ///
  /// - Parameter width: the columns.
  /// - Complexity: O(length).
  func lines(width: Int) -> [String] {
    guard let article, let wrapper = services[(any TextWrapper).self] else { return [] }
    var lines = wrapper.wrap(article.title, width: width)
    let origin = [article.feedTitle, article.published?.stamp ?? "undated", article.author]
    lines += wrapper.wrap(origin.compactMap { $0 }.joined(separator: " · "), width: width)
    if let link = article.link { lines += wrapper.wrap(link, width: width) }
    if !article.body.isEmpty { lines += [""] + wrapper.wrap(article.body, width: width) }
    if article.isCut { lines += ["", "[The article is longer; the rest is at its link.]"] }
    if !article.links.isEmpty { lines.append("") }
    for link in article.links {
      lines += wrapper.wrap("\(link.relation): \(link.target)", width: width)
    }
    return lines
  }
}

/// Breaks text into lines that the eye finds back from, however wide the terminal is.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct MeasuredWrapper: TextWrapper {
  /// The columns that a line has at most.
  private static let measure = 80

  private let base: any TextWrapper

  /// Makes a wrapper in front of another.
  ///
  /// - Parameter base: does the work.
  init(base: any TextWrapper) { self.base = base }

  /// Breaks a text into lines of at most so many columns, and never more than 80.
  ///
  /// - Complexity: O(length).
  func wrap(_ text: String, width: Int) -> [String] {
    base.wrap(text, width: min(width, Self.measure))
  }

  /// Shortens a text to at most so many columns.
  ///
  /// - Complexity: O(width).
  func shorten(_ text: String, width: Int) -> String { base.shorten(text, width: width) }
}
