#if NATS
  internal import CJunctorNATS
  internal import Dispatch
  public import JunctorBridge
  internal import Synchronization

  extension NATSConnection {
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
      let reconnections = isAwaited ? client.reconnections : nil
      let code = client.publish(frame)
      if code != JUNCTOR_NATS_OK { return completion(NATSFailure.error(code, "", frame.subject)) }
      guard isAwaited else { return completion(nil) }
      let isFirst = inside.withLock { state in
        state.flushers.append(Flusher(reconnections: reconnections, completion: completion))
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
      let reconnections = code == JUNCTOR_NATS_OK ? client?.reconnections : nil
      for flusher in flushers {
        // The next server answers too, and never had what was lost with the connection to the one before.
        let isHad = reconnections != nil && flusher.reconnections == reconnections
        flusher.completion(isHad ? nil : NATSFailure.unconfirmed(label))
      }
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
  }
#endif
