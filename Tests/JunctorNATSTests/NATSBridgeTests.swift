#if NATS
  import Foundation
  import JunctorChannels
  import JunctorCore
  import JunctorNATS
  import JunctorTesting
  import Synchronization
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct NATSBridgeTests {
    @Test func `B1 three processes hear each other, and nobody himself`() async throws {
      let server = try await TestServer(keeps: false)
      let nodes = (0..<3).map { _ in server.node() }
      let recorders = nodes.map { ChannelRecorder($0.orders) }
      let bridges = try nodes.map { try $0.bridge() }
      for bridge in bridges { try await bridge.ready() }
      for (index, node) in nodes.enumerated() {
        for number in 0..<100 { node.orders.post(Order(number: 100 * index + number)) }
      }
      for recorder in recorders {
        let numbers = await recorder.wait(for: 300).map(\.number)
        #expect(Set(numbers) == Set(0..<300))
        for index in 0..<3 {
          let own = numbers.filter { $0 / 100 == index }
          #expect(own == own.sorted(), "one sender's messages changed places")
        }
      }
      for bridge in bridges {
        await bridge.close()
        #expect(bridge.status.missed == 0 && bridge.status.delivered == 200)
      }
      for recorder in recorders { #expect(recorder.messages.count == 300) }
    }

    @Test func `B3 two real processes, at most once and at least once`() async throws {
      let server = try await TestServer()
      for options in [[:], ["durable": "listener"]] {
        let listener = try server.peer("listen", options.merging(["count": "200"]) { $1 })
        #expect(await listener.line("ready") != nil, "\(listener.lines)")
        let poster = try server.peer(
          "post", options.isEmpty ? ["to": "200"] : ["to": "200", "durable": "poster"])
        #expect(await poster.line("accepted") == "accepted 200", "\(poster.lines)")
        #expect(await listener.line("done") == "done 200 0 0", "\(listener.lines.suffix(3))")
        #expect(listener.heard == Array(0..<200))
      }
    }

    @Test func `B6 of a group of three processes each message goes to one`() async throws {
      let server = try await TestServer()
      let members = try (0..<3).map { _ in
        try server.peer("listen", ["durable": "workers", "group": "workers"])
      }
      for member in members { #expect(await member.line("ready") != nil) }
      let poster = try server.peer("post", ["durable": "poster", "to": "300"])
      #expect(await poster.line("accepted") == "accepted 300")
      while members.reduce(0, { $0 + $1.heard.count }) < 300 { await Task.yield() }
      #expect(members.flatMap(\.heard).sorted() == Array(0..<300))
      #expect(members.allSatisfy { !$0.heard.isEmpty })
    }

    @Test func `B5 a subscriber killed between handling and acknowledging loses nothing`()
      async throws
    {
      let server = try await TestServer()
      let options = ["durable": "listener", "redeliver": "1000"]
      let first = try server.peer("listen", options.merging(["stop": "40"]) { $1 })
      #expect(await first.line("ready") != nil, "\(first.lines)")
      let poster = try server.peer("post", ["durable": "poster", "to": "100"])
      #expect(await poster.line("accepted") == "accepted 100")
      // It has handled number 40 and not said so.
      #expect(await first.line("heard 40") != nil)
      first.end()
      let second = try server.peer("listen", options)
      for number in 40..<100 {
        #expect(await second.line { $0 == "heard \(number)" } != nil, "\(second.lines)")
      }
      #expect(first.heard == Array(0...40))
      // Twice comes what was in hand when it died, and what it had said of those before may have died with it.
      #expect(second.heard.filter { $0 >= 40 }.sorted() == Array(40..<100))
      #expect(Set(second.heard).count == second.heard.count)
    }

    @Test func `B6 requests are answered across processes, and nobody is told from no time`()
      async throws
    {
      let server = try await TestServer(keeps: false)
      let (asker, answerer) = (server.node(), server.node())
      func channel(_ node: NATSNode) -> RequestChannel<Order, String> {
        RequestChannel("shop.price", in: node.exchange)
      }
      var options = BridgeOptions()
      options.direction = .outgoing
      options.requestTimeout = .seconds(30)
      let bridge = try asker.exchange.bridge(channel(asker), over: asker.nats, options: options)
      try await asker.nats.connected()
      let price = channel(asker)
      await expect(.nobodyAnswered, price)
      let other = try answerer.exchange.bridge(channel(answerer), over: answerer.nats)
      try await other.ready()
      await expect(.nobodyAnswered, price)
      let answer = channel(answerer).answer { order in "\(order.item) \(order.number)" }
      #expect(try await price.request(Order(number: 3)) == "tea 3")
      answer.cancel()
      await bridge.close()
      options.requestTimeout = .milliseconds(300)
      let hasty = try asker.exchange.bridge(channel(asker), over: asker.nats, options: options)
      let kept = ChannelRecorder(channel(answerer).questions)
      await expect(.timedOut, price)
      kept.stop()
      _ = kept.clear()
      await hasty.close()
      await other.close()
    }

    private func expect(
      _ code: RequestError.Code, _ channel: RequestChannel<Order, String>
    ) async {
      do {
        let answer = try await channel.request(Order(number: 1))
        Issue.record("an answer: \(answer)")
      } catch {
        #expect((error as? RequestError)?.code == code)
      }
    }

    @Test func `B2 patterns go over the wire as the server's`() async throws {
      let server = try await TestServer()
      let (node, other) = (server.node(), server.node())
      let log = ChannelRecorder(Channel<String>("log", in: other.exchange))
      let subscription = other.exchange.listen(matching: ">") { message, envelope in
        guard envelope.isRemote else { return }
        Channel<String>("log", in: other.exchange).post("\(envelope.channelName) \(message)")
      }
      let bridges = try [node, other].enumerated().map { index, node in
        try node.exchange.bridge(
          matching: "account.*", of: Int.self, over: node.nats,
          promise: .atLeastOnce(durable: "n\(index)"))
      }
      for bridge in bridges { try await bridge.ready() }
      try await Channel<Int>("account.a", in: node.exchange).send(1)
      try await Channel<Int>("other.a", in: node.exchange).send(2)
      try await Channel<Int>("account.b", in: node.exchange).send(3)
      #expect(await log.wait(for: 2) == ["account.a 1", "account.b 3"])
      subscription.cancel()
      for bridge in bridges { await bridge.close() }
    }

    @Test func `B5 what is closed is gone, and connections with it`() async throws {
      let server = try await TestServer()
      let leaks = LeakCheck()
      do {
        let node = server.node()
        leaks.watch(node.nats)
        leaks.watch(node.exchange)
        let bridge = leaks.watch(try node.bridge(.atLeastOnce(durable: "a")))
        let other = try node.bridge()
        try await bridge.ready()
        try await node.orders.send(Order(number: 1))
        await bridge.close()
        await other.close()
        await node.nats.close()
      }
      // The client's threads let go a moment later.
      let end = ContinuousClock.now + .seconds(60)
      while !leaks.living.isEmpty, ContinuousClock.now < end { await Task.yield() }
      leaks.expectNone()
    }

    @Test func `B3 a process that was away hears on its return what was posted meanwhile`()
      async throws
    {
      let server = try await TestServer()
      let (node, first) = (server.node(), server.node())
      let early = try first.bridge(.atLeastOnce(durable: "away"))
      try await early.ready()
      await early.close()
      await first.nats.close()
      let bridge = try node.bridge(.atLeastOnce(durable: "home"))
      for number in 0..<50 { try await node.orders.send(Order(number: number)) }
      let second = server.node()
      let recorder = ChannelRecorder(second.orders)
      let late = try second.bridge(.atLeastOnce(durable: "away"))
      #expect(await recorder.wait(for: 50).map(\.number) == Array(0..<50))
      await late.close()
      await bridge.close()
    }
  }
#endif
