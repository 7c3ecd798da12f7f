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

    private struct WeakRoute: Sendable {
      weak let route: NATSRoute?
    }

    private struct State {
      var link = NATSLink()
      var client: NATSClient?
      var observers: [UInt64: @Sendable (BridgeConnectionState) -> Void] = [:]
      var routes: [WeakRoute] = []
      var pending = PendingReplies<Waiter>()
      var isChecking = false
      var flushers: [@Sendable (BridgeError?) -> Void] = []
      var kept: [String: BridgeError?] = [:]
      var waiters = Waiters<Bool>()
    }

    private let inside = Mutex(State())
    private let urls: [String]
    private let options: NATSOptions
    private let inbox = "_INBOX.junctor\(UInt64.random(in: .min ... .max))"
    private let number = Mutex<UInt>(0)
    private let reportedSlow = Atomic(false)

    // Waiting for the server is done on `work` and `flushing`, telling of changes on `news`.
    private let work = DispatchQueue(label: "junctor.nats.work")
    private let flushing = DispatchQueue(label: "junctor.nats.flush")
    private let news = DispatchQueue(label: "junctor.nats.news")

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
      label = urls.map(Self.withoutSecrets).joined(separator: ", ")
      let own = NATSRegistry.add(self)
      number.withLock { $0 = own }
      work.async { [weak self] in self?.begin() }
    }

    deinit {
      NATSRegistry.forgetConnection(number.withLock { $0 })
      let (client, pending) = inside.withLock { ($0.client, $0.pending.takeAll()) }
      fail(pending)
      if let client { DispatchQueue.global().async { client.close() } }
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
      do throws(BridgeError) {
        let client = try NATSClient(urls, options, number: number.withLock { $0 })
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
        handle(.connected)
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

    private func report(_ error: BridgeError) {
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
    public func close() async {
      let routes = inside.withLock { state in
        defer { state.routes = [] }
        return state.routes.compactMap(\.route)
      }
      for route in routes { await route.close() }
      handle(.closing)
    }

    // MARK: - Subscribing

    /// Subscribes, now or as soon as there is a connection.
    ///
    /// - Parameters:
    ///   - subscription: to what.
    ///   - deliver: gets every frame, on a thread of the subscription's own; may take its time.
    /// - Returns: what ends it.
    public func subscribe(
      _ subscription: BridgeSubscription, deliver: @escaping @Sendable (BridgeDelivery) -> Void
    ) -> any BridgeRoute {
      let isKept = subscription.promise.isAtLeastOnce
      let route = NATSRoute(subscription, on: work) { [weak self] in
        guard let self else { return nil }
        let (link, client) = inside.withLock { ($0.link.state, $0.client) }
        guard link.isConnected, let client else { return nil }
        return jetStream(client)
      } deliver: { message, route in
        let client = route.client
        let reply = message.reply
        let settle: @Sendable (BridgeDelivery.Outcome) -> Void = { outcome in
          guard isKept, let client, let reply else { return }
          let word = outcome == .handled ? "+ACK" : "+TERM"
          _ = client.publish(BridgeFrame(subject: reply, payload: Array(word.utf8)))
        }
        var delivery = BridgeDelivery(
          frame: BridgeFrame(
            subject: message.subject, headers: message.headers, payload: message.payload),
          attempt: isKept ? reply.map(JetStreamNames.attempt) ?? 1 : 1, settle: settle)
        if !isKept, let client, let reply {
          delivery.reply = { frame in
            var frame = frame
            frame.subject = reply
            _ = client.publish(frame)
          }
        }
        deliver(delivery)
      }
      // The last reference to a route may be let go here: outside.
      let old = inside.withLock { state in
        let old = state.routes.map { ($0, $0.route) }
        state.routes = old.filter { $0.1 != nil }.map(\.0) + [WeakRoute(route: route)]
        return old
      }
      _ = old
      work.async { [weak self, weak route] in
        guard let self, let route else { return }
        establish(route)
      }
      return route
    }

    private func establishAll() {
      let (routes, subjects) = inside.withLock {
        ($0.routes.compactMap(\.route), Array($0.kept.keys))
      }
      for subject in subjects { keep(subject) }
      for route in routes { establish(route) }
    }

    private func establish(_ route: NATSRoute) {
      let (link, client) = inside.withLock { ($0.link.state, $0.client) }
      switch link {
      case .failed(let error): return route.settle(error)
      case .closed: return route.settle(NATSFailure.closed(label))
      case .connecting: return
      case .connected: break
      }
      guard let client else { return }
      do throws(BridgeError) {
        try route.establish(client, jetStream(client))
      } catch {
        report(error)
        guard error.isTemporary else { return }
        work.asyncAfter(deadline: .now() + .milliseconds(250)) { [weak self, weak route] in
          guard let self, let route else { return }
          establish(route)
        }
      }
    }

    private func jetStream(_ client: NATSClient) -> JetStream {
      JetStream(
        client: client, storage: options.storage, timeout: options.confirmTimeout.milliseconds)
    }

    // MARK: - Sending

    /// Sends a frame.
    ///
    /// - Parameters:
    ///   - frame: what to send.
    ///   - promise: whether the server is to keep it.
    ///   - isAwaited: whether somebody waits to hear that the server has it.
    ///   - completion: is told once: `nil` if the server has it, or why not.
    public func publish(
      _ frame: BridgeFrame, _ promise: BridgePromise, isAwaited: Bool,
      completion: @escaping @Sendable (BridgeError?) -> Void
    ) {
      let (link, client) = inside.withLock { ($0.link.state, $0.client) }
      guard link.isConnected, let client else {
        return completion(NATSFailure.disconnected(label, "there is no connection now"))
      }
      let largest = client.largest
      if largest > 0, frame.payload.count > largest {
        return completion(NATSFailure.tooLarge(frame.subject))
      }
      if promise.isAtLeastOnce { return publishKept(frame, client, completion) }
      let code = client.publish(frame)
      if code != JUNCTOR_NATS_OK { return completion(NATSFailure.error(code, "", frame.subject)) }
      guard isAwaited else { return completion(nil) }
      let isFirst = inside.withLock { state in
        state.flushers.append(completion)
        return state.flushers.count == 1
      }
      if isFirst { flushing.async { [weak self] in self?.flush() } }
    }

    private func flush() {
      let (client, flushers) = inside.withLock { state in
        defer { state.flushers = [] }
        return (state.client, state.flushers)
      }
      let code = client?.flush(options.confirmTimeout.milliseconds) ?? NATSFailure.gone
      let error = code == JUNCTOR_NATS_OK ? nil : NATSFailure.unconfirmed(label)
      for completion in flushers { completion(error) }
    }

    private func publishKept(
      _ frame: BridgeFrame, _ client: NATSClient,
      _ completion: @escaping @Sendable (BridgeError?) -> Void
    ) {
      let deadline = now() + UInt64(options.confirmTimeout.milliseconds) * 1_000_000
      let number = wait(.confirmation(frame.subject, completion), until: deadline)
      let code = client.publish(frame, reply: "\(inbox).\(number)")
      guard code != JUNCTOR_NATS_OK, inside.withLock({ $0.pending.take(number) }) != nil else {
        return
      }
      completion(NATSFailure.error(code, "", frame.subject))
    }

    /// Sends a frame and waits for one in return.
    ///
    /// - Parameters:
    ///   - frame: what to send.
    ///   - timeout: how long to wait.
    ///   - completion: is told once: the reply, or why there is none.
    public func request(
      _ frame: BridgeFrame, timeout: Duration,
      completion: @escaping @Sendable (Result<BridgeFrame, BridgeError>) -> Void
    ) {
      let (link, client) = inside.withLock { ($0.link.state, $0.client) }
      guard link.isConnected, let client else {
        return completion(
          .failure(NATSFailure.disconnected(label, "there is no connection now")))
      }
      let deadline = now() + UInt64(timeout.milliseconds) * 1_000_000
      let number = wait(.reply(frame.subject, completion), until: deadline)
      let code = client.publish(frame, reply: "\(inbox).\(number)")
      guard code != JUNCTOR_NATS_OK, inside.withLock({ $0.pending.take(number) }) != nil else {
        return
      }
      completion(.failure(NATSFailure.error(code, "", frame.subject)))
    }

    // MARK: - Replies

    private func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    private func wait(_ waiter: Waiter, until deadline: UInt64) -> UInt64 {
      let (number, startsChecking) = inside.withLock { state in
        let startsChecking = !state.isChecking
        state.isChecking = true
        return (state.pending.add(waiter, deadline: deadline), startsChecking)
      }
      if startsChecking { checkLater() }
      return number
    }

    private func checkLater() {
      news.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.check() }
    }

    private func check() {
      let time = now()
      let (expired, goesOn) = inside.withLock { state in
        let expired = state.pending.takeExpired(at: time)
        state.isChecking = !state.pending.isEmpty
        return (expired, state.isChecking)
      }
      for waiter in expired {
        switch waiter {
        case .confirmation(let subject, let completion):
          completion(NATSFailure.unconfirmed(subject))
        case .reply(let subject, let completion):
          completion(
            .failure(
              BridgeError(
                .timedOut,
                "Can't get an answer to '\(shown(subject))': nobody answered in time. Wait longer, "
                  + "or answer faster.")))
        }
      }
      if goesOn { checkLater() }
    }

    private func fail(_ waiters: [Waiter]) {
      for waiter in waiters {
        switch waiter {
        case .confirmation(let subject, let completion):
          completion(NATSFailure.unconfirmed(subject))
        case .reply(let subject, let completion):
          completion(.failure(NATSFailure.disconnected(subject, "the connection was lost")))
        }
      }
    }

    private func didReply(_ message: NATSMessage) {
      guard let dot = message.subject.lastIndex(of: "."),
        let number = UInt64(message.subject[message.subject.index(after: dot)...]),
        let waiter = inside.withLock({ $0.pending.take(number) })
      else { return }
      switch waiter {
      case .confirmation(let subject, let completion):
        confirm(message, subject, completion)
      case .reply(let subject, let completion):
        if message.hasNoResponders {
          return completion(
            .failure(
              BridgeError(
                .nobodyAnswered,
                "Can't get an answer to '\(shown(subject))': no process answers there. Start one, or "
                  + "bridge its channel with the direction 'both' or 'incoming'.")))
        }
        completion(
          .success(
            BridgeFrame(
              subject: message.subject, headers: message.headers, payload: message.payload)))
      }
    }

    private func confirm(
      _ message: NATSMessage, _ subject: String, _ completion: (BridgeError?) -> Void
    ) {
      if message.hasNoResponders {
        let fault = inside.withLock { state in
          state.kept.first { JetStreamNames.covers($0.key, subject) }?.value
        }
        prepareAgain(subject)
        return completion(
          fault
            ?? BridgeError(
              .noStream,
              "Can't keep messages of '\(shown(subject))' now: nothing on the server does yet. It is "
                + "tried again.", isTemporary: true))
      }
      if JetStreamReply.isConfirmation(message.payload) { return completion(nil) }
      guard let reply = JetStreamReply(message.payload) else {
        return completion(NATSFailure.unconfirmed(subject))
      }
      completion(reply.error?.error(subject))
    }

    // MARK: - Keeping

    /// Makes sure, now or as soon as there is a connection, that what is published at least once is kept.
    ///
    /// - Parameter subject: what will be published to; may have wildcards.
    public func prepare(_ subject: String) {
      inside.withLock { $0.kept[subject] = .some(nil) }
      work.async { [weak self] in self?.keep(subject) }
    }

    private func prepareAgain(_ subject: String) {
      let patterns = inside.withLock { state in
        state.kept.filter { JetStreamNames.covers($0.key, subject) }.map(\.key)
      }
      for pattern in patterns { work.async { [weak self] in self?.keep(pattern) } }
    }

    private func keep(_ subject: String) {
      let (link, client) = inside.withLock { ($0.link.state, $0.client) }
      guard link.isConnected, let client else { return }
      var fault: BridgeError?
      do throws(BridgeError) {
        _ = try jetStream(client).ensureStream(subject)
      } catch {
        if !error.isTemporary { fault = error }
      }
      inside.withLock { $0.kept[subject] = .some(fault) }
    }
  }
#endif
