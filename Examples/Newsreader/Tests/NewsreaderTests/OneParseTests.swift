import Foundation
import Junctor
import Testing

@testable import NewsreaderKit

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// One parse, and several objects that hear it.
@Suite struct OneParseTests {
  /// What several listeners heard, in order.
  private final class Log { var entries: [String] = [] }

  private final class Listener: NSObject, XMLParserDelegate {
    private let name: String
    private let log: Log

    init(_ name: String, _ log: Log) {
      self.name = name
      self.log = log
    }

    func parser(
      _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
      qualifiedName qName: String?, attributes: [String: String]
    ) {
      log.entries.append("\(name) <\(elementName)>")
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      log.entries.append("\(name) \(string)")
    }
  }

  @Test func `N10 all listeners hear every event, in the order in which they were added`() {
    let log = Log()
    let multicast = ParserMulticast()
    let (first, second) = (Listener("1", log), Listener("2", log))
    multicast.targets.add(first)
    multicast.targets.add(second)
    func parse() {
      let parser = XMLParser(data: Data("<a>x</a>".utf8))
      parser.delegate = multicast
      #expect(parser.parse())
    }
    parse()
    #expect(log.entries == ["1 <a>", "2 <a>", "1 x", "2 x"])
    log.entries = []
    multicast.targets.remove(first)
    parse()
    #expect(log.entries == ["2 <a>", "2 x"])
  }

  @Test func `N10 a listener that went away is not missed`() {
    let log = Log()
    let multicast = ParserMulticast()
    var gone: Listener? = Listener("gone", log)
    let stays = Listener("stays", log)
    if let gone { multicast.targets.add(gone) }
    multicast.targets.add(stays)
    gone = nil
    let parser = XMLParser(data: Data("<a/>".utf8))
    parser.delegate = multicast
    #expect(gone == nil && parser.parse())
    #expect(log.entries == ["stays <a>"])
    withExtendedLifetime(stays) {}
  }

  @MainActor
  @Test func `N9 progress arrives while the file is being read, and grows`() async throws {
    try await Exchange.withShared(Exchange(label: "test")) {
      let folder = try ScratchFolder()
      let item = "<title>A</title><description>\(String(repeating: "x", count: 500))</description>"
      let items = String(repeating: "<item>\(item)</item>", count: 2_000)
      let path = try folder.write("f.xml", "<rss><channel>\(items)</channel></rss>")
      let meter = ProgressLog()
      let file = await XMLFeedLoader().load(path)
      #expect(file.feed?.articles.count == 1)
      await meter.drain()
      #expect(meter.seen.count > 5)
      #expect(meter.seen.allSatisfy { $0.path == path })
      #expect(meter.seen.compactMap(\.fraction) == meter.seen.compactMap(\.fraction).sorted())
      #expect(meter.seen.last?.articles ?? 0 > 1_000)
    }
  }

  /// Keeps what it hears of progress.
  @MainActor
  private final class ProgressLog {
    private(set) var seen: [LoadProgress] = []
    private var waiter: CheckedContinuation<Void, Never>?

    init() {
      Channel.progress.listen(for: self) { log, progress in
        log.seen.append(progress)
        if progress.path.isEmpty { log.waiter?.resume() }
      }
    }

    /// Waits until everything that was posted before has arrived.
    func drain() async {
      await withCheckedContinuation { continuation in
        waiter = continuation
        // Queues up behind them, or is delivered at once if there are none.
        Channel.progress.post(LoadProgress(path: "", fraction: nil, articles: 0))
      }
      seen.removeAll { $0.path.isEmpty }
    }
  }
}
