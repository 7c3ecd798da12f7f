import Dispatch
import JunctorBridge
import JunctorChannels
import JunctorCore
import JunctorTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct BridgeTests {
  private let server = MemoryServer()

  @Test(arguments: [BridgePromise.atMostOnce, .atLeastOnce(durable: "x")])
  func `B1 a post in one process reaches listeners in all, once and in order`(
    promise: BridgePromise
  ) async throws {
    let nodes = (0..<3).map { Node(server, "node \($0)") }
    let recorders = nodes.map { ChannelRecorder($0.orders) }
    let bridges = try nodes.enumerated().map { index, node in
      try node.bridge(promise.isAtLeastOnce ? .atLeastOnce(durable: "n\(index)") : .atMostOnce)
    }
    for bridge in bridges { try await bridge.ready() }
    for number in 0..<500 { nodes[0].orders.post(Order(number: number)) }
    for recorder in recorders {
      let messages = await recorder.wait(for: 500)
      #expect(messages == (0..<500).map { Order(number: $0) })
    }
    for bridge in bridges { await bridge.close() }
    for recorder in recorders { #expect(recorder.messages.count == 500) }
    #expect(bridges[0].status.posted == 500)
    #expect(bridges[0].status.confirmed == 500)
    for bridge in bridges.dropFirst() {
      #expect(bridge.status.delivered == 500)
      #expect(bridge.status.missed == 0 && bridge.status.duplicates == 0)
      #expect(bridge.status.posted == 0)
    }
  }

  @Test func `B1 local delivery is neither delayed nor encoded, connected or not`() async throws {
    final class Secret: Codable, Sendable {
      init() {}
      func encode(to encoder: any Encoder) throws { throw CancellationError() }
    }
    server.setDown(true)
    let node = Node(server)
    let channel = Channel<Secret>("secrets", in: node.exchange)
    let bridge = try node.exchange.bridge(channel, over: node.engine)
    let recorder = ChannelRecorder(channel)
    let secret = Secret()
    let receipt = channel.post(secret)
    #expect(recorder.messages.first === secret)
    #expect(receipt.called == 1 && receipt.queued == 1)
    withExtendedLifetime(bridge) {}
  }

  @Test func `B1 C24 what is thrown at a message from elsewhere is reported, as no poster sees it`()
    async throws
  {
    struct Failure: Error {}
    let reported = Mutex<[String]>([])
    let handler = Junctor.diagnostics
    Junctor.diagnostics = { diagnostic in
      if diagnostic.message.contains("Failure") {
        reported.withLock { $0.append(diagnostic.code.rawValue) }
      }
    }
    defer { Junctor.diagnostics = handler }
    for isKept in [false, true] {
      let server = MemoryServer()
      let (node, other) = (Node(server), Node(server))
      let orders = Channel<Order>(
        "shop.orders", in: other.exchange, options: ChannelOptions(errors: .rethrowAfterAll))
      let bridges = [
        try node.bridge(isKept ? .atLeastOnce(durable: "one") : .atMostOnce),
        try other.bridge(isKept ? .atLeastOnce(durable: "other") : .atMostOnce),
      ]
      for bridge in bridges { try await bridge.ready() }
      for mode in [DeliveryMode.automatic, .deferred] {
        let token = orders.listen(on: mode) { _ in throw Failure() }
        node.orders.post(Order(number: 1))
        while reported.withLock({ $0.isEmpty }) { await Task.yield() }
        token.cancel()
        await token.ended()
        let codes = reported.withLock { codes in
          defer { codes = [] }
          return codes
        }
        #expect(codes == ["channels.listenerThrew"])
      }
      for bridge in bridges { await bridge.close() }
    }
  }

  @Test func `B1 nothing comes back to the process that it left`() async throws {
    // The server of this test has no other way to tell who sent what.
    let node = Node(server)
    let other = Node(server)
    let (here, there) = (ChannelRecorder(node.orders), ChannelRecorder(other.orders))
    let bridges = [try node.bridge(), try node.bridge(), try other.bridge()]
    node.orders.post(Order(number: 1))
    _ = await there.wait(for: 2)
    for bridge in bridges { await bridge.close() }
    #expect(here.messages == [Order(number: 1)])
    #expect(bridges[0].status.echoes == 2 && bridges[1].status.echoes == 2)
    #expect(bridges[2].status.echoes == 0)
  }

  @Test func `B1 what came from elsewhere is not sent on`() async throws {
    let (other, second) = (MemoryServer(), Node(server))
    let middle = Node(server)
    let far = Node(other)
    let bridges = [
      try second.bridge(), try middle.bridge(),
      try middle.exchange.bridge(middle.orders, over: MemoryEngine(other)), try far.bridge(),
    ]
    let recorder = ChannelRecorder(middle.orders)
    second.orders.post(Order(number: 1))
    _ = await recorder.wait(for: 1)
    for bridge in bridges { await bridge.close() }
    #expect(other.log.isEmpty)
  }

  @Test func `B1 who listens to this process alone never hears another`() async throws {
    let (node, other) = (Node(server), Node(server))
    let bridges = [try node.bridge(), try other.bridge()]
    let all = ChannelRecorder(node.orders)
    let local = ChannelRecorder(node.orders, from: Sender.local)
    node.orders.post(Order(number: 1))
    node.orders.post(Order(number: 2), from: bridges[0])
    other.orders.post(Order(number: 3))
    _ = await all.wait(for: 3)
    node.orders.post(Order(number: 4))
    #expect(local.messages.map(\.number) == [1, 2, 4])
    #expect(all.records.map(\.envelope.isRemote) == [false, false, true, false])
    for bridge in bridges { await bridge.close() }
  }

  @Test func `B1 a consumed message stays in its process`() async throws {
    let (node, other) = (Node(server), Node(server))
    let bridges = [try node.bridge(), try other.bridge()]
    let recorder = ChannelRecorder(other.orders)
    let subscription = node.orders.listen { order, envelope in
      if order.number == 1 { envelope.consume() }
    }
    node.orders.post(Order(number: 1))
    node.orders.post(Order(number: 2))
    #expect(await recorder.wait(for: 1).map(\.number) == [2])
    subscription.cancel()
    for bridge in bridges { await bridge.close() }
  }

  @Test func `B2 headers carry origin, sequence, type, schema and trace`() async throws {
    let (node, other) = (Node(server), Node(server))
    let bridges = [try node.bridge { $0.schema = 3 }, try other.bridge()]
    let traces = ChannelRecorder(Channel<String>("traces", in: other.exchange))
    let subscription = other.orders.listen { _ in
      let message = RemoteMessage.current
      Channel<String>("traces", in: other.exchange).post(
        "\(TraceContext.current ?? "-") \(message?.schema ?? -1) \(message?.attempt ?? -1)")
    }
    TraceContext.$current.withValue("00-abc-def-01") { _ = node.orders.post(Order(number: 1)) }
    #expect(await traces.wait(for: 1) == ["00-abc-def-01 3 1"])
    let frame = try #require(server.log.first)
    #expect(frame.subject == "junctor.shop.orders")
    #expect(frame.headers["traceparent"] == "00-abc-def-01")
    let mark = try #require(frame.headers["Junctor"].flatMap { MessageMark($0) })
    #expect(mark.sequence == 1 && mark.schema == 3 && mark.type == String(reflecting: Order.self))
    #expect(String(decoding: frame.payload, as: UTF8.self).contains("\"number\":1"))
    #expect(RemoteMessage.current == nil)
    subscription.cancel()
    for bridge in bridges { await bridge.close() }
  }

  @Test func `B2 patterns join all channels that match, and no others`() async throws {
    let (node, other) = (Node(server), Node(server))
    let bridges = try [node, other].map {
      try $0.exchange.bridge(matching: "account.*", of: Int.self, over: $0.engine)
    }
    let log = ChannelRecorder(Channel<String>("log", in: other.exchange))
    let subscription = other.exchange.listen(matching: ">") { message, envelope in
      guard envelope.isRemote else { return }
      Channel<String>("log", in: other.exchange).post("\(envelope.channelName) \(message)")
    }
    Channel<Int>("account.a", in: node.exchange).post(1)
    Channel<Int>("other.a", in: node.exchange).post(2)
    Channel<String>("account.a", in: node.exchange).post("3")
    Channel<Int>("account.b.c", in: node.exchange).post(4)
    Channel<Int>("account.b", in: node.exchange).post(5)
    #expect(await log.wait(for: 2) == ["account.a 1", "account.b 5"])
    subscription.cancel()
    for bridge in bridges { await bridge.close() }
    #expect(log.messages.count == 2)
  }

  @Test func `B3 'await' on a send says when the server has it`() async throws {
    let node = Node(server)
    let bridge = try node.bridge(.atLeastOnce(durable: "n"))
    try await node.orders.send(Order(number: 1))
    #expect(server.log.count == 1)
    server.setDown(true)
    let done = Mutex(false)
    let task = Task {
      try await node.orders.send(Order(number: 2))
      done.withLock { $0 = true }
    }
    while bridge.status.pending + bridge.status.inFlight == 0 { await Task.yield() }
    #expect(!done.withLock { $0 })
    server.setDown(false)
    try await task.value
    #expect(server.log.count == 2)
    await bridge.close()
  }

  @Test func `B3 a lost confirmation costs nothing and doubles nothing`() async throws {
    let (node, other) = (Node(server), Node(server))
    let bridges = [
      try node.bridge(.atLeastOnce(durable: "a")), try other.bridge(.atLeastOnce(durable: "b")),
    ]
    let recorder = ChannelRecorder(other.orders)
    server.state.withLock { $0.losesConfirmations = 20 }
    for number in 0..<100 { node.orders.post(Order(number: number)) }
    #expect(Set(await recorder.wait(for: 100).map(\.number)) == Set(0..<100))
    for bridge in bridges { await bridge.close() }
    #expect(recorder.messages.count == 100)
    #expect(bridges[0].status.resent >= 1)
    #expect(bridges[0].status.confirmed == 100)
  }

  @Test func `B3 a message is settled when the local listeners are done, elsewhere too`()
    async throws
  {
    let (node, other) = (Node(server), Node(server))
    let bridges = [
      try node.bridge(.atLeastOnce(durable: "a")),
      try other.bridge(.atLeastOnce(durable: "b")) { $0.redeliverAfter = .seconds(60) },
    ]
    let queue = DispatchQueue(label: "held")
    queue.suspend()
    let heard = ChannelRecorder(Channel<Int>("heard", in: other.exchange))
    let subscription = other.orders.listen(on: .queue(queue)) { order in
      Channel<Int>("heard", in: other.exchange).post(order.number)
    }
    try await node.orders.send(Order(number: 1))
    while bridges[1].status.received == 0 { await Task.yield() }
    let open = { self.server.state.withLock { $0.durables["b/junctor.shop.orders"]?.frames.count } }
    #expect(open() == 1)
    queue.resume()
    _ = await heard.wait(for: 1)
    while open() != 0 { await Task.yield() }
    subscription.cancel()
    for bridge in bridges { await bridge.close() }
  }

  @Test func `B3 what comes again is passed over, and settled`() async throws {
    let (node, other) = (Node(server), Node(server))
    let bridge = try other.bridge(.atLeastOnce(durable: "b"))
    let recorder = ChannelRecorder(other.orders)
    let sender = try node.bridge(.atLeastOnce(durable: "a"))
    try await node.orders.send(Order(number: 1))
    _ = await recorder.wait(for: 1)
    var frame = try #require(server.log.first)
    frame.messageID = "another"
    #expect(server.publish(frame, kept: true) == nil)
    try await node.orders.send(Order(number: 2))
    #expect(await recorder.wait(for: 2).map(\.number) == [1, 2])
    #expect(bridge.status.duplicates == 1)
    await sender.close()
    await bridge.close()
  }

  @Test func `B3 at most once, what was lost before it left shows as a gap`() async throws {
    let (node, other) = (Node(server), Node(server))
    let bridges = [try node.bridge { $0.buffer = 10 }, try other.bridge()]
    let recorder = ChannelRecorder(other.orders)
    node.orders.post(Order(number: 0))
    _ = await recorder.wait(for: 1)
    let diagnostics = Mutex<[Diagnostic]>([])
    Junctor.withDiagnostics({ diagnostic in diagnostics.withLock { $0.append(diagnostic) } }) {
      server.setDown(true)
      // The outbox learns of it from the server's news, which come after those before them.
      server.news.sync {}
      for number in 1...100 { node.orders.post(Order(number: number)) }
    }
    server.setDown(false)
    _ = await recorder.wait(for: 11)
    for bridge in bridges { await bridge.close() }
    #expect(recorder.messages.map(\.number) == [0] + Array(91...100))
    #expect(bridges[0].status.dropped == 90)
    #expect(bridges[1].status.missed == 90)
    #expect(diagnostics.withLock { $0.map(\.code.rawValue) }.contains("bridge.overflow"))
  }

  @Test func `B4 a full buffer refuses a post and holds a send back`() async throws {
    server.setDown(true)
    let node = Node(server)
    let bridge = try node.bridge(.atLeastOnce(durable: "a")) {
      $0.buffer = 3
      $0.batch = 1
    }
    server.news.sync {}
    let receipts = Junctor.withDiagnostics({ _ in }) {
      (0..<5).map { node.orders.post(Order(number: $0)) }
    }
    #expect(receipts.map(\.dropped) == [0, 0, 0, 1, 1])
    let task = Task { try await node.orders.send(Order(number: 9)) }
    server.setDown(false)
    let receipt = try await task.value
    #expect(receipt.errors.isEmpty)
    await bridge.close()
    #expect(server.log.count == 4)
    #expect(bridge.isBalanced)
  }

  @Test
  func `B4 what the server refuses is a typed error for who waits and a count for who does not`()
    async throws
  {
    let node = Node(server)
    let bridge = try node.bridge(.atLeastOnce(durable: "a"))
    server.state.withLock { $0.refusal = BridgeError(.streamFull, "Full.") }
    let codes = Mutex<[String]>([])
    try await Junctor.withDiagnostics({ diagnostic in
      codes.withLock { $0.append(diagnostic.code.rawValue) }
    }) {
      let receipt = try await node.orders.send(Order(number: 1))
      #expect((receipt.errors.first as? BridgeError)?.code == .streamFull)
      #expect(throws: BridgeError.self) { try receipt.throwIfFailed() }
    }
    node.orders.post(Order(number: 2))
    while bridge.status.refused < 2 { await Task.yield() }
    #expect(bridge.status.lastError?.code == .streamFull)
    server.state.withLock { $0.refusal = nil }
    #expect(try await node.orders.send(Order(number: 3)).errors.isEmpty)
    await bridge.close()
    #expect(bridge.status.confirmed == 1)
  }

  @Test func `B4 garbage, other types and other schemas are counted and cost nothing else`()
    async throws
  {
    let node = Node(server)
    let recorder = ChannelRecorder(node.orders)
    let bridge = try node.bridge(.atLeastOnce(durable: "a")) { $0.readableSchemas = 2...3 }
    func send(_ text: String, _ mark: String?) {
      let headers = mark.map { ["Junctor": $0] } ?? [:]
      _ = server.publish(
        BridgeFrame(subject: "junctor.shop.orders", headers: headers, payload: Array(text.utf8)),
        kept: true)
    }
    let type = String(reflecting: Order.self)
    let good = "{\"number\":1,\"item\":\"a\"}"
    send("no JSON", "1;o;1;0;2;\(type)")
    send(good, "9;o;1;0;2;\(type)")
    send(good, "1;o;2;0;2;Other.Type")
    send(good, "1;o;3;0;1;\(type)")
    send(good, "1;o;4;0;4;\(type)")
    send(good, "1;o;5;7;2;\(type)")
    send("{\"number\":5}", "1;o;12;0;2;\(type)")
    send("{\"number\":6,\"item\":\"new\",\"added\":true}", "1;o;13;0;3;\(type)")
    send("{\"number\":7,\"item\":\"bare\"}", nil)
    #expect(await recorder.wait(for: 2).map(\.number) == [6, 7])
    await bridge.close()
    let status = bridge.status
    #expect(status.undecodable == 10)
    #expect(status.wrongType == 1)
    #expect(status.unreadableSchema == 2)
    #expect(status.delivered == 2)
    #expect(server.state.withLock { $0.durables["a/junctor.shop.orders"]?.frames.count } == 0)
  }

  @Test func `B4 an older schema is read by a codec that knows it`() async throws {
    let node = Node(server)
    let codec = BridgeCodec<Order> { _ in
      []
    } decode: { bytes, schema in
      Order(number: Int(bytes[0]), item: schema == 1 ? "old" : "new")
    }
    let bridge = try node.exchange.bridge(node.orders, over: node.engine, codec: codec)
    let recorder = ChannelRecorder(node.orders)
    for schema in 1...2 {
      _ = server.publish(
        BridgeFrame(
          subject: "junctor.shop.orders",
          headers: ["Junctor": "1;o;\(schema);0;\(schema);\(String(reflecting: Order.self))"],
          payload: [9]), kept: false)
    }
    #expect(await recorder.wait(for: 2).map(\.item) == ["old", "new"])
    await bridge.close()
  }

  @Test func `B4 options without a meaning are refused by name`() throws {
    let node = Node(server)
    let changes: [(String, (inout BridgeOptions) -> Void)] = [
      ("buffer", { $0.buffer = 0 }), ("window", { $0.window = 0 }),
      ("window", { $0.window = 100_000 }), ("batch", { $0.batch = 0 }),
      ("group", { $0.group = "a b" }), ("group", { $0.group = "" }),
      ("redeliverAfter", { $0.redeliverAfter = .zero }),
    ]
    for (name, change) in changes {
      let error = #expect(throws: BridgeError.self) { _ = try node.bridge(.atMostOnce, change) }
      #expect(error?.code == .invalidOption)
      #expect(error?.message.contains("'\(name)'") == true)
    }
    #expect(throws: BridgeError.self) { _ = try node.bridge(.atLeastOnce(durable: "a.b")) }
  }

  @Test func `B5 closing drains what waits`() async throws {
    let (node, other) = (Node(server), Node(server))
    let receiver = try other.bridge(.atLeastOnce(durable: "b"))
    let recorder = ChannelRecorder(other.orders)
    let bridge = try node.bridge(.atLeastOnce(durable: "a"))
    for number in 0..<1_000 { node.orders.post(Order(number: number)) }
    await bridge.close()
    #expect(bridge.status.confirmed == 1_000)
    node.orders.post(Order(number: -1))
    #expect(await recorder.wait(for: 1_000).count == 1_000)
    await bridge.close()
    await receiver.close()
    #expect(bridge.status.posted == 1_000)
  }

  @Test func `B5 closing without a connection ends in time and says what was lost`() async throws {
    server.setDown(true)
    let node = Node(server)
    let bridge = try node.bridge(.atLeastOnce(durable: "a"))
    let task = Task { try await node.orders.send(Order(number: 1)) }
    while bridge.status.pending == 0 { await Task.yield() }
    await bridge.close(within: .milliseconds(50))
    let receipt = try await task.value
    #expect((receipt.errors.first as? BridgeError)?.code == .closed)
    #expect(bridge.status.dropped == 1)
  }

  @Test func `B5 a bridge that is let go stops, and leaves nothing behind`() async throws {
    let leaks = LeakCheck()
    do {
      let node = Node(server)
      let bridge = leaks.watch(try node.bridge())
      leaks.watch(node.exchange)
      leaks.watch(node.engine)
      node.orders.post(Order(number: 1))
      while bridge.status.confirmed == 0 { await Task.yield() }
    }
    while server.state.withLock({ !$0.subscribers.isEmpty }) { await Task.yield() }
    server.news.sync {}
    leaks.expectNone()
  }

  @Test func `B6 of a group one process handles a message, that which posts it first of all`()
    async throws
  {
    let poster = Node(server)
    let workers = (0..<3).map { Node(server, "worker \($0)") }
    let outgoing = try poster.bridge {
      $0.direction = .outgoing
      $0.batch = 1
    }
    let bridges = try workers.map { try $0.bridge { $0.group = "workers" } }
    let all = Mutex<[Int: Int]>([:])
    let done = ChannelRecorder(Channel<Int>("done", in: poster.exchange))
    let subscriptions = workers.map { worker in
      worker.orders.listen { order in
        all.withLock { $0[order.number, default: 0] += 1 }
        Channel<Int>("done", in: poster.exchange).post(order.number)
      }
    }
    for number in 0..<300 { poster.orders.post(Order(number: number)) }
    _ = await done.wait(for: 300)
    workers[0].orders.post(Order(number: 300))
    #expect(all.withLock { $0.count } == 301)
    await outgoing.close()
    for bridge in bridges { await bridge.close() }
    #expect(all.withLock { $0.values.allSatisfy { $0 == 1 } })
    #expect(bridges.allSatisfy { $0.status.missed == 0 && $0.status.received > 0 })
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `B4 the wiring shows bridges, their connection and what was counted`() async throws {
    let node = Node(server)
    let bridge = try node.bridge(.atLeastOnce(durable: "a"))
    try await node.orders.send(Order(number: 1))
    func found() -> (bridge: Wiring.Node?, connection: Wiring.Node?, edges: [Wiring.Edge]) {
      let wiring = Wiring.snapshot()
      let own = wiring.nodes.first {
        $0.kind == .bridge && $0.site?.fileID.hasSuffix("Node.swift") == true
          && $0.counters["confirmed"] == 1
      }
      let edge = wiring.edges.first { $0.kind == .bridges && $0.from == own?.id }
      return (
        own, wiring.nodes.first { $0.id == edge?.to },
        wiring.edges.filter { $0.to == own?.id || $0.from == own?.id }
      )
    }
    let connected = found()
    #expect(connected.bridge?.label == "shop.orders ⇄ memory")
    #expect(connected.connection?.kind == .connection)
    #expect(connected.connection?.state == .alive)
    #expect(connected.edges.map(\.kind.rawValue).sorted() == ["bridges over", "listens"])
    server.setDown(true)
    #expect(found().connection?.state == .paused)
    server.setDown(false)
    await bridge.close()
  }

  @Test func `B4 numbers from a stranger are counted to the end and no further`() async throws {
    let node = Node(server)
    let recorder = ChannelRecorder(node.orders)
    let bridge = try node.bridge()
    let highest = UInt64.max - UInt64(MessageBatch.largest)
    for (origin, number) in [("a", 1), ("a", highest), ("b", 1), ("b", highest)] {
      _ = server.publish(
        BridgeFrame(
          subject: "junctor.shop.orders",
          headers: ["Junctor": "1;\(origin);\(number);0;0;"],
          payload: Array("{\"number\":1,\"item\":\"a\"}".utf8)), kept: false)
    }
    _ = await recorder.wait(for: 4)
    await bridge.close()
    #expect(bridge.status.missed == UInt64.max)
  }

  @Test func `B2 a name that is no subject is refused when it is posted, the next goes through`()
    async throws
  {
    let node = Node(server)
    let bridge = try node.exchange.bridge(matching: "account.*", of: Int.self, over: node.engine)
    try await Junctor.withDiagnostics({ _ in }) {
      for name in ["account.a b", "account.a\r\nPING\r\n", "account."] {
        let receipt = try await Channel<Int>(name, in: node.exchange).send(1)
        #expect((receipt.errors.first as? BridgeError)?.code == .invalidName, "\(name)")
      }
    }
    #expect(try await Channel<Int>("account.b", in: node.exchange).send(2).errors.isEmpty)
    await bridge.close()
    #expect(server.log.map(\.subject) == ["junctor.account.b"])
    #expect(bridge.status.refused == 3 && bridge.status.confirmed == 1 && bridge.isBalanced)
  }

  @Test func `B2 a trace with control characters stays here`() async throws {
    let node = Node(server)
    let bridge = try node.bridge()
    for trace in ["00-a\r\nX: 1", "00-b"] {
      try await TraceContext.$current.withValue(trace) {
        _ = try await node.orders.send(Order(number: 1))
      }
    }
    await bridge.close()
    #expect(server.log.map { $0.headers["traceparent"] } == [nil, "00-b"])
  }

  @Test func `B5 closing does not wait for ever for a listener, whose message comes again`()
    async throws
  {
    let (node, other) = (Node(server), Node(server))
    let sender = try node.bridge(.atLeastOnce(durable: "a"))
    let receiver = try other.bridge(.atLeastOnce(durable: "b"))
    let queue = DispatchQueue(label: "held")
    queue.suspend()
    let subscription = other.orders.listen(on: .queue(queue)) { _ in }
    try await node.orders.send(Order(number: 1))
    while receiver.status.received == 0 { await Task.yield() }
    await receiver.close(within: .milliseconds(50))
    #expect(
      server.state.withLock { $0.durables["b/junctor.shop.orders"]?.frames.count } == 1)
    queue.resume()
    subscription.cancel()
    await sender.close(within: .seconds(Int64.max))
  }

  @Test func `B1 removing all listeners leaves the bridge`() async throws {
    let (node, other) = (Node(server), Node(server))
    let bridges = [try node.bridge(), try other.bridge()]
    let recorder = ChannelRecorder(other.orders)
    let subscription = node.orders.listen { _ in }
    #expect(node.orders.removeAllListeners() == 1)
    node.orders.post(Order(number: 1))
    #expect(await recorder.wait(for: 1).count == 1)
    subscription.cancel()
    for bridge in bridges { await bridge.close() }
  }

  @Test func `B1 messages travel together where many wait, and arrive as if alone`() async throws {
    server.setDown(true)
    let (node, other) = (Node(server), Node(server))
    let bridges = [try node.bridge(), try other.bridge()]
    server.news.sync {}
    let recorder = ChannelRecorder(other.orders)
    for number in 0..<2_000 { node.orders.post(Order(number: number)) }
    server.setDown(false)
    #expect(await recorder.wait(for: 2_000).map(\.number) == Array(0..<2_000))
    #expect(server.log.count < 50)
    #expect(bridges[1].status.missed == 0)
    for bridge in bridges { await bridge.close() }
  }
}
