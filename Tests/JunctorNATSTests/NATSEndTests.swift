#if NATS
  import Dispatch
  import JunctorChannels
  import JunctorCore
  import JunctorTesting
  import Synchronization
  import Testing

  @testable import JunctorNATS

  /// How connections and subscriptions end, whatever the network and the listeners do meanwhile.
  @Suite(.timeLimit(.minutes(5))) struct NATSEndTests {
    @Test(arguments: [false, true])
    func `B4 what a stuck listener has not had when its bridge is closed is counted`(
      goesOn: Bool
    ) async throws {
      let server = try await TestServer(keeps: false)
      let (node, other) = (server.node(), server.node())
      let listener = StuckListener(to: other.orders)
      let receiver = try other.bridge()
      try await receiver.ready()
      let bridge = try await node.eagerBridge()
      let count: UInt64 = 70_001
      for number in 1..<Int(count) { node.orders.post(Order(number: number)) }
      try await node.orders.send(Order(number: 0))
      let limit = goesOn ? Duration.seconds(120) : .milliseconds(200)
      let closing = Task { await receiver.close(within: limit) }
      if goesOn {
        // Once others hear nothing more of it, it is being closed.
        while receiver.status.overrun == 0 { await Task.yield() }
        listener.goOn()
      }
      await closing.value
      if !goesOn { listener.goOn() }
      while receiver.status.received + receiver.status.overrun < count { await Task.yield() }
      let status = receiver.status
      #expect(status.received + status.overrun == count)
      #expect(status.overrun >= (goesOn ? 1 : 60_000))
      listener.cancel()
      await bridge.close()
    }

    @Test(arguments: [BridgePromise.atMostOnce, .atLeastOnce(durable: "a")])
    func `B5 closing on a server that stands still ends in time`(promise: BridgePromise)
      async throws
    {
      let server = try await TestServer()
      let node = server.node()
      let bridge = try node.bridge(promise)
      try await bridge.ready()
      try await node.orders.send(Order(number: 0))
      server.pause(true)
      let large = Order(number: 1, item: String(repeating: "x", count: 500_000))
      // More than the sockets hold, so that whoever writes has to wait.
      for _ in 0..<40 { node.orders.post(large) }
      let start = ContinuousClock.now
      await bridge.close(within: .milliseconds(500))
      #expect(.now - start < .seconds(5))
      await node.nats.close()
      #expect(.now - start < .seconds(15))
      server.pause(false)
    }

    @Test func `B5 whoever closes a connection a second time waits for the same end`() async throws
    {
      let server = try await TestServer(keeps: false)
      let (node, other) = (server.node(), server.node())
      let gate = DispatchSemaphore(value: 0)
      let heard = Mutex(0)
      let subscription = other.orders.listen { _ in
        gate.wait()
        heard.withLock { $0 += 1 }
      }
      let receiver = try other.bridge()
      try await receiver.ready()
      let bridge = try node.bridge { $0.batch = 1 }
      for number in 0..<3 { try await node.orders.send(Order(number: number)) }
      while receiver.status.received == 0 { await Task.yield() }
      let counts = Mutex<[Int]>([])
      let close: @Sendable () async -> Void = {
        await other.nats.close()
        counts.withLock { $0.append(heard.withLock { $0 }) }
      }
      let closing = (0..<2).map { _ in Task { await close() } }
      for _ in 0..<2_000 { await Task.yield() }
      for _ in 0..<3 { gate.signal() }
      for task in closing { await task.value }
      #expect(counts.withLock { $0 } == [3, 3])
      subscription.cancel()
      await bridge.close()
      await receiver.close()
    }

    /// Publishes two frames of which somebody waits to hear: the server is asked about the first, and the second waits for
    /// the end of that.
    private func publishTwo(
      _ nats: NATSConnection, told: @escaping @Sendable (BridgeError?) -> Void
    ) async {
      for _ in 0..<2 {
        while nats.inside.withLock({ !$0.flushers.isEmpty }) { await Task.yield() }
        nats.publish(BridgeFrame(subject: "a"), .atMostOnce, isAwaited: true, completion: told)
      }
    }

    @Test func `B4 whoever waits for the server is told when the connection goes`() async throws {
      let server = try await TestServer(keeps: false)
      let told = Mutex<[BridgeError.Code?]>([])
      do {
        let nats = server.connect { $0.confirmTimeout = .milliseconds(300) }
        try await nats.connected()
        server.pause(true)
        await publishTwo(nats) { error in told.withLock { $0.append(error?.code) } }
      }
      while told.withLock({ $0.count < 2 }) { await Task.yield() }
      #expect(told.withLock { $0 } == [.unconfirmed, .unconfirmed])
      server.pause(false)
    }

    @Test func `B3 what was lost with its connection is not told as had by the next server`()
      async throws
    {
      let server = try await TestServer(keeps: false)
      let nats = server.connect { $0.confirmTimeout = .seconds(60) }
      try await nats.connected()
      server.pause(true)
      let told = Mutex<[BridgeError.Code?]>([])
      await publishTwo(nats) { error in told.withLock { $0.append(error?.code) } }
      try await server.restart()
      while told.withLock({ $0.count < 2 }) { await Task.yield() }
      #expect(told.withLock { $0 } == [.unconfirmed, .unconfirmed])
      await nats.close()
    }

    @Test func `B5 whoever waits for a subscription is told when the connection goes`()
      async throws
    {
      let server = try await TestServer(keeps: false)
      server.kill()
      let route = server.connect().subscribe(BridgeSubscription(subject: "a")) { _ in }
      let error = await #expect(throws: BridgeError.self) { try await route.ready() }
      #expect(error?.code == .closed)
    }

    @Test func `B5 what a connection was to keep is forgotten with the bridges that wanted it`()
      async throws
    {
      let server = try await TestServer()
      let node = server.node()
      let kept = { node.nats.inside.withLock { $0.kept.count } }
      for number in 0..<10 {
        let channel = Channel<Int>("c\(number)", in: node.exchange)
        let bridges = try ["a", "b"].map {
          try node.exchange.bridge(channel, over: node.nats, promise: .atLeastOnce(durable: $0))
        }
        try await channel.send(number)
        await bridges[0].close()
        #expect(kept() == 1)
        await bridges[1].close()
        #expect(kept() == 0)
      }
      await node.nats.close()
    }

    @Test func `B5 a subscription may be looked at, closed and let go by many at once`()
      async throws
    {
      let server = try await TestServer(keeps: false)
      let nats = server.connect()
      try await nats.connected()
      let before = NATSRegistry.routeCount
      for round in 0..<40 {
        let route = nats.subscribe(BridgeSubscription(subject: "a.\(round)")) { _ in }
        try await route.ready()
        await withTaskGroup { group in
          for task in 0..<4 {
            group.addTask {
              for _ in 0..<50 { _ = route.dropped }
              if task < 2 { await route.close(within: .seconds(30)) }
              for _ in 0..<50 { _ = route.dropped }
            }
          }
          for _ in 0..<5 {
            _ = await withCheckedContinuation { continuation in
              nats.publish(
                BridgeFrame(subject: "a.\(round)"), .atMostOnce, isAwaited: false
              ) { continuation.resume(returning: $0) }
            }
          }
        }
        #expect(route.dropped == 0)
      }
      #expect(NATSRegistry.routeCount <= before)
      await nats.close()
    }
  }
#endif
