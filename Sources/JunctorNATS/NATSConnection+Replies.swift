#if NATS
  internal import Dispatch
  internal import JunctorBridge
  internal import JunctorCore
  internal import Synchronization

  extension NATSConnection {
    /// The time, in nanoseconds.
    func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Notes who waits for a reply. Returns the number under which the reply comes.
    func wait(_ waiter: Waiter, until deadline: UInt64) -> UInt64 {
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

    /// Lets those fail whose reply is lost.
    func fail(_ waiters: [Waiter]) {
      for waiter in waiters {
        switch waiter {
        case .confirmation(let subject, let completion):
          completion(NATSFailure.unconfirmed(subject))
        case .reply(let subject, let completion):
          completion(.failure(NATSFailure.disconnected(subject, "the connection was lost")))
        }
      }
    }

    /// Takes a reply in.
    func didReply(_ message: NATSMessage) {
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
          state.kept.first { JetStreamNames.covers($0.key, subject) }?.value.fault
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
  }
#endif
