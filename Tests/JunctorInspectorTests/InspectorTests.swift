#if Inspector
  import CJunctorInspector
  import Foundation
  import JunctorChannels
  import JunctorTool
  import JunctorWiring
  import Synchronization
  import Testing

  @testable import JunctorCore
  @testable import JunctorInspector

  /// One after the other: ports, descriptors and the browser are shared.
  @Suite(.serialized)
  enum InspectorSuite {}

  extension InspectorSuite {
    final class ServerTests {
      private let scene = Scene()
      /// Those that must not go before the test is over.
      private let kept = Mutex<[Inspector]>([])

      @Test func `W4 with the token the page and the documents are served`() throws {
        let (inspector, token) = try started()
        let page = PlainClient.get(inspector.port, "/?token=\(token)")
        #expect(page.hasPrefix("HTTP/1.1 200"))
        #expect(page.contains("Content-Type: text/html; charset=utf-8"))
        #expect(page.contains("Content-Security-Policy: default-src 'none'; script-src 'nonce-"))
        #expect(page.contains("X-Content-Type-Options: nosniff"))
        #expect(page.contains("Referrer-Policy: no-referrer"))
        #expect(!page.contains("http://www.w3.org/1999"))
        let wiring = PlainClient.get(inspector.port, "/wiring.json?token=\(token)")
        let body = try #require(wiring.range(of: "\r\n\r\n")).upperBound
        #expect(try Wiring(json: String(wiring[body...])).edges.count >= 0)
        #expect(
          PlainClient.get(inspector.port, "/state.json?token=\(token)").contains("\"findings\":"))
      }

      @Test func `W4 the documents show what the process has now`() throws {
        let inspector = try Inspector.start()
        let path = "/wiring.json?" + (inspector.url.split(separator: "?").last ?? "")
        let source = Source(label: "live-\(Identifier.next())")
        #expect(PlainClient.get(inspector.port, path).contains(source.label))
        source.leave()
        // A document may be a few tenths of a second old.
        var isShown = true
        let deadline = ContinuousClock.now + .seconds(20)
        while isShown, ContinuousClock.now < deadline {
          isShown = PlainClient.get(inspector.port, path).contains(source.label)
        }
        #expect(!isShown)
      }

      @Test(arguments: [
        "", "?token=", "?token=0", "?token=%00", "?other=1", "?token=TOKENx", "?token=xTOKEN",
      ])
      func `W4 without the token nothing is told, not even what there is`(query: String) throws {
        let (inspector, token) = try started()
        for path in ["/", "/wiring.json", "/state.json", "/events", "/none"] {
          let answer = PlainClient.get(inspector.port, path + query.replacing("TOKEN", with: token))
          #expect(answer.hasPrefix("HTTP/1.1 403"))
          #expect(!answer.contains(token))
        }
      }

      @Test func `W4 every start has a token of its own, of 128 bits`() throws {
        let tokens = try (0..<5).map { _ in try started().1 }
        #expect(Set(tokens).count == 5)
        for token in tokens { #expect(token.count == 32) }
      }

      @Test(arguments: ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW"])
      func `W4 only GET is answered`(method: String) throws {
        let (inspector, token) = try started()
        let answer = PlainClient.answer(
          inspector.port,
          "\(method) /?token=\(token) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 405"))
        #expect(answer.contains("Allow: GET"))
      }

      @Test
      func
        `W4 bodies, long lines, odd paths and noise are refused, and the next request is served`()
        throws
      {
        let (inspector, token) = try started()
        let body = PlainClient.answer(
          inspector.port,
          "GET /?token=\(token) HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
        )
        #expect(body.hasPrefix("HTTP/1.1 413"))
        let long = PlainClient.get(inspector.port, "/" + String(repeating: "a", count: 100_000))
        #expect(long.hasPrefix("HTTP/1.1 414") || long.hasPrefix("HTTP/1.1 431") || long.isEmpty)
        let headers = PlainClient.answer(
          inspector.port,
          "GET /?token=\(token) HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 20_000))\r\n"
        )
        #expect(!headers.hasPrefix("HTTP/1.1 200"))
        #expect(
          PlainClient.get(inspector.port, "/../../etc/passwd?token=\(token)").hasPrefix(
            "HTTP/1.1 404"))
        PlainClient(port: inspector.port)?.send("\u{0}\u{1}\u{2}noise\r\n\r\n")
        #expect(PlainClient.get(inspector.port, "/?token=\(token)").hasPrefix("HTTP/1.1 200"))
      }

      @Test func `W4 it listens on the loopback interface only`() throws {
        let (inspector, _) = try started()
        for address in try otherAddresses() {
          #expect(PlainClient(port: inspector.port, address: address) == nil)
        }
        // The whole of 127.0.0.0/8 is this machine; only the one address is listened on.
        #expect(PlainClient(port: inspector.port, address: "127.0.0.2") == nil)
        #expect(PlainClient(port: inspector.port) != nil)
      }

      @Test func `W4 open to the network, it says so loudly`() throws {
        let said = Mutex<[Diagnostic]>([])
        let inspector = try Junctor.withDiagnostics({ diagnostic in
          said.withLock { $0.append(diagnostic) }
        }) { try Inspector.start(isOpenToNetwork: true) }
        let diagnostics = said.withLock { $0 }
        #expect(diagnostics.map(\.code) == [.init("inspector.open")])
        #expect(diagnostics.first?.message.contains("it listens on every interface") == true)
        #expect(PlainClient(port: inspector.port, address: "127.0.0.2") != nil)
      }

      @Test func `W4 a port that is taken is an error that says so`() throws {
        let (inspector, _) = try started()
        let error = #expect(throws: InspectorError.self) {
          try Inspector.start(port: inspector.port)
        }
        #expect(error?.code == .portTaken)
        #expect(
          error?.message
            == "Can't start the inspector on port '\(inspector.port)': another program listens there. Use another port, or 0 for any that is free."
        )
        #expect(PlainClient(port: inspector.port) != nil)
      }

      @Test func `W4 it starts again on the same port, with streams open at its end`() throws {
        var (inspector, token) = try started()
        let port = inspector.port
        for _ in 0..<10 {
          let streams = try (0..<5).map { _ in try stream(port, token) }
          inspector.stop()
          for stream in streams { #expect(stream.read(until: "\u{0}").contains("\u{0}") == false) }
          #expect(PlainClient(port: port) == nil)
          (inspector, token) = try started(port)
        }
      }

      @Test func `W4 stopping twice, and dropping it, close it`() throws {
        let port: UInt16
        do {
          let (inspector, _) = try started()
          port = inspector.port
          inspector.stop()
          inspector.stop()
          let again = try Inspector.start(port: port, feed: scene.feed)
          #expect(PlainClient(port: again.port) != nil)
        }
        #expect(PlainClient(port: port) == nil)
      }

      @Test func `W4 events arrive as they happen`() throws {
        let (inspector, token) = try started()
        let stream = try stream(inspector.port, token)
        let label = "event-\(Identifier.next()) \"<b>\n"
        scene.record(.post, label, site: SourceSite(), count: 2)
        let text = stream.read(until: "\"kind\":\"post\"")
        #expect(text.contains("event: history\ndata: {\"events\":[{\"count\":2,"))
        #expect(text.contains("\\\"<b>\\n\""))
      }

      @Test func `W4 a change of the wiring is told to open pages`() throws {
        let (inspector, token) = try started()
        let stream = try stream(inspector.port, token)
        scene.set { $0.nodes[3].label = "changed" }
        #expect(stream.read(until: "event: wiring").contains("event: wiring"))
      }

      @Test func `W4 200 open streams change nothing for the program or for another page`() throws {
        let (inspector, token) = try started()
        let streams = try (0..<200).map { _ in try stream(inspector.port, token) }
        #expect(PlainClient.get(inspector.port, "/?token=\(token)").hasPrefix("HTTP/1.1 200"))
        #expect(
          PlainClient.get(inspector.port, "/wiring.json?token=\(token)").hasPrefix("HTTP/1.1 200"))
        let label = "two-hundred-\(Identifier.next())"
        scene.record(.post, label)
        for stream in streams { #expect(stream.read(until: label).contains(label)) }
      }

      @Test func `W4 too many streams are refused, counted, and served again when others close`()
        throws
      {
        let (inspector, token) = try started()
        var streams = try (0..<256).map { _ in try stream(inspector.port, token) }
        let refused = PlainClient.get(inspector.port, "/events?token=\(token)")
        #expect(refused.hasPrefix("HTTP/1.1 503"))
        var isCounted = false
        var deadline = ContinuousClock.now + .seconds(20)
        while !isCounted, ContinuousClock.now < deadline {
          let answer = PlainClient.get(inspector.port, "/state.json?token=\(token)")
          isCounted = answer.contains("\"refused\":1")
        }
        #expect(isCounted)
        streams.removeAll()
        // The server finds the closed ones when it next speaks to them.
        var isServed = false
        deadline = ContinuousClock.now + .seconds(20)
        while !isServed, ContinuousClock.now < deadline {
          scene.record(.call, "knock")
          _ = PlainClient.get(inspector.port, "/wiring.json?token=\(token)")
          let client = try #require(PlainClient(port: inspector.port))
          client.send("GET /events?token=\(token) HTTP/1.1\r\nHost: a\r\n\r\n")
          isServed = client.read().hasPrefix("HTTP/1.1 200")
        }
        #expect(isServed)
      }

      @Test func `W4 clients that never finish asking take nothing from the program, and give way`()
        throws
      {
        let (inspector, token) = try started()
        var clients = (0..<400).compactMap { _ in PlainClient(port: inspector.port) }
        #expect(clients.count > 300)
        for client in clients { client.send("GET /?token=") }
        // The program is as before, and so is the server for those who come when they have gone.
        scene.record(.post, "meanwhile")
        clients.removeAll()
        var isServed = false
        let deadline = ContinuousClock.now + .seconds(30)
        while !isServed, ContinuousClock.now < deadline {
          isServed = PlainClient.get(inspector.port, "/?token=\(token)").hasPrefix("HTTP/1.1 200")
        }
        #expect(isServed)
      }

      @Test func `W4 the token is compared whole, whatever it begins or ends with`() throws {
        let (inspector, token) = try started()
        let (first, last) = (token.first == "0" ? "1" : "0", token.last == "0" ? "1" : "0")
        let wrong = [
          String(token.dropLast()), String(token.dropFirst()), token + token,
          first + token.dropFirst(),
          token.dropLast() + last, token.uppercased() + " ", String(repeating: token, count: 100),
        ]
        for given in wrong.map({ $0.replacing(" ", with: "%20") }) {
          let answer = PlainClient.get(inspector.port, "/?token=\(given)")
          #expect(answer.hasPrefix("HTTP/1.1 403"), "\(given)")
        }
        #expect(PlainClient.get(inspector.port, "/?token=\(token)").hasPrefix("HTTP/1.1 200"))
      }

      @Test func `W4 an inspector shows what the mechanisms of this process do, as it happens`()
        throws
      {
        let inspector = try Inspector.start()
        let token = String(inspector.url.split(separator: "=").last ?? "")
        let stream = try stream(inspector.port, token)
        let channel = Channel<Int>("inspected-\(Identifier.next())", in: Exchange())
        channel.post(1)
        #expect(stream.read(until: channel.name).contains(channel.name))
        let wiring = PlainClient.get(inspector.port, "/wiring.json?token=\(token)")
        #expect(wiring.contains(channel.name))
        #expect(wiring.contains("\"posted\" : 1"))
      }

      @Test func `W5 the tool watches a real inspector, and says when the token is another's`()
        async throws
      {
        let (inspector, token) = try started()
        let written = Mutex("")
        let environment = ToolEnvironment(
          print: { text in written.withLock { $0 += text } },
          complain: { text in written.withLock { $0 += text } })
        #expect(await Tool.run(["watch", "--once", inspector.url], in: environment) == 0)
        let text = written.withLock { $0 }
        #expect(
          text.contains("junctor · 127.0.0.1:\(inspector.port)\n4 nodes, 3 edges, 0 warnings\n"))
        #expect(text.contains("articleRead channel  alive 2 joined · posted 3"))
        written.withLock { $0 = "" }
        let other = inspector.url.replacing(token, with: String(token.reversed()) + "0")
        #expect(await Tool.run(["watch", "--once", other], in: environment) == 1)
        #expect(written.withLock { $0.contains("it refuses the token") })
      }

      @Test func `W4 a reader that never reads misses messages, and the others miss none`() throws {
        let server = try InspectorServer(port: 0, isOpen: false)
        defer { server.stop() }
        let lazy = try stream(server.port, server.token)
        let eager = try stream(server.port, server.token)
        let data = String(repeating: "x", count: 60_000)
        for number in 1...600 {
          server.append(event: "number", "\(number) \(data)")
          server.tick()
          #expect(eager.read(until: "\n\n").contains("data: \(number) "))
        }
        #expect(lazy.read(until: "event: missed", ticking: server).contains("event: missed"))
        #expect(server.demand().missed > 0)
      }

      @Test func `W4 a batch that is too much is skipped and counted, and the newest arrive`()
        throws
      {
        let (inspector, token) = try started()
        let stream = try stream(inspector.port, token)
        for _ in 0..<5_000 { scene.record(.delivery, "flood") }
        scene.record(.call, "the very last")
        var text = stream.read(until: "the very last")
        if !text.hasSuffix("\n\n") { text += stream.read(until: "\n\n") }
        #expect(text.contains("the very last"))
        let shown = text.split(separator: "\"number\":").count - 1
        let missed = text.split(separator: "\"missed\":").dropFirst()
          .compactMap { Int($0.prefix { $0.isNumber }) }
        #expect(shown + missed.reduce(0, +) == 5_001)
        #expect(missed.contains { $0 > 0 })
        withExtendedLifetime(inspector) {}
      }

      @Test func `W4 names and labels can't become markup`() throws {
        let (inspector, token) = try started()
        scene.set { $0.nodes[3].label = "</script><script>alert(1)</script>" }
        let page = PlainClient.get(inspector.port, "/?token=\(token)")
        #expect(!page.contains("alert(1)"))
        let wiring = PlainClient.get(inspector.port, "/wiring.json?token=\(token)")
        #expect(wiring.contains("Content-Type: application/json"))
      }

      @Test func `W6 while nobody looks, no snapshot is taken`() throws {
        let (watched, token) = try started()
        _ = PlainClient.get(watched.port, "/wiring.json?token=\(token)")
        let afterOne = scene.count
        #expect(afterOne == 1)
        // Some ticks of both inspectors go by while this waits for a second, fresher document.
        for _ in 0..<20 { _ = PlainClient.get(watched.port, "/?token=\(token)") }
        #expect(scene.count == afterOne)
      }

      private func started(_ port: UInt16 = 0) throws -> (Inspector, String) {
        let inspector = try Inspector.start(port: port, feed: scene.feed)
        kept.withLock { $0.append(inspector) }
        return (inspector, String(inspector.url.split(separator: "=").last ?? ""))
      }

      /// Opens a stream; by HTTP 1.0, so that no sizes of chunks stand between the bytes.
      private func stream(_ port: UInt16, _ token: String) throws -> PlainClient {
        let client = try #require(PlainClient(port: port))
        client.send("GET /events?token=\(token) HTTP/1.0\r\nHost: localhost\r\n\r\n")
        #expect(client.read(until: "event: hello").contains("text/event-stream"))
        return client
      }

      private func otherAddresses() throws -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        // SAFETY: the list is freed after every address in it was copied.
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var found: [String] = []
        var next = unsafe list
        while let entry = unsafe next {
          unsafe next = entry.pointee.ifa_next
          guard let address = unsafe entry.pointee.ifa_addr,
            unsafe Int32(address.pointee.sa_family) == AF_INET
          else { continue }
          let text = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            unsafe String(cString: inet_ntoa($0.pointee.sin_addr))
          }
          if !text.hasPrefix("127.") { found.append(text) }
        }
        return found
      }
    }
  }

  /// A source of the process's wiring, with one channel.
  private final class Source: WiringSource {
    let label: String
    private let id = Mutex<UInt64>(0)

    init(label: String) {
      self.label = label
      let number = WiringRegistry.add(self)
      id.withLock { $0 = number }
    }

    func leave() { WiringRegistry.remove(id.withLock { $0 }) }

    func report(to builder: inout WiringBuilder) { _ = builder.add(.channel, label: label) }
  }
#endif
