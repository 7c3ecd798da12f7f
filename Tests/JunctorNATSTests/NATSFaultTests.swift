#if NATS
  import Foundation
  import JunctorChannels
  import JunctorCore
  import JunctorNATS
  import JunctorTesting
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct NATSFaultTests {
    @Test func `B4 a server that is absent at the start is waited for`() async throws {
      let server = try await TestServer()
      server.kill()
      let (node, other) = (server.node(), server.node())
      let recorder = ChannelRecorder(other.orders)
      let receiver = try other.bridge(.atLeastOnce(durable: "b"))
      let bridge = try node.bridge(.atLeastOnce(durable: "a"))
      #expect(node.orders.post(Order(number: 1)).queued == 1)
      #expect(!node.nats.state.isConnected)
      try await server.start()
      try await receiver.ready()
      try await node.orders.send(Order(number: 2))
      _ = await recorder.wait(for: 1)
      #expect(Set(recorder.messages.map(\.number)).isSubset(of: [1, 2]))
      await bridge.close()
      await receiver.close()
      #expect(bridge.status.confirmed == 2)
    }

    @Test
    func `B3 accepted is delivered: 100 000 messages, the server killed and paused meanwhile`()
      async throws
    {
      let server = try await TestServer()
      // A server that is paused is found by what it does not answer.
      let notice: (inout NATSOptions) -> Void = { $0.pingInterval = .milliseconds(500) }
      let (node, other) = (server.node(notice), server.node(notice))
      let count = 100_000
      let seen = Seen(count)
      let subscription = other.orders.listen { seen.add($0.number) }
      let receiver = try other.bridge(.atLeastOnce(durable: "b")) {
        $0.redeliverAfter = .seconds(2)
      }
      let bridge = try node.bridge(.atLeastOnce(durable: "a")) { $0.direction = .outgoing }
      try await receiver.ready()
      async let accepted = node.orders.sendEach(0..<count, tasks: 512)
      await seen.wait(for: count / 5)
      try await server.restart()
      await seen.wait(for: 2 * count / 5)
      server.pause(true)
      // Time passes for everybody else: the connection is given up as lost.
      while node.nats.state.isConnected { await Task.yield() }
      server.pause(false)
      await seen.wait(for: 3 * count / 5)
      try await server.restart()
      #expect(try await accepted == count)
      await seen.wait(for: count)
      await seen.expectEachOnce(bridge, receiver)
      subscription.cancel()
    }

    @Test func `B4 cut in the middle, at most once, what is missing is counted`() async throws {
      let server = try await TestServer(keeps: false)
      let (node, other) = (server.node(), server.node())
      let recorder = ChannelRecorder(other.orders)
      let receiver = try other.bridge()
      let bridge = try node.bridge()
      try await receiver.ready()
      try await node.orders.send(Order(number: 0))
      _ = await recorder.wait(for: 1)
      server.kill()
      while node.nats.state.isConnected || other.nats.state.isConnected { await Task.yield() }
      // The receiver stays away; the sender is back and goes on.
      for number in 1...10 { node.orders.post(Order(number: number)) }
      try await server.start()
      try await other.nats.connected()
      try await node.nats.connected()
      var number = 11
      while recorder.messages.last?.number ?? 0 < 11 {
        try await node.orders.send(Order(number: number))
        number += 1
      }
      await bridge.close()
      await receiver.close()
      let heard = recorder.messages.map(\.number)
      let highest = try #require(heard.last)
      #expect(heard == heard.sorted())
      #expect(receiver.status.missed == UInt64(highest + 1 - heard.count))
    }

    @Test func `B4 a paused server delays nobody here`() async throws {
      let server = try await TestServer()
      let node = server.node()
      let bridge = try node.bridge(.atLeastOnce(durable: "a"))
      try await node.orders.send(Order(number: 0))
      server.pause(true)
      let recorder = ChannelRecorder(node.orders)
      for number in 1...1_000 { node.orders.post(Order(number: number)) }
      #expect(recorder.messages.count == 1_000)
      server.pause(false)
      try await node.orders.send(Order(number: 1_001))
      await bridge.close(within: .seconds(20))
      #expect(bridge.status.confirmed == 1_002)
    }

    @Test func `B4 a full stream refuses with a typed error, and nothing accepted is lost`()
      async throws
    {
      let server = try await TestServer()
      let limit: (inout NATSOptions) -> Void = { $0.storage.mostMessages = 10 }
      let (node, other) = (server.node(limit), server.node(limit))
      let early = try other.bridge(.atLeastOnce(durable: "b"))
      try await early.ready()
      await early.close()
      let bridge = try node.bridge(.atLeastOnce(durable: "a")) { $0.direction = .outgoing }
      var accepted: [Int] = []
      try await Junctor.withDiagnostics({ _ in }) {
        for number in 0..<20 {
          let receipt = try await node.orders.send(Order(number: number))
          if let error = receipt.errors.first {
            #expect((error as? BridgeError)?.code == .streamFull)
          } else {
            accepted.append(number)
          }
        }
      }
      #expect(accepted.count == 10)
      #expect(bridge.status.refused == 10 && bridge.status.lastError?.code == .streamFull)
      let recorder = ChannelRecorder(other.orders)
      let late = try other.bridge(.atLeastOnce(durable: "b"))
      #expect(await recorder.wait(for: 10).map(\.number) == accepted)
      await late.close()
      await bridge.close()
    }

    @Test func `B4 without JetStream at least once is refused and at most once works`() async throws
    {
      let server = try await TestServer(keeps: false)
      let node = server.node()
      try await Junctor.withDiagnostics({ _ in }) {
        let bridge = try node.bridge(.atLeastOnce(durable: "a"))
        await #expect(throws: BridgeError.self) { try await bridge.ready() }
        let receipt = try await node.orders.send(Order(number: 1))
        #expect((receipt.errors.first as? BridgeError)?.code == .noStream)
        await bridge.close()
        let plain = try node.bridge()
        #expect(try await node.orders.send(Order(number: 2)).errors.isEmpty)
        await plain.close()
      }
    }

    @Test func `B4 wrong credentials end in a typed error, right ones do not`() async throws {
      let server = try await TestServer(keeps: false, ["--user", "ada", "--pass", "engine"])
      let wrong = server.node { $0.credentials = .user("ada", password: "motor") }
      let bridge = try wrong.bridge()
      await expect(.unauthorized) { try await bridge.ready() }
      await expect(.unauthorized) { try await wrong.nats.connected() }
      guard case .failed(let error) = bridge.status.connection else {
        Issue.record("the state is \(bridge.status.connection)")
        return
      }
      #expect(!error.message.contains("motor"))
      try await Junctor.withDiagnostics({ _ in }) {
        let receipt = try await wrong.orders.send(Order(number: 1))
        #expect((receipt.errors.first as? BridgeError)?.code == .unauthorized)
      }
      let right = server.node { $0.credentials = .user("ada", password: "engine") }
      try await right.nats.connected()
      await bridge.close()
    }

    private func expect(_ code: BridgeError.Code, _ body: () async throws -> Void) async {
      do {
        try await body()
        Issue.record("no error, where \(code) was expected")
      } catch {
        #expect((error as? BridgeError)?.code == code, "\(error)")
      }
    }

    @Test
    func `B4 a message of more than a megabyte is refused by name, and the next goes through`()
      async throws
    {
      let server = try await TestServer()
      let (node, other) = (server.node(), server.node())
      try await node.nats.connected()
      let recorder = ChannelRecorder(other.orders)
      let large = Order(number: 1, item: String(repeating: "x", count: 1_200_000))
      let below = Order(number: 2, item: String(repeating: "y", count: 900_000))
      for promise in [BridgePromise.atMostOnce, .atLeastOnce(durable: "a")] {
        let receiver = try other.bridge(
          promise.isAtLeastOnce ? .atLeastOnce(durable: "b") : promise)
        try await receiver.ready()
        let bridge = try node.bridge(promise) { $0.direction = .outgoing }
        try await Junctor.withDiagnostics({ _ in }) {
          let receipt = try await node.orders.send(large)
          #expect((receipt.errors.first as? BridgeError)?.code == .tooLarge)
        }
        _ = recorder.clear()
        #expect(try await node.orders.send(below).errors.isEmpty)
        #expect(await recorder.wait(for: 1) == [below])
        #expect(bridge.status.refused == 1 && bridge.status.confirmed == 1)
        await bridge.close()
        await receiver.close()
      }
    }

    @Test func `B4 garbage, unknown types and schemas are counted, and what is good arrives`()
      async throws
    {
      let server = try await TestServer()
      let (node, other) = (server.node(), server.node())
      let recorder = ChannelRecorder(other.orders)
      let good = Array("{\"number\":1,\"item\":\"a\"}".utf8)
      let type = String(reflecting: Order.self)
      for kept in [false, true] {
        let promise: BridgePromise = kept ? .atLeastOnce(durable: "b") : .atMostOnce
        let bridge = try other.bridge(promise) { $0.readableSchemas = 2...3 }
        try await bridge.ready()
        try await node.nats.connected()
        _ = recorder.clear()
        let garbage = (0..<300).map { _ in UInt8.random(in: .min ... .max) }
        for (text, mark) in [
          (garbage, "1;o;1;0;2;\(type)"), (good, "nonsense"), (good, "1;o;2;0;2;Unknown"),
          (good, "1;o;3;0;1;\(type)"), (good, "1;o;4;0;4;\(type)"), (garbage, "1;o;5;9;2;\(type)"),
          (good, "1;o;14;0;3;\(type)"),
        ] {
          #expect(await node.publish(text, headers: ["Junctor": mark], kept: kept) == nil)
        }
        #expect(await recorder.wait(for: 1).map(\.number) == [1])
        await bridge.close()
        let status = bridge.status
        #expect(status.undecodable == 11 && status.wrongType == 1 && status.unreadableSchema == 2)
        #expect(status.delivered == 1)
        #expect(status.lastError != nil)
      }
    }

    @Test func `B4 a slow consumer loses at most once what does not fit, and it is counted`()
      async throws
    {
      let server = try await TestServer(keeps: false)
      let (node, other) = (server.node(), server.node())
      let listener = StuckListener(to: other.orders)
      let receiver = try other.bridge()
      try await receiver.ready()
      let bridge = try await node.eagerBridge()
      for number in 0..<100_000 { node.orders.post(Order(number: number)) }
      try await node.orders.send(Order(number: 100_000))
      while receiver.status.overrun == 0 { await Task.yield() }
      listener.goOn()
      // What has not come when it is closed would be neither received nor lost.
      let end = ContinuousClock.now + .seconds(120)
      while ContinuousClock.now < end {
        let status = receiver.status
        if status.received + status.overrun >= 100_001 { break }
        await Task.yield()
      }
      await bridge.close()
      await receiver.close()
      listener.cancel()
      let status = receiver.status
      #expect(status.received + status.overrun == 100_001)
      #expect(status.delivered == status.received)
      #expect(status.missed <= status.overrun)
    }
  }
#endif
