#if NATS
  internal import Dispatch
  public import JunctorBridge
  internal import JunctorCore
  internal import Synchronization

  extension NATSConnection {
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
      let route = NATSRoute(subscription, on: work) { [weak self] () throws(BridgeError) in
        guard let self else { throw NATSFailure.closed(subscription.subject) }
        return try jetStream()
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

    /// Makes sure that everything stands that is subscribed to or to be kept. Waits for the server.
    func establishAll() {
      let (routes, subjects) = inside.withLock {
        ($0.routes.compactMap(\.route), Array($0.kept.keys))
      }
      for subject in subjects { keep(subject) }
      for route in routes { establish(route) }
    }

    private func establish(_ route: NATSRoute) {
      do throws(BridgeError) {
        guard let jetStream = try jetStream() else { return }
        do throws(BridgeError) {
          try route.establish(jetStream.client, jetStream)
          return
        } catch {
          report(error)
          guard error.isTemporary else { return }
        }
        work.asyncAfter(deadline: .now() + .milliseconds(250)) { [weak self, weak route] in
          guard let self, let route else { return }
          establish(route)
        }
      } catch {
        route.settle(error)
      }
    }

    /// What streams are asked for by; `nil` while there is no connection, an error if there will be none.
    private func jetStream() throws(BridgeError) -> JetStream? {
      let (link, client) = inside.withLock { ($0.link.state, $0.client) }
      switch link {
      case .failed(let error): throw error
      case .closed: throw NATSFailure.closed(label)
      case .connecting: return nil
      case .connected: return client.map { jetStream($0) }
      }
    }

    private func jetStream(_ client: NATSClient) -> JetStream {
      JetStream(
        client: client, storage: options.storage, timeout: options.confirmTimeout.milliseconds)
    }

    /// Makes sure, now or as soon as there is a connection, that what is published at least once is kept.
    ///
    /// - Parameter subject: what will be published to; may have wildcards.
    /// - Returns: ends the care for it; what is kept stays on the server.
    public func prepare(_ subject: String) -> @Sendable () -> Void {
      let user = Identifier.next()
      inside.withLock { state in
        _ = state.kept[subject, default: Kept()].users.insert(user)
      }
      work.async { [weak self] in self?.keep(subject) }
      return { [weak self] in
        self?.inside.withLock { state in
          state.kept[subject]?.users.remove(user)
          if state.kept[subject]?.users.isEmpty == true { state.kept[subject] = nil }
        }
      }
    }

    /// Makes sure once more that a subject is kept.
    func prepareAgain(_ subject: String) {
      let patterns = inside.withLock { state in
        state.kept.filter { JetStreamNames.covers($0.key, subject) }.map(\.key)
      }
      for pattern in patterns { work.async { [weak self] in self?.keep(pattern) } }
    }

    /// Makes sure that a subject is kept. Waits for the server.
    func keep(_ subject: String) {
      let (link, client) = inside.withLock { ($0.link.state, $0.client) }
      guard link.isConnected, let client else { return }
      var fault: BridgeError?
      do throws(BridgeError) {
        _ = try jetStream(client).ensureStream(subject)
      } catch {
        if !error.isTemporary { fault = error }
      }
      inside.withLock { $0.kept[subject]?.fault = fault }
    }
  }
#endif
