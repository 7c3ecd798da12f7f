import JunctorBridge
import JunctorChannels
import JunctorTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestBridgeTests {
  private let server = MemoryServer()

  private func channel(_ node: Node) -> RequestChannel<Order, String> {
    RequestChannel("shop.price", in: node.exchange)
  }

  private func code(_ channel: RequestChannel<Order, String>) async -> RequestError.Code? {
    do {
      let answer = try await channel.request(Order(number: 3))
      Issue.record("an answer: \(answer)")
      return nil
    } catch {
      return (error as? RequestError)?.code
    }
  }

  @Test func `B6 a request is answered in another process`() async throws {
    let (asker, answerer) = (Node(server), Node(server))
    var options = BridgeOptions()
    options.direction = .outgoing
    let bridges = [
      try asker.exchange.bridge(channel(asker), over: asker.engine, options: options),
      try answerer.exchange.bridge(channel(answerer), over: answerer.engine),
    ]
    let answer = channel(answerer).answer { order in "\(order.item) \(order.number)" }
    #expect(try await channel(asker).request(Order(number: 3)) == "tea 3")
    answer.cancel()
    for bridge in bridges { await bridge.close() }
    #expect(bridges[0].status.confirmed == 1)
    #expect(bridges[1].status.delivered == 1 || bridges[1].status.received == 1)
  }

  @Test func `B6 who answers here is asked first and alone`() async throws {
    let (asker, answerer) = (Node(server), Node(server))
    let bridges = try [asker, answerer].map {
      try $0.exchange.bridge(channel($0), over: $0.engine)
    }
    let answers = [
      channel(asker).answer { _ in "here" }, channel(answerer).answer { _ in "there" },
    ]
    #expect(try await channel(asker).request(Order(number: 3)) == "here")
    #expect(bridges[1].status.received == 0)
    for answer in answers { answer.cancel() }
    for bridge in bridges { await bridge.close() }
  }

  @Test func `B6 nobody, nobody with an answer, and no time are told apart`() async throws {
    let (asker, answerer) = (Node(server), Node(server))
    var options = BridgeOptions()
    options.direction = .outgoing
    options.requestTimeout = .seconds(30)
    let bridge = try asker.exchange.bridge(channel(asker), over: asker.engine, options: options)
    #expect(await code(channel(asker)) == .nobodyAnswered)
    let other = try answerer.exchange.bridge(channel(answerer), over: answerer.engine)
    #expect(await code(channel(asker)) == .nobodyAnswered)
    let declines = channel(answerer).answer { _ in nil }
    #expect(await code(channel(asker)) == .nobodyAnswered)
    declines.cancel()
    struct Broken: Error {}
    let throwing = channel(answerer).answer { _ in throw Broken() }
    #expect(await code(channel(asker)) == .refused)
    throwing.cancel()
    await bridge.close()
    options.requestTimeout = .milliseconds(100)
    let hasty = try asker.exchange.bridge(channel(asker), over: asker.engine, options: options)
    let kept = ChannelRecorder(channel(answerer).questions)
    #expect(await code(channel(asker)) == .timedOut)
    kept.stop()
    _ = kept.clear()
    await hasty.close()
    await other.close()
  }
}
