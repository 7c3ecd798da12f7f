#if NATS
  internal import JunctorBridge

  /// How a connection does, as a plain value: events come in, states come out.
  struct NATSLink: Sendable {
    /// What happened.
    enum Event: Sendable {
      /// A client is about to be made, which will be connected unless it says otherwise.
      case attempting
      /// The client was made, and replies can be received.
      case began
      /// The client says that it is connected again.
      case connected
      /// The client lost its connection and tries to get it back.
      case disconnected(BridgeError)
      /// An attempt to connect failed; the next one follows.
      case attemptFailed(BridgeError)
      /// The client gave up.
      case ended(BridgeError)
      /// Somebody closes the connection.
      case closing
    }

    /// What to do about an event.
    struct Effects: Sendable, Equatable {
      /// Whether `state` is another one now.
      var isNews = false
      /// Whether the client has to be closed: it would try in vain.
      var givesUp = false
      /// Whether what was sent and is not confirmed may be lost.
      var losesReplies = false
    }

    /// The state that bridges see.
    private(set) var state = BridgeConnectionState.connecting(nil)
    private var wasConnected = false
    // What the client says may come before its maker has it, and what its maker says may come late: both have to agree.
    private var hasBegun = false
    private var isUp = false

    /// Takes an event in.
    mutating func handle(_ event: Event) -> Effects {
      if state.isOver, !isClosing(event) { return Effects() }
      let old = state
      var effects = Effects()
      switch event {
      case .attempting:
        isUp = true
        hasBegun = false
      case .began:
        hasBegun = true
        connect()
      case .connected:
        isUp = true
        connect()
      case .disconnected(let error):
        isUp = false
        state = .connecting(error)
        effects.losesReplies = true
      case .attemptFailed(let error):
        isUp = false
        // What was wrong from the beginning will not be right by itself; what was right once may be again.
        if !wasConnected, !error.isTemporary {
          state = .failed(error)
          effects.givesUp = true
        } else {
          state = .connecting(error)
        }
        effects.losesReplies = true
      case .ended(let error):
        state = .failed(error)
        effects.losesReplies = true
      case .closing:
        state = .closed
        effects.givesUp = true
        effects.losesReplies = true
      }
      effects.isNews = state != old
      return effects
    }

    private mutating func connect() {
      guard hasBegun, isUp else { return }
      state = .connected
      wasConnected = true
    }

    private func isClosing(_ event: Event) -> Bool {
      if case .closing = event, state != .closed { true } else { false }
    }
  }
#endif
