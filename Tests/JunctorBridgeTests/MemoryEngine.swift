import Dispatch
import JunctorBridge
import Synchronization

/// One process's connection to a server in memory.
final class MemoryEngine: BridgeEngine {
  let server: MemoryServer
  let label = "memory"

  init(_ server: MemoryServer) { self.server = server }

  var state: BridgeConnectionState { server.connection }

  func observe(
    _ handler: @escaping @Sendable (BridgeConnectionState) -> Void
  ) -> @Sendable () -> Void {
    let id = server.nextID()
    server.state.withLock { state in
      state.observers[id] = (server.news, handler)
      let now: BridgeConnectionState = state.isDown ? .connecting(nil) : .connected
      server.news.async { handler(now) }
    }
    return { [server] in
      let old = server.state.withLock { $0.observers.removeValue(forKey: id) }
      _ = old
    }
  }

  func prepare(_ subject: String) -> @Sendable () -> Void { {} }

  func publish(
    _ frame: BridgeFrame, _ promise: BridgePromise, isAwaited: Bool,
    completion: @escaping @Sendable (BridgeError?) -> Void
  ) {
    completion(server.publish(frame, kept: promise.isAtLeastOnce))
  }

  func subscribe(
    _ subscription: BridgeSubscription, deliver: @escaping @Sendable (BridgeDelivery) -> Void
  ) -> any BridgeRoute {
    let id = server.nextID()
    let queue = DispatchQueue(label: "memory.\(id)")
    server.add(
      MemoryServer.Subscriber(id: id, subscription: subscription, queue: queue, deliver: deliver))
    return MemoryRoute(server: server, id: id, queue: queue)
  }

  func request(
    _ frame: BridgeFrame, timeout: Duration,
    completion: @escaping @Sendable (Result<BridgeFrame, BridgeError>) -> Void
  ) {
    let targets = server.state.withLock { MemoryServer.targets(frame.subject, &$0) }
    guard !targets.isEmpty else {
      return completion(.failure(BridgeError(.nobodyAnswered, "Nobody answers.")))
    }
    let isOpen = Once()
    for target in targets {
      let delivery = BridgeDelivery(
        frame: frame,
        answer: { reply in
          if isOpen.take() { completion(.success(reply)) }
        })
      target.queue.async { target.deliver(delivery) }
    }
    server.news.asyncAfter(deadline: .now() + .milliseconds(Int(timeout / .milliseconds(1)))) {
      if isOpen.take() { completion(.failure(BridgeError(.timedOut, "The time is over."))) }
    }
  }
}

extension BridgeDelivery {
  fileprivate init(frame: BridgeFrame, answer: @escaping @Sendable (BridgeFrame) -> Void) {
    self.init(frame: frame, reply: answer)
  }
}

/// True once.
final class Once: Sendable {
  private let isTaken = Mutex(false)

  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}

final class MemoryRoute: BridgeRoute {
  private let server: MemoryServer
  private let id: UInt64
  private let queue: DispatchQueue

  init(server: MemoryServer, id: UInt64, queue: DispatchQueue) {
    self.server = server
    self.id = id
    self.queue = queue
  }

  func ready() async throws {}

  func caughtUp() async throws {
    while server.hasKept(for: id) { await Task.yield() }
  }

  func close(within limit: Duration) async {
    server.remove(id)
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  var dropped: UInt64 { 0 }
}
