internal import Dispatch
internal import JunctorChannels
public import JunctorCore
internal import Synchronization

/// A channel's way into other processes, and theirs into this one.
///
/// ```swift
/// let bridge = try Exchange.shared.bridge(orders, over: nats, promise: .atLeastOnce(durable: "shop"))
/// try await bridge.ready()
/// try await orders.send(order)      // returns when the server has it, too
/// await bridge.close()
/// ```
///
/// - Listeners here hear a post as they would without a bridge: at once, as it is, connected or not.
/// - Listeners elsewhere hear it as a post of nobody, with `Envelope.isRemote` true. It never comes back.
/// - A listener here that consumes a message keeps it from other processes as well.
///
/// ## Concurrency
/// May be used from any thread. The bridge stands until `close()` is called or the last reference to it goes, which drops
/// what has not left yet. Listeners are called on a thread of the engine's, or where they ask for. Retains the exchange
/// and the engine; retained by neither.
public final class Bridge: Sendable {
  /// The halves of a bridge, whatever their type.
  struct Parts: Sendable {
    var closeOutbox: @Sendable () -> Void = {}
    var drainOutbox: @Sendable (Duration) async -> Void = { _ in }
    var abandonOutbox: @Sendable () -> Void = {}
    var closeInlet: @Sendable () -> Void = {}
    var hurryInlet: @Sendable () -> Void = {}
    var drainInlet: @Sendable (Duration) async -> Void = { _ in }
    var count: @Sendable (inout BridgeStatus) -> Void = { _ in }
    var registration: Registration?
    var route: (any BridgeRoute)?
    var stopObserving: @Sendable () -> Void = {}
    /// What stands for it in the wiring: the owner of the entry in the channel's list.
    var owner: any AnyObject & Sendable
  }

  private struct Closing: Sendable {
    var hasBegun = false
    var isDone = false
    var waiters = Waiters<Bool>()
  }

  private let parts: Parts
  private let plan: BridgePlan
  private let closing = Mutex(Closing())
  private let wiringID = Mutex<UInt64>(0)

  /// Joins the halves.
  init(_ plan: BridgePlan, _ parts: Parts) {
    self.plan = plan
    self.parts = parts
    let id = WiringRegistry.add(self)
    wiringID.withLock { $0 = id }
  }

  deinit {
    WiringRegistry.remove(wiringID.withLock { $0 })
    guard beginClosing() else { return }
    parts.registration?.cancel()
    parts.closeOutbox()
    parts.abandonOutbox()
    parts.closeInlet()
    parts.stopObserving()
    if let route = parts.route { Task { await route.close(within: .seconds(5)) } }
  }

  /// Returns whether nobody has begun to close it before.
  private func beginClosing() -> Bool {
    closing.withLock { closing in
      defer { closing.hasBegun = true }
      return !closing.hasBegun
    }
  }

  /// Returns once other processes can reach this one: what is posted there from now on arrives.
  ///
  /// Waits for a connection, as long as it takes.
  ///
  /// - Throws: `BridgeError` if there can never be one, or the server refuses; `CancellationError` if the task was
  ///   cancelled.
  public func ready() async throws {
    try await parts.route?.ready()
  }

  /// Returns once the listeners here have had what was posted elsewhere while this side was away.
  ///
  /// Means something where messages are promised at least once; returns like `ready()` otherwise. Listeners on the
  /// caller's own actor are called meanwhile.
  ///
  /// - Throws: as `ready()`.
  public func caughtUp() async throws {
    try await ready()
    try await parts.route?.caughtUp()
  }

  /// Ends it in an orderly way: sends what waits and hands over what has arrived.
  ///
  /// Returns when that is done. What was promised at least once and has not been handled comes again to whoever
  /// subscribes next under the same durable name. Closing again waits for the same end, whatever limit it names.
  ///
  /// - Parameter limit: how long to wait for what is on its way out, and then for what has arrived; it returns after twice
  ///   that at the latest. What is left then is dropped and counted.
  public func close(within limit: Duration = .seconds(5)) async {
    guard beginClosing() else { return await waitForEnd() }
    parts.registration?.cancel()
    await parts.drainOutbox(limit)
    // What has arrived has a share of its own, however long the rest took.
    DispatchQueue.global().asyncAfter(deadline: .now() + limit.dispatchInterval) {
      [hurry = parts.hurryInlet] in hurry()
    }
    let start = ContinuousClock.now
    if let route = parts.route { await route.close(within: limit) }
    await parts.drainInlet(limit - (.now - start))
    parts.closeInlet()
    parts.stopObserving()
    let waiters = closing.withLock { closing in
      closing.isDone = true
      return closing.waiters.takeAll()
    }
    for resume in waiters { resume(true) }
  }

  private func waitForEnd() async {
    _ = await withSuspension(
      { id, resume in
        closing.withLock { closing -> Suspension<Bool> in
          if closing.isDone { return .answered(true) }
          closing.waiters.add(id, resume)
          return .waiting
        }
      },
      leave: { _ in nil }, cancelled: true)
  }

  /// What became of its messages, and how it is connected.
  public var status: BridgeStatus {
    var status = BridgeStatus()
    status.connection = plan.engine.state
    status.lastError = plan.lastError
    status.overrun = parts.route?.dropped ?? 0
    parts.count(&status)
    return status
  }
}

extension Bridge: WiringSource {
  /// Reports the bridge, and the engine that it goes over.
  package func report(to builder: inout WiringBuilder) {
    let status = status
    let node = builder.node(for: parts.owner, kind: .bridge, label: plan.label, site: plan.site)
    let isClosed = closing.withLock { $0.hasBegun }
    builder.describe(node) { node in
      node.kind = .bridge
      node.label = plan.label
      node.type = plan.type
      node.site = plan.site
      node.counters = status.counters
      node.state = isClosed ? .dead : status.pending > 0 ? .pending(status.pending) : .alive
    }
    let engine = builder.node(for: plan.engine, kind: .connection, label: plan.engine.label)
    builder.describe(engine) { node in
      switch status.connection {
      case .connected: node.state = .alive
      case .connecting(let error): node.state = error.map { .failed($0.message) } ?? .paused
      case .failed(let error): node.state = .failed(error.message)
      case .closed: node.state = .dead
      }
    }
    builder.join(
      Wiring.Edge(
        from: node, to: engine, kind: .bridges, label: plan.subject.text, site: plan.site,
        counters: status.counters))
  }
}

extension Wiring.NodeKind {
  /// A channel's way into other processes.
  public static let bridge = Wiring.NodeKind("bridge")
  /// What carries the messages of bridges.
  public static let connection = Wiring.NodeKind("connection")
}

extension Wiring.EdgeKind {
  /// A bridge goes over a connection.
  public static let bridges = Wiring.EdgeKind("bridges over")
}
