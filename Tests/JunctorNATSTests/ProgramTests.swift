#if NATS
  import Foundation
  import JunctorChannels
  import JunctorNATS
  import Testing

  /// The programs that use a bridge, as a user meets them.
  @Suite(.timeLimit(.minutes(5))) struct ProgramTests {
    @Test func `W5 what is posted is heard: the tool, a program, and the tool again`() async throws
    {
      let server = try await TestServer()
      let tool = Child.program("junctor")
      let listener = try Child(tool, ["listen", server.url, "shop.>", "--count", "3"])
      #expect(await listener.line("Listening to") != nil, "\(listener.lines)")
      let poster = try Child(
        tool, ["post", server.url, "shop.orders", #"{"number":1,"item":"a"}"#])
      #expect(await poster.status() == 0, "\(poster.lines)")
      let lines = try Child(tool, ["post", server.url, "shop.returns", "-"], takesInput: true)
      lines.send("one line")
      #expect(await lines.status() == 0, "\(lines.lines)")
      let node = server.node()
      let bridge = try node.bridge()
      try await node.orders.send(Order(number: 2))
      await bridge.close()
      #expect(await listener.status() == 0)
      let heard = Set(listener.lines.dropFirst())
      #expect(heard.count == 3, "\(heard)")
      #expect(heard.contains("shop.orders\t{\"number\":1,\"item\":\"a\"}"), "\(heard)")
      #expect(heard.contains("shop.returns\tone line"), "\(heard)")
      #expect(
        heard.contains { $0.hasPrefix("shop.orders\t") && $0.contains("\"number\":2") }, "\(heard)")
    }

    @Test func `W5 a durable listener has at its next start what was posted meanwhile`()
      async throws
    {
      let server = try await TestServer()
      let tool = Child.program("junctor")
      let words = ["listen", server.url, "shop.orders", "--durable", "audit", "--count", "1"]
      for number in 1...2 {
        let first = number == 1 ? try Child(tool, words) : nil
        if let first { #expect(await first.line("Listening to") != nil, "\(first.lines)") }
        let poster = try Child(
          tool, ["post", server.url, "shop.orders", "\(number)", "--promise", "least"])
        #expect(await poster.status() == 0, "\(poster.lines)")
        let listener = try first ?? Child(tool, words)
        #expect(await listener.status() == 0)
        #expect(listener.lines.last == "shop.orders\t\(number)", "\(listener.lines)")
      }
    }

    @Test func `W5 a bridge is measured between two processes`() async throws {
      let server = try await TestServer()
      let bench = try Child(
        Child.program("junctor"), ["bench", server.url, "--messages", "5000", "--size", "64"])
      #expect(await bench.status() == 0, "\(bench.lines)")
      #expect(bench.lines.contains { $0.hasPrefix("client\t5000\t") }, "\(bench.lines)")
      #expect(bench.lines.contains { $0.hasPrefix("bridge\t5000\t") }, "\(bench.lines)")
    }

    // MARK: - The Newsreader

    private func feed(in folder: URL) throws -> String {
      let items = ["One", "Two", "Three"].map {
        "<item><title>\($0)</title><guid>\($0)</guid></item>"
      }
      let path = folder.appendingPathComponent("feed.xml").path
      try Data(
        "<rss version=\"2.0\"><channel><title>Feed</title>\(items.joined())</channel></rss>".utf8
      ).write(to: URL(fileURLWithPath: path))
      return path
    }

    private func reader(_ name: String, _ server: TestServer, _ feed: String) throws -> Child {
      try Child(
        Child.program("Newsreader"),
        [
          "--state", server.folder.appendingPathComponent("\(name).json").path, "--nats",
          server.url, feed,
        ], takesInput: true)
    }

    /// Asks a reader to count until the answer fits: what others mark comes when it comes.
    private func counts(_ answer: String, _ reader: Child) async -> Bool {
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        let known = reader.lines.count { $0.hasPrefix("articles") }
        reader.send("count")
        while reader.lines.count(where: { $0.hasPrefix("articles") }) == known {
          guard ContinuousClock.now < end else { return false }
          await Task.yield()
        }
        if reader.lines.last(where: { $0.hasPrefix("articles") }) == answer { return true }
      }
      return false
    }

    @Test func `N7 two readers keep their marks in step, also when one was away`() async throws {
      let server = try await TestServer()
      let feed = try feed(in: server.folder)
      let early = try reader("b", server, feed)
      early.send("count")
      #expect(await early.line("articles") == "articles 3 unread 3 archived 0", "\(early.lines)")
      #expect(await early.status() == 0, "\(early.lines)")
      // One marks while the other is away.
      let first = try reader("a", server, feed)
      first.send("mark 1 read")
      first.send("count")
      #expect(await first.line("articles") == "articles 3 unread 2 archived 0", "\(first.lines)")
      #expect(await first.status() == 0, "\(first.lines)")
      let second = try reader("b", server, feed)
      #expect(await counts("articles 3 unread 2 archived 0", second), "\(second.lines)")
      // Now both are there.
      let third = try reader("a", server, feed)
      third.send("open 2")
      third.send("archive")
      third.send("count")
      #expect(await third.line("articles") == "articles 3 unread 1 archived 1", "\(third.lines)")
      #expect(await third.status() == 0, "\(third.lines)")
      second.send("list")
      #expect(await counts("articles 3 unread 1 archived 1", second), "\(second.lines)")
      #expect(await second.status() == 0, "\(second.lines)")
      // The marks are in its file: they are there without the server.
      server.kill()
      let last = try Child(
        Child.program("Newsreader"),
        ["--state", server.folder.appendingPathComponent("b.json").path, feed], takesInput: true)
      last.send("count")
      #expect(await last.line("articles") == "articles 3 unread 1 archived 1", "\(last.lines)")
      #expect(await last.status() == 0)
    }

    @Test func `N7 without a server one line says so, and the reader works`() async throws {
      let server = try await TestServer()
      server.kill()
      let reader = try reader("a", server, try feed(in: server.folder))
      reader.send("mark 1 read")
      reader.send("count")
      #expect(await reader.line("articles") == "articles 3 unread 2 archived 0", "\(reader.lines)")
      #expect(await reader.status() == 1)
      #expect(reader.lines.contains { $0.contains("Can't keep marks in step") })
      #expect(reader.lines.contains { $0.contains("Can't tell other readers of 1 mark:") })
    }
  }
#endif
