import Dispatch
import JunctorBridge
import JunctorChannels
import JunctorTesting
import Synchronization
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
    options.requestTimeout = .seconds(600)
    let start = ContinuousClock.now
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
    #expect(.now - start < .seconds(300), "one who was told that nobody answers waited for more")
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

  @Test func `B6 what the one who answers throws is told in its own process and in no other`()
    async throws
  {
    struct Broken: Error, CustomStringConvertible {
      let description = "the password is 'motor'"
    }
    final class Unsayable: Codable, Sendable {
      init() {}
      func encode(to encoder: any Encoder) throws { throw Broken() }
    }
    let (asker, answerer) = (Node(server), Node(server))
    let asked = RequestChannel<Int, Unsayable>("secrets", in: asker.exchange)
    let answered = RequestChannel<Int, Unsayable>("secrets", in: answerer.exchange)
    var options = BridgeOptions()
    options.direction = .outgoing
    let out = try asker.exchange.bridge(asked, over: asker.engine, options: options)
    let into = try answerer.exchange.bridge(answered, over: answerer.engine)
    let answer = answered.answer { number in
      if number == 1 { throw Broken() }
      return Unsayable()
    }
    for (number, code, words) in [
      (1, BridgeError.Code.refused, "the one who answers failed"),
      (2, .unencodable, "the answer can't be encoded"),
    ] {
      do {
        _ = try await asked.request(number)
        Issue.record("an answer")
      } catch {
        let told = "\(error) \((error as? RequestError)?.cause ?? error)"
        #expect(told.contains(words) && !told.contains("motor"), "\(told)")
      }
      #expect(into.status.lastError?.code == code)
      #expect(into.status.lastError?.message.contains("motor") == true)
    }
    answer.cancel()
    await out.close()
    await into.close()
  }

  @Test func `B5 closing waits for the answers that are under way`() async throws {
    let (asker, answerer) = (Node(server), Node(server))
    var options = BridgeOptions()
    options.direction = .outgoing
    let out = try asker.exchange.bridge(channel(asker), over: asker.engine, options: options)
    let into = try answerer.exchange.bridge(channel(answerer), over: answerer.engine)
    let queue = DispatchQueue(label: "held")
    queue.suspend()
    let answer = channel(answerer).answer(on: .queue(queue)) { _ in "late" }
    async let reply = channel(asker).request(Order(number: 1))
    while into.status.received == 0 { await Task.yield() }
    let delivered = Mutex<UInt64?>(nil)
    let closing = Task {
      await into.close(within: .seconds(60))
      delivered.withLock { $0 = into.status.delivered }
    }
    for _ in 0..<1_000 { await Task.yield() }
    queue.resume()
    #expect(try await reply == "late")
    await closing.value
    #expect(delivered.withLock { $0 } == 1)
    answer.cancel()
    await out.close()
  }
}
