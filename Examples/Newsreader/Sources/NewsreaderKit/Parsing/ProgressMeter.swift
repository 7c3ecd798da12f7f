internal import Foundation
internal import Junctor

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// How far a file has been read.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct LoadProgress: Sendable, Hashable {
  /// The file.
  var path: String
  /// What part of it was read, from 0 to 1; `nil` where its size is not known.
  var fraction: Double?
  /// How many articles were met.
  var articles: Int
}

/// Hears a parse and tells how far it is, at most once per percent or per thousand articles.
///
/// ## Concurrency
/// Not `Sendable`: stays with the loader that made it.
final class ProgressMeter: NSObject, XMLParserDelegate {
  private weak var stream: FeedStream?
  private var progress = LoadProgress(path: "", fraction: nil, articles: 0)
  private var lastStep = -1

  /// Measures the parse of a file from now on.
  ///
  /// - Parameters:
  ///   - stream: what the parser reads; held weakly.
  ///   - path: the file.
  func follow(_ stream: FeedStream, path: String) {
    self.stream = stream
    progress = LoadProgress(path: path, fraction: nil, articles: 0)
    lastStep = -1
  }

  // MARK: - XMLParserDelegate

  /// Counts an article.
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes: [String: String]
  ) {
    guard elementName == "item" || elementName == "entry" else { return }
    progress.articles += 1
    progress.fraction = stream?.fraction
    let step = progress.fraction.map { Int($0 * 100) } ?? progress.articles / 1_000
    guard step != lastStep else { return }
    lastStep = step
    Channel.progress.post(progress, from: self)
  }
}
