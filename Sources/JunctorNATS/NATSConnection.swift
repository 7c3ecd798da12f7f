#if NATS
  internal import CJunctorNATS
  internal import Dispatch
  public import JunctorBridge
  internal import JunctorCore
  internal import Synchronization

  /// A connection to a NATS server, or to a cluster of them, for bridges to go over.
  ///
  /// ```swift
  /// let nats = NATSConnection("nats://127.0.0.1:4222")
  /// let bridge = try Exchange.shared.bridge(orders, over: nats)
  /// ```
  ///
  /// What a connection sends does not come back to it: exchanges of one process that are to hear each other need a
  /// connection each.
  ///
  /// It connects in the background and goes on trying, at the start as after every loss. What was wrong from the
  /// beginning and will not be right by itself (credentials, certificates) ends it with an error.
  ///
  /// ## Concurrency
  /// May be used from any thread. The server's messages come on threads of the client library, one for each bridge. It is
  /// closed by `close()` or with the last reference to it; bridges hold references.
  public final class NATSConnection: BridgeEngine {
    /// Who waits for a reply.
    enum Waiter: Sendable {
      /// A bridge that wants to know whether a message is kept.
      case confirmation(String, @Sendable (BridgeError?) -> Void)
      /// A bridge that asked.
      case reply(String, @Sendable (Result<BridgeFrame, BridgeError>) -> Void)
    }

    /// Who waits for what was sent at most once.
    struct Flusher: Sendable {
      /// How often the client had been connected again before that was sent; `nil` if unknown.
      let reconnections: Int64?
      /// Is told.
      let completion: @Sendable (BridgeError?) -> Void
    }

    /// A route as long as somebody else holds it.
    struct WeakRoute: Sendable {
      /// The route.
      weak let route: NATSRoute?
    }

    /// What is to be kept on the server.
    struct Kept: Sendable {
      /// Who asked for it and has not said that it is over.
      var users: Set<UInt64> = []
      /// Why it is not kept.
      var fault: BridgeError?
    }

    /// What changes, behind the lock.
    struct State {
      /// How it is connected.
      var link = NATSLink()
      /// The client's connection, once there was one.
      var client: NATSClient?
      /// Who wants to hear of changes.
      var observers: [UInt64: @Sendable (BridgeConnectionState) -> Void] = [:]
      /// What is subscribed to.
      var routes: [WeakRoute] = []
      /// Who waits for a reply.
      var pending = PendingReplies<Waiter>()
      /// Whether somebody will look whose time is over.
      var isChecking = false
      /// Who waits for what was sent at most once.
      var flushers: [Flusher] = []
      /// What is to be kept on the server, as long as anybody wants it.
      var kept: [String: Kept] = [:]
      /// Who waits for a connection.
      var waiters = Waiters<Bool>()
    }

    /// What changes.
    let inside = Mutex(State())
    private let urls: [String]
    /// How to connect.
    let options: NATSOptions
    /// Where replies come to.
    let inbox = "_INBOX.junctor\(UInt64.random(in: .min ... .max))"
    private let number = Mutex<UInt>(0)
    private let reportedSlow = Atomic(false)

    /// Where the server is waited for.
    let work = DispatchQueue(label: "junctor.nats.work")
    /// Where it is waited for what was sent at most once.
    let flushing = DispatchQueue(label: "junctor.nats.flush")
    /// Where changes are told, and times run out.
    let news = DispatchQueue(label: "junctor.nats.news")

    /// The servers, without user and password.
    public let label: String

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - urls: the servers, as `nats://host:port` or `tls://host:port`; one that answers is enough.
    ///   - options: how to connect.
    public init(_ urls: String..., options: NATSOptions = NATSOptions()) {
      var options = options
      if urls.contains(where: { $0.hasPrefix("tls://") }), options.encryption == nil {
        options.encryption = NATSOptions.Encryption()
      }
      self.urls = urls
      self.options = options
      label = Self.label(urls)
      work.async { [weak self] in self?.begin() }
    }

    deinit {
      NATSRegistry.forgetConnection(number.withLock { $0 })
      let (client, pending, flushers, routes) = inside.withLock { state in
        (state.client, state.pending.takeAll(), state.flushers, state.routes.compactMap(\.route))
      }
      fail(pending)
      for flusher in flushers { flusher.completion(NATSFailure.unconfirmed(label)) }
      for route in routes { route.settle(NATSFailure.closed(label)) }
      if let client { DispatchQueue.global().async { client.close() } }
    }

    /// The servers' addresses as they may be shown: without users and passwords.
    static func label(_ urls: [String]) -> String {
      urls.map(withoutSecrets).joined(separator: ", ")
    }

    private static func withoutSecrets(_ url: String) -> String {
      guard let at = url.lastIndex(of: "@") else { return url }
      let scheme = url.firstRange(of: "://").map { String(url[..<$0.upperBound]) } ?? ""
      return scheme + url[url.index(after: at)...]
    }

    // MARK: - Connecting

    /// How it is connected now.
    public var state: BridgeConnectionState { inside.withLock { $0.link.state } }

    private func begin() {
      guard !inside.withLock({ $0.link.state.isOver }) else { return }
      // A number of its own for every attempt: what a client says that was given up is heard by nobody.
      let own = NATSRegistry.add(self)
      let before = number.withLock { number in
        defer { number = own }
        return number
      }
      NATSRegistry.forgetConnection(before)
      handle(.attempting)
      do throws(BridgeError) {
        let client = try NATSClient(urls, options, number: own)
        let isOver = inside.withLock { state in
          state.client = client
          return state.link.state.isOver
        }
        if isOver { return client.close() }
        let replies = NATSRoute(
          BridgeSubscription(subject: "\(inbox).*", window: 1 << 20), on: work
        ) {
          [weak self] message, _ in self?.didReply(message)
        }
        try replies.subscribe(client, "\(inbox).*")
        handle(.began)
      } catch {
        // The client says why an attempt failed, but not for those that it repeats by itself.
        handle(.attemptFailed(error))
        let wait = Int(options.reconnectWait.milliseconds)
        work.asyncAfter(deadline: .now() + .milliseconds(wait)) { [weak self] in self?.begin() }
      }
    }

    /// Takes an event from the client's thread. Returns how many milliseconds to wait before the next attempt.
    func didHappen(_ event: Int32, _ failure: Int32, _ text: String) -> Int64 {
      let error = NATSFailure.error(failure, text, label)
      switch Int(event) {
      case JUNCTOR_NATS_CONNECTED: handle(.connected)
      case JUNCTOR_NATS_DISCONNECTED:
        handle(
          .disconnected(error.isTemporary ? error : NATSFailure.disconnected(label, text)))
      case JUNCTOR_NATS_ATTEMPT_FAILED: handle(.attemptFailed(error))
      case JUNCTOR_NATS_CLOSED where inside.withLock({ $0.client != nil }): handle(.ended(error))
      case JUNCTOR_NATS_CLOSED: break
      default: report(error)
      }
      return options.reconnectWait.milliseconds
    }

    /// Says what went wrong, unless it passes by itself; lost messages once.
    func report(_ error: BridgeError) {
      if error.code == .slowConsumer, reportedSlow.exchange(true, ordering: .relaxed) { return }
      if error.isTemporary { return }
      Junctor.report(Diagnostic(Diagnostic.Code(error.code.description), error.message))
    }

    private func handle(_ event: NATSLink.Event) {
      let (effects, client, pending, waiters) = inside.withLock { state in
        let effects = state.link.handle(event)
        let pending = effects.losesReplies ? state.pending.takeAll() : []
        if effects.isNews { tell(state.link.state, Array(state.observers.values)) }
        let isSettled = state.link.state.isConnected || state.link.state.isOver
        return (effects, state.client, pending, isSettled ? state.waiters.takeAll() : [])
      }
      fail(pending)
      for resume in waiters { resume(true) }
      if effects.givesUp, let client { DispatchQueue.global().async { client.close() } }
      guard effects.isNews else { return }
      work.async { [weak self] in self?.establishAll() }
    }

    // Called with the lock held, so that the news are told in their order; who hears them is called elsewhere.
    private func tell(
      _ new: BridgeConnectionState, _ handlers: [@Sendable (BridgeConnectionState) -> Void]
    ) {
      guard !handlers.isEmpty else { return }
      news.async { for handler in handlers { handler(new) } }
    }

    /// Tells of `state` as it is and of every change of it, until the returned closure is called.
    ///
    /// - Parameter handler: gets the present state and then each new one, in order, on a queue of the connection's.
    /// - Returns: ends it.
    public func observe(
      _ handler: @escaping @Sendable (BridgeConnectionState) -> Void
    ) -> @Sendable () -> Void {
      let id = Identifier.next()
      inside.withLock { state in
        state.observers[id] = handler
        tell(state.link.state, [handler])
      }
      return { [weak self] in
        let old = self?.inside.withLock { $0.observers.removeValue(forKey: id) }
        _ = old
      }
    }

    /// Waits until it is connected for the first time.
    ///
    /// - Throws: `BridgeError` if it never will be; `CancellationError` if the task was cancelled.
    public func connected() async throws {
      while true {
        let present = state
        if case .failed(let error) = present { throw error }
        if present == .closed { throw NATSFailure.closed(label) }
        if present.isConnected { return }
        try Task.checkCancellation()
        _ = await withSuspension(
          { id, resume in
            inside.withLock { state -> Suspension<Bool> in
              if state.link.state.isConnected || state.link.state.isOver || Task.isCancelled {
                return .answered(true)
              }
              state.waiters.add(id, resume)
              return .waiting
            }
          },
          leave: { id in self.inside.withLock { $0.waiters.take(id) } }, cancelled: false)
      }
    }

    /// Closes it. Bridges over it are cut off: close them first.
    ///
    /// Returns when what has arrived was delivered, after five seconds at the latest. Closing again waits for the same end.
    public func close() async {
      let routes = inside.withLock { $0.routes.compactMap(\.route) }
      await withTaskGroup { group in
        for route in routes { group.addTask { await route.close(within: .seconds(5)) } }
      }
      handle(.closing)
    }
  }
#endif
