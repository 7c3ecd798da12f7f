import Foundation
import JunctorMacros
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A multicast of a protocol that is declared elsewhere.
final class ParserTargets: NSObject, XMLParserDelegate, MulticastHolder {
  let targets = MulticastList<any XMLParserDelegate>()
  var multicastRegistry: MulticastRegistry { targets.registry }

  @Optional @Forwarded func parserDidStartDocument(_ parser: XMLParser)
  @Forwarded func parserDidEndDocument(_ parser: XMLParser)
  @Forwarded func parser(_ parser: XMLParser, foundCharacters string: String)
  @Forwarded func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String])
  @Forwarded func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error)
}

final class ElementCollector: NSObject, XMLParserDelegate {
  var names: [String] = []
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String]
  ) { names.append(elementName) }
}

final class TextCollector: NSObject, XMLParserDelegate {
  var text = ""
  var ended = false
  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
  func parserDidEndDocument(_ parser: XMLParser) { ended = true }
}

/// The same for data that arrives on a session's queue.
final class SessionTargets: NSObject, URLSessionDataDelegate, Sendable {
  let listeners = MulticastList<any URLSessionDataDelegate>()

  @Forwarded(to: "listeners")
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

  @Forwarded(to: "listeners")
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

final class DataCollector: NSObject, URLSessionDataDelegate, Sendable {
  let bytes = Atomic<Int>(0)
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    bytes.wrappingAdd(data.count, ordering: .relaxed)
  }
}

/// Waits for the end of a task.
final class EndListener: NSObject, URLSessionDataDelegate, Sendable {
  private let ended: AsyncStream<String?>
  private let signal: AsyncStream<String?>.Continuation

  override init() { (ended, signal) = AsyncStream.makeStream() }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) { signal.yield(error.map { "\($0)" }) }

  func error() async -> String? {
    for await error in ended { return error }
    return "there was no end"
  }
}

/// Answers every request with five bytes, and needs no network for it.
final class CannedProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "canned" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}
  override func startLoading() {
    guard let url = request.url else { return }
    let response = URLResponse(
      url: url, mimeType: nil, expectedContentLength: 5, textEncodingName: nil)
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data([1, 2, 3]))
    client?.urlProtocol(self, didLoad: Data([4, 5]))
    client?.urlProtocolDidFinishLoading(self)
  }
}

/// A protocol with results that somebody else declared.
protocol Judge: AnyObject {
  func score(_ name: String) -> Int
  func verdict() async throws -> String?
  func accepts(_ name: String) throws -> Bool
}

final class Jury: Judge {
  let targets = MulticastList<any Judge>()
  @Returns(.reduce { $0 + $1 }, fallback: 0) @Forwarded func score(_ name: String) -> Int
  @Forwarded func verdict() async throws -> String?
  @Forwarded(onError: .stop) @Returns(.every, fallback: false)
  func accepts(_ name: String) throws -> Bool
}

final class Juror: Judge {
  let points: Int
  init(_ points: Int) { self.points = points }
  func score(_ name: String) -> Int { points }
  func verdict() async throws -> String? { "\(points)" }
  func accepts(_ name: String) throws -> Bool {
    if points < 0 { throw Mishap(number: points) }
    return points > 1
  }
}

@Suite struct ForwardedTests {
  @Test func `D14 several objects listen to one XML parse`() {
    let all = ParserTargets()
    let elements = ElementCollector()
    let text = TextCollector()
    all.targets.add(elements)
    all.targets.add(text)
    let parser = XMLParser(data: Data("<a>x<b>y</b></a>".utf8))
    parser.delegate = all
    #expect(parser.parse())
    #expect(elements.names == ["a", "b"])
    #expect(text.text == "xy")
    #expect(text.ended)
    #expect(all.count == 2)
  }

  @Test func `D14 a session's data reaches all listeners`() throws {
    let all = SessionTargets()
    let one = DataCollector()
    let two = DataCollector()
    all.listeners.add(one)
    all.listeners.add(two)
    let session = URLSession(configuration: .ephemeral)
    let task = session.dataTask(with: try #require(URL(string: "file:///")))
    all.urlSession(session, dataTask: task, didReceive: Data([1, 2, 3]))
    all.urlSession(session, task: task, didCompleteWithError: nil)
    #expect(one.bytes.load(ordering: .relaxed) == 3)
    #expect(two.bytes.load(ordering: .relaxed) == 3)
    session.invalidateAndCancel()
  }

  @Test func `D14 a session that loads something tells all listeners on its queue`() async throws {
    let all = SessionTargets()
    let data = DataCollector()
    let ends = [EndListener(), EndListener()]
    defer { withExtendedLifetime((data, ends)) {} }
    all.listeners.add(data)
    for end in ends { all.listeners.add(end) }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [CannedProtocol.self]
    let session = URLSession(configuration: configuration, delegate: all, delegateQueue: nil)
    session.dataTask(with: try #require(URL(string: "canned://five"))).resume()
    for end in ends { #expect(await end.error() == nil) }
    #expect(data.bytes.load(ordering: .relaxed) == 5)
    session.finishTasksAndInvalidate()
  }

  @Test func `D9 forwarded methods combine answers like the others`() async throws {
    let jury = Jury()
    #expect(jury.score("a") == 0)
    #expect(try await jury.verdict() == nil)
    let jurors = [1, 2, 3].map(Juror.init)
    defer { withExtendedLifetime(jurors) {} }
    for juror in jurors { jury.targets.add(juror) }
    #expect(jury.score("a") == 6)
    #expect(try await jury.verdict() == "3")
    #expect(try !jury.accepts("a"))
    let angry = Juror(-1)
    defer { withExtendedLifetime(angry) {} }
    jury.targets.add(angry)
    #expect(throws: Mishap(number: -1)) { try jury.accepts("a") }
  }
}
