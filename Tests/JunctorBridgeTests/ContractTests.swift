import JunctorBridge
import JunctorTesting
import Testing

/// The contract's rules, checked with a server in memory.
@Suite(.timeLimit(.minutes(5))) struct ContractTests {
  @Test(arguments: BridgeContract.rules)
  func `B8 the contract holds for a server in memory`(rule: BridgeContract.Rule) async throws {
    let server = MemoryServer()
    let world = BridgeContract.World {
      server.setDown(true)
      server.setDown(false)
    } connect: {
      MemoryEngine(server)
    }
    try await rule.check(world)
  }

  @Test func `B8 the contract finds an engine that delivers to every member of a group`() async {
    let server = MemoryServer()
    var world = BridgeContract.World { GroupBlindEngine(server) }
    world.patience = .seconds(5)
    var violation: BridgeContract.Violation?
    for rule in BridgeContract.rules where rule.description.hasPrefix("of a group one member gets")
    {
      do {
        try await rule.check(world)
      } catch {
        violation = error as? BridgeContract.Violation
      }
    }
    #expect(violation != nil)
    withExtendedLifetime(server) {}
  }
}

/// An engine with a fault: it pays no heed to groups.
private final class GroupBlindEngine: BridgeEngine {
  private let engine: MemoryEngine

  init(_ server: MemoryServer) { engine = MemoryEngine(server) }

  var label: String { engine.label }
  var state: BridgeConnectionState { engine.state }

  func observe(
    _ handler: @escaping @Sendable (BridgeConnectionState) -> Void
  ) -> @Sendable () -> Void { engine.observe(handler) }

  func prepare(_ subject: String) -> @Sendable () -> Void { {} }

  func publish(
    _ frame: BridgeFrame, _ promise: BridgePromise, isAwaited: Bool,
    completion: @escaping @Sendable (BridgeError?) -> Void
  ) { engine.publish(frame, promise, isAwaited: isAwaited, completion: completion) }

  func subscribe(
    _ subscription: BridgeSubscription, deliver: @escaping @Sendable (BridgeDelivery) -> Void
  ) -> any BridgeRoute {
    var subscription = subscription
    subscription.group = nil
    return engine.subscribe(subscription, deliver: deliver)
  }

  func request(
    _ frame: BridgeFrame, timeout: Duration,
    completion: @escaping @Sendable (Result<BridgeFrame, BridgeError>) -> Void
  ) { engine.request(frame, timeout: timeout, completion: completion) }
}
