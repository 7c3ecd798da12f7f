import Foundation
import JunctorCore
import JunctorWiring
import Testing

@testable import JunctorTool

struct WatchAddressTests {
  @Test func `W5 the URL that a program printed is taken apart`() throws {
    let address = try WatchAddress("http://127.0.0.1:8642/?token=0af3")
    #expect(address.host == "127.0.0.1")
    #expect(address.port == 8642)
    #expect(address.token == "0af3")
    #expect(address.shown == "127.0.0.1:8642")
    #expect(try WatchAddress("http://localhost?token=a").port == 80)
    #expect(try WatchAddress("http://[::1]:99/?x=1&token=a#top").shown == "[::1]:99")
    #expect(try WatchAddress("http://[::1]:99/?x=1&token=a#top").token == "a")
  }

  @Test(arguments: [
    ("", "does not begin with 'http://'"), ("127.0.0.1:1/?token=a", "does not begin"),
    ("https://127.0.0.1:1/?token=a", "does not begin"),
    ("http://127.0.0.1:1/?token=a\r\nX: y", "does not begin"),
    ("http://127.0.0.1:1/", "has no token"), ("http://127.0.0.1:1/?token=", "has no token"),
    ("http:///?token=a", "has no host and port"), ("http://h:0/?token=a", "has no host and port"),
    ("http://h:99999/?token=a", "has no host and port"),
    ("http://u@h/?token=a", "has no host and port"), ("http://h:1x/?token=a", "has no host"),
    ("http://[::1/?token=a", "has no host"),
    ("http://h:1/page?token=a", "leads to another page"),
  ])
  func `W5 any other address is a wrong call`(url: String, cause: String) {
    let error = #expect(throws: UsageError.self) { try WatchAddress(url) }
    #expect(error?.message.contains(cause) == true)
    #expect(error?.message.hasPrefix("Can't run 'junctor watch': the URL ") == true)
  }
}

struct WatchViewTests {
  @Test func `W5 the list shows what is joined, what is wrong, and how much is counted`() {
    let text = WatchView().lines(model()).joined(separator: "\n")
    #expect(
      text == """
        junctor · 127.0.0.1:1
        8 nodes, 4 edges, 3 warnings · 10.0 events/s

        Channels
          app         exchange  alive                    2 joined
          articleRead channel   alive                    2 joined · called 40 +10.0/s · posted 20 +5.0/s
        ! 進捗        channel   nobody listens           0 joined
        Delegates
        ! parser      multicast has no target            0 joined
        Services
          app         services  alive                    1 joined
        ! FeedLoader  service   failed: no network␊today 1 joined
        and 2 objects

        History
          post 'articleRead' → 2 1.5 µs Kit/File.swift:3
          drop '進捗'
        """)
  }

  @Test(arguments: [(20, 5), (40, 12), (60, 24), (80, 24), (200, 50), (3, 3), (1, 1)])
  func `W5 no line is wider and none is more than the terminal has`(width: Int, height: Int) {
    var view = WatchView(width: width, height: height, showsKeys: true)
    for isProblemsOnly in [false, true] {
      view.isProblemsOnly = isProblemsOnly
      for offset in [0, 3, 1_000] {
        view.offset = offset
        let lines = view.lines(model())
        #expect(lines.count == height)
        for line in lines { #expect(TextWidth.of(line) <= width, "\(line)") }
      }
    }
  }

  @Test func `W5 scrolling ends where the list does`() {
    var view = WatchView(width: 80, height: 8, showsKeys: true)
    #expect(view.limit(model()) == 5)
    view.offset = 5
    #expect(view.lines(model()).contains { $0.contains("and 2 objects") })
    view.height = 50
    #expect(view.limit(model()) == 0)
  }

  @Test func `W5 colours are escape sequences around lines, and none without them`() {
    var view = WatchView(width: 80, height: 24, showsKeys: true)
    #expect(!view.lines(model()).joined().contains("\u{1B}"))
    view.isColoured = true
    let lines = view.lines(model())
    #expect(
      lines.contains { $0.hasPrefix("\u{1B}[1;31m! FeedLoader") && $0.hasSuffix("\u{1B}[0m") })
    #expect(lines.contains { $0.hasPrefix("\u{1B}[33m! parser") })
  }

  @Test func `W5 escape sequences in labels never reach the terminal`() {
    var model = WatchModel(address: "h:1")
    let evil = "\u{1B}]0;hacked\u{07}\u{9B}2J\u{202E}"
    model.take(
      WatchClient.Sample(
        wiring: Wiring(nodes: [
          .init(
            id: .init(1), kind: .channel, label: evil, state: .failed(evil), counters: [evil: 1])
        ]), events: 0, time: .now))
    _ = model.take(
      .history(
        [.init(number: 1, kind: "post", label: evil, site: evil, microseconds: nil, count: 0)],
        missed: 0))
    let text = WatchView(width: 200, height: 40).lines(model).joined()
    for scalar in text.unicodeScalars {
      #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
      #expect(scalar != "\u{202E}")
    }
  }

  @Test func `W5 what was renumbered is still known, and counters that begin anew have no rate`() {
    func node(_ id: Int, _ label: String, _ posted: UInt64) -> Wiring.Node {
      Wiring.Node(id: .init(id), kind: .channel, label: label, counters: ["posted": posted])
    }
    var model = WatchModel(address: "h:1")
    let start = ContinuousClock.now
    model.take(
      .init(wiring: Wiring(nodes: [node(1, "a", 10), node(2, "b", 10)]), events: 0, time: start))
    #expect(model.rows.map(\.counters.first?.rate) == [nil, nil])
    model.take(
      .init(
        wiring: Wiring(nodes: [node(1, "new", 1), node(2, "b", 3), node(3, "a", 14)]), events: 0,
        time: start + .seconds(2)))
    #expect(model.rows.map(\.counters.first?.rate) == [nil, 0, 2])
  }

  @Test func `W5 only so many events are kept, and those that are lost are counted`() {
    var model = WatchModel(address: "h:1")
    for batch in 0..<50 {
      let events = (0..<10).map { place in
        WatchEvent(
          number: UInt64(batch * 10 + place), kind: "post", label: "x", site: nil,
          microseconds: nil, count: 0)
      }
      let hasChanged = model.take(.history(events, missed: 3))
      #expect(!hasChanged)
    }
    #expect(model.events.count == WatchModel.eventLimit)
    #expect(model.events.last?.number == 499)
    #expect(model.missed == 150)
    let hasChanged = model.take(.wiring)
    #expect(hasChanged)
  }

  private func model() -> WatchModel {
    var model = WatchModel(address: "127.0.0.1:1")
    let start = ContinuousClock.now
    model.take(.init(wiring: wiring(read: 10), events: 100, time: start))
    model.take(.init(wiring: wiring(read: 20), events: 120, time: start + .seconds(2)))
    _ = model.take(
      .history(
        [
          .init(
            number: 1, kind: "post", label: "articleRead", site: "Kit/File.swift:3",
            microseconds: 1.5, count: 2),
          .init(number: 2, kind: "drop", label: "進捗", site: nil, microseconds: nil, count: 0),
        ], missed: 0))
    return model
  }

  private func wiring(read: UInt64) -> Wiring {
    Wiring(
      nodes: [
        .init(id: .init(1), kind: .exchange, label: "app"),
        .init(
          id: .init(2), kind: .channel, label: "articleRead", parent: .init(1),
          counters: ["posted": read, "called": 2 * read]),
        .init(id: .init(3), kind: .channel, label: "進捗", parent: .init(1)),
        .init(id: .init(4), kind: .multicast, label: "parser"),
        .init(id: .init(5), kind: .serviceSet, label: "app"),
        .init(
          id: .init(6), kind: .service, label: "FeedLoader", parent: .init(5),
          state: .failed("no network\ntoday")),
        .init(id: .init(7), kind: .object, label: "List"),
        .init(id: .init(8), kind: .object, label: "Badge"),
      ],
      edges: [
        .init(from: .init(2), to: .init(7), kind: .listens),
        .init(from: .init(2), to: .init(8), kind: .listens),
        .init(from: .init(5), to: .init(6), kind: .provides),
        .init(from: .init(7), to: .init(8), kind: .init("knows")),
      ])
  }
}

struct WatchEventsTests {
  @Test(arguments: [1, 2, 3, 7, 1_000])
  func `W5 the stream is read whatever pieces it comes in`(size: Int) throws {
    let text = """
      HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 1000\nevent: hello\ndata: {}\n
      event: history\ndata: {"events":[{"count":2,"kind":"post","label":"é\\n","milliseconds":1,"number":7}],"missed":4}\n
      :\n
      event: missed\ndata: 9\n
      event: wiring\ndata: {}\n\n
      """
    var events = WatchEvents()
    var found: [WatchEvents.Message] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      found += try events.append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    let event = WatchEvent(
      number: 7, kind: "post", label: "é\n", site: nil, microseconds: nil, count: 2)
    #expect(found == [.history([event], missed: 4), .history([], missed: 9), .wiring])
  }

  @Test(arguments: [
    "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n", "hello\r\n\r\n",
    "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: history\ndata: {\n\n",
    String(repeating: "x", count: WatchEvents.limit + 1),
  ])
  func `W5 what is no such stream is refused`(text: String) {
    var events = WatchEvents()
    #expect(throws: WatchEvents.UnreadableStream.self) { try events.append(Array(text.utf8)) }
  }
}
