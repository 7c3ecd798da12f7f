#if NATS
  internal import Dispatch
  internal import JunctorBridge
  internal import JunctorCore
  internal import Synchronization

  /// A subscription of a connection, from before there is a connection until after it was lost for the last time.
  ///
  /// ## Concurrency
  /// May be used from any thread. Retained by its bridge, and by the registry until the client has ended it; retains the
  /// client's connection, not the connection of bridges.
  final class NATSRoute: BridgeRoute {
    private struct State {
      var client: NATSClient?
      var handle: NATSClient.Handle?
      var number: UInt?
      var stream: String?
      var isReady = false
      var isClosing = false
      var hasEnded = false
      var failure: BridgeError?
      var lost: UInt64 = 0
      var waiters = Waiters<BridgeError?>()
      var endWaiters = Waiters<Bool>()
    }

    private let state = Mutex(State())
    /// What is subscribed to.
    let subscription: BridgeSubscription
    private let deliver: @Sendable (NATSMessage, NATSRoute) -> Void
    /// Where the server may be waited for, and what is asked there.
    private let work: DispatchQueue
    private let jetStream: @Sendable () -> JetStream?

    /// Makes one that is not subscribed yet.
    init(
      _ subscription: BridgeSubscription, on work: DispatchQueue,
      jetStream: @escaping @Sendable () -> JetStream? = { nil },
      deliver: @escaping @Sendable (NATSMessage, NATSRoute) -> Void
    ) {
      self.subscription = subscription
      self.work = work
      self.jetStream = jetStream
      self.deliver = deliver
    }

    /// Takes a message from the client's thread.
    func receive(_ message: NATSMessage) { deliver(message, self) }

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
      guard state.withLock({ $0.handle == nil && !$0.isClosing }) else { return }
      let number = NATSRegistry.add(self)
      state.withLock { $0.client = client }
      let result = client.subscribe(
        subject, group: subscription.group, limit: max(65_536, subscription.window),
        number: number)
      switch result {
      case .success(let handle):
        let isClosing = state.withLock { state in
          state.handle = handle
          state.number = number
          return state.isClosing
        }
        if isClosing { client.drain(handle) }
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
      while true {
        try Task.checkCancellation()
        let known = target
        let result = await withCheckedContinuation { continuation in
          work.asyncAfter(deadline: .now() + .milliseconds(known == nil ? 0 : 20)) {
            continuation.resume(returning: self.look(for: known, consumer))
          }
        }
        guard let look = try result.get() else { continue }
        if look.isThere { return }
        target = look.target
      }
    }

    /// Looks how far the consumer is; `nil` where that cannot be told now.
    private func look(
      for target: UInt64?, _ consumer: String
    ) -> Result<(target: UInt64, isThere: Bool)?, BridgeError> {
      let (stream, isClosing) = state.withLock { ($0.stream, $0.isClosing) }
      if isClosing { return .failure(NATSFailure.closed(subscription.subject)) }
      guard let stream, let jetStream = jetStream() else { return .success(nil) }
      do throws(BridgeError) {
        let target = if let target { target } else { try jetStream.lastNumber(stream) }
        return .success((target, try jetStream.hasReached(target, consumer, of: stream)))
      } catch {
        return error.isTemporary ? .success(nil) : .failure(error)
      }
    }

    // MARK: - The end

    nonisolated(nonsending) func close() async {
      let (first, client, handle, waiters) = state.withLock { state in
        let first = !state.isClosing
        state.isClosing = true
        return (first, state.client, state.handle, state.waiters.takeAll())
      }
      for resume in waiters { resume(NATSFailure.closed(subscription.subject)) }
      guard let client, let handle else { return }
      noteLost(client.dropped(handle))
      if first { DispatchQueue.global().async { client.drain(handle) } }
      _ = await withSuspension(
        { id, resume in
          state.withLock { state -> Suspension<Bool> in
            if state.hasEnded { return .answered(true) }
            state.endWaiters.add(id, resume)
            return .waiting
          }
        },
        leave: { _ in nil }, cancelled: false)
    }

    /// Notes that the client delivers nothing more.
    func didEnd() {
      let (client, handle) = state.withLock { state in
        defer { state.handle = nil }
        return (state.client, state.handle)
      }
      let lost = handle.flatMap { handle in client.map { $0.dropped(handle) } } ?? 0
      noteLost(lost)
      let waiters = state.withLock { state in
        state.hasEnded = true
        state.client = nil
        return state.endWaiters.takeAll()
      }
      for resume in waiters { resume(true) }
      guard let client, let handle else { return }
      // Not from within the client's own call-back.
      DispatchQueue.global().async { client.release(handle) }
    }

    // The client forgets its count when the subscription ends.
    private func noteLost(_ count: UInt64) {
      state.withLock { $0.lost = max($0.lost, count) }
    }

    var dropped: UInt64 {
      let (client, handle, lost) = state.withLock { ($0.client, $0.handle, $0.lost) }
      guard let client, let handle else { return lost }
      return max(lost, client.dropped(handle))
    }
  }
#endif
