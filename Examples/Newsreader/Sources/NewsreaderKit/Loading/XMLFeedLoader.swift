internal import Foundation
internal import Junctor

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// Reads feeds with Foundation's `XMLParser`, to which several objects listen at once.
///
/// ## Concurrency
/// An actor: one file after another.
actor XMLFeedLoader: FeedLoader {
  private let multicast = ParserMulticast()
  private let validator = FeedValidator()
  private let articles = ArticleCollector()
  private let links = LinkCollector()
  private let outlines = OutlineCollector()
  private let meter = ProgressMeter()

  /// Makes a loader.
  init() {
    // The validator comes first: what it refuses, the others need not hear.
    multicast.targets.add(validator)
    multicast.targets.add(articles)
    multicast.targets.add(links)
    multicast.targets.add(outlines)
    multicast.targets.add(meter)
  }

  /// Reads a file, whatever is in it.
  ///
  /// - Parameter path: the file, as it was named.
  /// - Returns: the feed, or the files that an OPML file lists, or what is wrong.
  /// - Complexity: O(size of the file).
  func load(_ path: String) -> LoadedFile {
    let problem = FeedProblem(path: path)
    let stream: FeedStream
    do {
      stream = try FeedStream(path: path)
    } catch {
      return LoadedFile(problem: problem.unreadable(error))
    }
    meter.follow(stream, path: path)
    let parser = XMLParser(stream: stream)
    parser.shouldProcessNamespaces = true
    parser.externalEntityResolvingPolicy = .never
    parser.delegate = multicast
    _ = parser.parse()
    return assemble(path, stream, problem)
  }

  /// Collects what the listeners heard.
  private func assemble(
    _ path: String, _ stream: FeedStream, _ problem: FeedProblem
  ) -> LoadedFile {
    let verdict = validator.take()
    let assembly = FeedAssembly(path: path, draft: articles.take(), links: links.take())
    let entries = outlines.take()
    // A document that was refused shows nothing: what came before its fault is not to be trusted.
    if let fault = stream.fault { return LoadedFile(problem: problem.refused(fault)) }
    if let error = stream.streamError { return LoadedFile(problem: problem.unreadable(error)) }
    var file = LoadedFile(
      problem: problem.judged(verdict, stream: stream, kept: assembly.articleCount))
    if stream.rewrittenReferences > 0 {
      file.warnings.append("HTML entities in '\(path)' were read as characters.")
    }
    switch verdict.kind {
    case .outline?: file.outline = entries
    case .rss?, .rdf?, .atom?: file.feed = assembly.feed()
    case .unknown?, nil: break
    }
    return file
  }
}
