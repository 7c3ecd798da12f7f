internal import Foundation
internal import Junctor

/// Reads the files that were named, and those that they list in turn, each once.
///
/// ## Concurrency
/// On the main actor; the reading itself is done elsewhere.
@MainActor
final class FeedImporter {
  private let loader: any FeedLoader
  private let finished: (String) -> Void
  private let report: (NewsreaderError) -> Void
  private var visited: Set<String> = []

  /// Makes an importer.
  ///
  /// - Parameters:
  ///   - services: the services of the whole program.
  ///   - finished: is called after each file.
  ///   - report: is told what could not be read.
  /// - Throws: when the program provides no loader.
  init(
    services: Services, finished: @escaping (String) -> Void,
    report: @escaping (NewsreaderError) -> Void
  ) throws {
    loader = try services.require((any FeedLoader).self)
    self.finished = finished
    self.report = report
  }

  /// Reads files one after another, and says of each feed that it is there. Ends early when the task is cancelled.
  ///
  /// - Parameter paths: the files, as named.
  /// - Complexity: O(size of all files).
  func load(_ paths: [String]) async {
    // Depth first, so that feeds come in the order in which a reader of the OPML file meets them.
    var waiting = Array(paths.reversed())
    while let path = waiting.popLast() {
      guard visited.insert(Self.identity(of: path)).inserted else { continue }
      let file = await loader.load(path)
      // Nobody wants to know any more, and what was read is not whole.
      if Task.isCancelled { return }
      if let feed = file.feed { Channel.feedLoaded.post(FeedLoaded(feed: feed), from: self) }
      if let problem = file.problem { report(problem) }
      finished(path)
      waiting += file.outline.reversed().compactMap { resolve($0, in: path) }
    }
  }

  /// The file that an entry of an OPML file means; `nil`, and a report, if it means none.
  private func resolve(_ entry: OutlineEntry, in outline: String) -> String? {
    let location = entry.location
    if location.lowercased().hasPrefix("file:") { return URL(string: location)?.path }
    if LinkBase.isAbsolute(location) {
      report(
        NewsreaderError(
          code: .outline,
          message:
            "Can't read '\(CleanText.line(outline)):\(entry.line):1': it lists '\(location)', "
            + "which is no file. Fetch that feed and list the file."))
      return nil
    }
    // `relativeTo` would take "%" for an escape; a path has none, unless only the unescaped one is there.
    let folder = (outline as NSString).deletingLastPathComponent
    func path(_ name: String) -> String {
      name.hasPrefix("/") || folder.isEmpty ? name : folder + "/" + name
    }
    let plain = path(location)
    if !FileManager.default.fileExists(atPath: plain),
      let unescaped = location.removingPercentEncoding,
      FileManager.default.fileExists(atPath: path(unescaped))
    {
      return path(unescaped)
    }
    return plain
  }

  private static func identity(of path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }
}
