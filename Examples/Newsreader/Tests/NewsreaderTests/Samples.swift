import Foundation

@testable import NewsreaderKit

/// Articles and files for tests.
enum Samples {
  /// An article.
  static func article(title: String, body: String = "", guid: String? = nil) -> Article {
    let feed = FeedID(identifier: "feed", link: nil, title: "", path: "")
    return Article(
      id: ArticleID(feed: feed, key: guid ?? title), title: title, feedTitle: "Feed", link: nil,
      author: nil, published: nil, body: body, isCut: false, links: [])
  }

  /// A feed of articles with these titles.
  static func feed(_ titles: [String]) -> Feed {
    Feed(
      id: FeedID(identifier: "feed", link: nil, title: "", path: ""), title: "Feed", path: "",
      articles: titles.map { article(title: $0) })
  }

  /// An RSS file with items of these contents.
  static func rss(_ items: String...) -> String {
    "<rss version='2.0'><channel><title>Feed</title><link>http://a.org/</link>"
      + items.map { "<item>\($0)</item>\n" }.joined() + "</channel></rss>"
  }

  /// The feeds that ship with the example.
  static let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Feeds").standardizedFileURL
}

/// A folder of a test's own, gone with the test.
final class ScratchFolder {
  /// Where it lies.
  let url: URL

  /// Makes one.
  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("newsreader-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in it.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file into it, and returns its path.
  func write(_ name: String, _ data: Data) throws -> String {
    try data.write(to: url.appendingPathComponent(name))
    return path(name)
  }

  /// Writes a file into it, and returns its path.
  func write(_ name: String, _ text: String) throws -> String {
    try write(name, Data(text.utf8))
  }

  /// What a file in it holds.
  func read(_ name: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
  }

  /// The names of the files in it.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }
}
