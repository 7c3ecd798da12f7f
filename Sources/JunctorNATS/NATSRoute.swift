#if NATS
  internal import Dispatch
  internal import JunctorBridge
  internal import JunctorCore
  internal import Synchronization

  /// A subscription of a connection, from before there is a connection until after it was lost for the last time.
  ///
  /// ## Concurrency
  /// May be used from any thread. Retained by its bridge, and by the registry until the client has ended it; retains the
  /// client's connection and subscription, not the connection of bridges. Ends as a whole or by the limit that whoever
  /// closes it gives; what is handed to it after that is counted as lost, or comes again where it is kept.
  final class NATSRoute: BridgeRoute {
    private struct State {
      var client: NATSClient?
      var handle: NATSSubscription?
      var stream: String?
      var isReady = false
      var isClosing = false
      var isCut = false
      var hasEnded = false
      var failure: BridgeError?
      var tally = RouteTally()
      var waiters = Waiters<BridgeError?>()
      var endWaiters = Waiters<Bool>()
    }

    private let state = Mutex(State())
    /// What is subscribed to.
    let subscription: BridgeSubscription
    private let deliver: @Sendable (NATSMessage, NATSRoute) -> Void
    /// Where the server may be waited for, and what is asked there.
    private let work: DispatchQueue
    private let jetStream: @Sendable () throws(BridgeError) -> JetStream?
    /// How long the client goes on after the limit by which a route was to end, for it to give up by itself.
    private static let grace: Int64 = 2_000

    /// What is asked where nothing is kept.
    @Sendable private static func noJetStream() throws(BridgeError) -> JetStream? { nil }

    /// Makes one that is not subscribed yet.
    ///
    /// - Parameters:
    ///   - subscription: what to subscribe to.
    ///   - work: where the server may be waited for.
    ///   - jetStream: what is asked there; `nil` while there is no connection, an error if there will be none.
    ///   - deliver: gets every frame.
    init(
      _ subscription: BridgeSubscription, on work: DispatchQueue,
      jetStream: @escaping @Sendable () throws(BridgeError) -> JetStream? = NATSRoute.noJetStream,
      deliver: @escaping @Sendable (NATSMessage, NATSRoute) -> Void
    ) {
      self.subscription = subscription
      self.work = work
      self.jetStream = jetStream
      self.deliver = deliver
    }

    /// Takes a message from the client's thread.
    func receive(_ message: NATSMessage) {
      let (isCut, draining) = state.withLock { state in
        if !state.isCut { state.tally.deliver() }
        return (state.isCut, state.isClosing ? state.handle : nil)
      }
      // What is lost during a drain is lost while others wait, so the last of these finds it counted.
      if let draining { look(draining) }
      if !isCut { deliver(message, self) }
    }

    /// The client's connection that messages come from.
    var client: NATSClient? { state.withLock { $0.client } }

    // MARK: - Subscribing

    /// Subscribes if it is not, and makes sure that the server knows. Waits for the server.
    ///
    /// - Throws: why not; if that is temporary, it is to be called again.
    func establish(_ client: NATSClient, _ jetStream: JetStream) throws(BridgeError) {
      guard !state.withLock({ $0.isClosing }) else { return }
      do throws(BridgeError) {
        if let durable = subscription.promise.durable {
          let stream = try jetStream.ensureStream(subscription.subject)
          state.withLock { $0.stream = stream }
          let consumer = JetStreamNames.consumer(durable: durable, subject: subscription.subject)
          try subscribe(client, JetStreamNames.delivery(stream: stream, consumer: consumer))
          try jetStream.ensureConsumer(subscription, durable: durable, stream: stream)
        } else {
          try subscribe(client, subscription.subject)
        }
        let code = client.flush(jetStream.timeout)
        if code != 0 { throw NATSFailure.error(code, "", subscription.subject) }
        settle(nil)
      } catch {
        if !error.isTemporary { settle(error) }
        throw error
      }
    }

    /// Subscribes, unless it is.
    func subscribe(_ client: NATSClient, _ subject: String) throws(BridgeError) {
      guard state.withLock({ $0.handle == nil && !$0.isClosing && !$0.hasEnded }) else { return }
      let number = NATSRegistry.add(self)
      state.withLock { $0.client = client }
      let result = client.subscribe(
        subject, group: subscription.group, limit: max(65_536, subscription.window),
        number: number)
      switch result {
      case .success(let handle):
        let isClosing = state.withLock { state in
          state.handle = state.hasEnded ? nil : handle
          return state.isClosing
        }
        if isClosing { handle.drain(Self.grace) }
      case .failure(let error):
        _ = NATSRegistry.forgetRoute(number)
        throw error
      }
    }

    /// Notes that the server knows, or never will.
    func settle(_ failure: BridgeError?) {
      let waiters = state.withLock { state in
        if failure == nil { state.isReady = true }
        state.failure = failure
        return state.waiters.takeAll()
      }
      for resume in waiters { resume(failure) }
    }

    nonisolated(nonsending) func ready() async throws {
      let failure = await withSuspension(
        { id, resume in
          state.withLock { state -> Suspension<BridgeError?> in
            if state.isClosing { return .answered(NATSFailure.closed(subscription.subject)) }
            if let failure = state.failure { return .answered(failure) }
            if state.isReady || Task.isCancelled { return .answered(nil) }
            state.waiters.add(id, resume)
            return .waiting
          }
        },
        leave: { id in self.state.withLock { $0.waiters.take(id) } }, cancelled: nil)
      if let failure { throw failure }
      try Task.checkCancellation()
    }

    nonisolated(nonsending) func caughtUp() async throws {
      guard let durable = subscription.promise.durable else { return }
      let consumer = JetStreamNames.consumer(durable: durable, subject: subscription.subject)
      var target: UInt64?
      var isFirst = true
      while true {
        try Task.checkCancellation()
        let (known, pause) = (target, isFirst ? 0 : 20)
        let result = await withCheckedContinuation { continuation in
          work.asyncAfter(deadline: .now() + .milliseconds(pause)) {
            continuation.resume(returning: self.look(for: known, consumer))
          }
        }
        isFirst = false
        guard let look = try result.get() else { continue }
        if look.isThere { return }
        target = look.target
      }
    }

    /// Looks how far the consumer is; `nil` where that cannot be told now, an error where it never can.
    private func look(
      for target: UInt64?, _ consumer: String
    ) -> Result<(target: UInt64, isThere: Bool)?, BridgeError> {
      let (stream, failure, isClosing) = state.withLock { ($0.stream, $0.failure, $0.isClosing) }
      if isClosing { return .failure(NATSFailure.closed(subscription.subject)) }
      if let failure { return .failure(failure) }
      do throws(BridgeError) {
        guard let jetStream = try jetStream(), let stream else { return .success(nil) }
        let target = if let target { target } else { try jetStream.lastNumber(stream) }
        return .success((target, try jetStream.hasReached(target, consumer, of: stream)))
      } catch {
        return error.isTemporary ? .success(nil) : .failure(error)
      }
    }

    // MARK: - The end

    nonisolated(nonsending) func close(within limit: Duration) async {
      let (isFirst, handle, waiters) = state.withLock { state in
        defer { state.isClosing = true }
        // One that is being made is ended as soon as it was, and hands nothing on until then.
        if state.handle == nil { state.isCut = true }
        return (!state.isClosing, state.handle, state.waiters.takeAll())
      }
      for resume in waiters { resume(NATSFailure.closed(subscription.subject)) }
      guard let handle else { return }
      look(handle)
      if isFirst {
        let patience = limit.milliseconds + Self.grace
        DispatchQueue.global().async { handle.drain(patience) }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(limit.milliseconds))) {
        [weak self] in self?.cut()
      }
      _ = await withSuspension(
        { id, resume in
          state.withLock { state -> Suspension<Bool> in
            if state.hasEnded || state.isCut { return .answered(true) }
            state.endWaiters.add(id, resume)
            return .waiting
          }
        },
        leave: { _ in nil }, cancelled: false)
    }

    /// Delivers nothing more, though the client has not ended yet: the network or a listener keeps it.
    private func cut() {
      guard let handle = state.withLock({ $0.hasEnded ? nil : $0.handle }) else { return }
      look(handle)
      let waiters = state.withLock { state in
        state.isCut = true
        return state.endWaiters.takeAll()
      }
      for resume in waiters { resume(true) }
    }

    /// Notes that the client delivers nothing more.
    func didEnd() {
      // The client and its subscription may go with their last references: outside.
      let (waiters, old) = state.withLock { state in
        defer {
          state.hasEnded = true
          state.handle = nil
          state.client = nil
        }
        return (state.endWaiters.takeAll(), (state.client, state.handle))
      }
      for resume in waiters { resume(true) }
      _ = old
    }

    /// Notes what the client counted. It forgets that when the subscription ends.
    private func look(_ handle: NATSSubscription) {
      let (arrived, dropped) = (handle.arrived, handle.dropped)
      state.withLock { state in
        state.tally.note(arrived: arrived)
        state.tally.note(dropped: dropped)
      }
    }

    var dropped: UInt64 {
      if let handle = state.withLock({ $0.handle }) { look(handle) }
      return state.withLock { state in
        // What is kept and was not delivered comes again.
        let isOver = state.isCut || state.hasEnded
        if isOver, !subscription.promise.isAtLeastOnce { state.tally.end() }
        return state.tally.lost
      }
    }
  }
#endif
