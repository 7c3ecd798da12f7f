import Dispatch
import JunctorBridge
import JunctorChannels
import JunctorCore
import JunctorTesting
import Synchronization
import Testing

@testable import JunctorBridge

@Suite(.timeLimit(.minutes(5))) struct ClosingTests {
  private let server = MemoryServer()

  @Test func `B5 whoever closes a bridge a second time waits for the same end`() async throws {
    server.setDown(true)
    let node = Node(server)
    let bridge = try node.bridge(.atLeastOnce(durable: "a"))
    node.orders.post(Order(number: 1))
    let left = Mutex<[Int]>([])
    let close: @Sendable () async -> Void = {
      await bridge.close(within: .seconds(120))
      left.withLock { $0.append(bridge.status.pending + bridge.status.inFlight) }
    }
    let first = Task { await close() }
    // Once nobody takes what is posted any longer, the first has begun.
    while node.orders.post(Order(number: 2)).queued > 0 { await Task.yield() }
    let others = (0..<3).map { _ in Task { await close() } }
    for _ in 0..<2_000 { await Task.yield() }
    server.setDown(false)
    await first.value
    for other in others { await other.value }
    #expect(left.withLock { $0 } == [0, 0, 0, 0])
    await bridge.close()
  }

  @Test func `B5 a bridge lets go of what it had the engine care for`() async throws {
    let engine = PreparingEngine(server)
    let exchange = Exchange(label: "node")
    for number in 0..<20 {
      let bridge = try exchange.bridge(
        Channel<Int>("c\(number)", in: exchange), over: engine,
        promise: .atLeastOnce(durable: "a"))
      #expect(engine.prepared == 1)
      if number.isMultiple(of: 2) { await bridge.close() }
      withExtendedLifetime(bridge) {}
    }
    #expect(engine.prepared == 0)
  }

  @Test func `B2 what is shown of a name from elsewhere has nothing that a terminal obeys`() {
    let text = String(String.UnicodeScalarView((0..<0xA1).compactMap { Unicode.Scalar($0) }))
    for part in [text.prefix(100), text.suffix(61)] {
      let isObeyed = shown(String(part)).unicodeScalars.contains {
        $0.value < 32 || (0x7F...0x9F).contains($0.value)
      }
      #expect(!isObeyed)
    }
    #expect(shown("a\u{9B}2Jb") == "a\\u{009B}2Jb")
  }
}

/// An engine that counts what it was asked to care for.
private final class PreparingEngine: BridgeEngine {
  private let engine: MemoryEngine
  private let users = Mutex<Set<UInt64>>([])

  init(_ server: MemoryServer) { engine = MemoryEngine(server) }

  var label: String { engine.label }
  var state: BridgeConnectionState { engine.state }
  var prepared: Int { users.withLock { $0.count } }

  func observe(
    _ handler: @escaping @Sendable (BridgeConnectionState) -> Void
  ) -> @Sendable () -> Void { engine.observe(handler) }

  func prepare(_ subject: String) -> @Sendable () -> Void {
    let id = engine.server.nextID()
    users.withLock { _ = $0.insert(id) }
    return { self.users.withLock { _ = $0.remove(id) } }
  }

  func publish(
    _ frame: BridgeFrame, _ promise: BridgePromise, isAwaited: Bool,
    completion: @escaping @Sendable (BridgeError?) -> Void
  ) { engine.publish(frame, promise, isAwaited: isAwaited, completion: completion) }

  func subscribe(
    _ subscription: BridgeSubscription, deliver: @escaping @Sendable (BridgeDelivery) -> Void
  ) -> any BridgeRoute { engine.subscribe(subscription, deliver: deliver) }

  func request(
    _ frame: BridgeFrame, timeout: Duration,
    completion: @escaping @Sendable (Result<BridgeFrame, BridgeError>) -> Void
  ) { engine.request(frame, timeout: timeout, completion: completion) }
}
