#if NATS
  internal import CJunctorNATS
  internal import JunctorBridge
  internal import JunctorCore
  internal import Synchronization

  /// Finds who is meant by the numbers that the C client's call-backs are given.
  ///
  /// ## Concurrency
  /// May be used from any thread. Knows connections weakly and routes until they have ended.
  enum NATSRegistry {
    private struct State {
      var connections: [UInt: WeakConnection] = [:]
      var routes: [UInt: NATSRoute] = [:]
    }

    private struct WeakConnection {
      weak let connection: NATSConnection?
    }

    private static let state = Mutex(State())

    /// The call-backs are set once, before the first connection.
    static let handlers: Void = {
      // SAFETY: the functions capture nothing and live as long as the process; the texts and messages they are given are
      // valid within the call and copied there.
      unsafe junctor_nats_set_handlers(
        { owner, event, failure, text in
          let words = unsafe String(cString: text)
          return NATSRegistry.connection(owner)?.didHappen(event, failure, words) ?? 1_000
        },
        { owner, message in
          guard let route = NATSRegistry.route(owner) else { return }
          unsafe route.receive(NATSMessage(message.pointee))
        },
        { owner in NATSRegistry.forgetRoute(owner)?.didEnd() })
    }()

    /// Adds a connection. Returns its number.
    static func add(_ connection: NATSConnection) -> UInt {
      let number = UInt(Identifier.next())
      state.withLock { $0.connections[number] = WeakConnection(connection: connection) }
      return number
    }

    /// Adds a route. Returns its number.
    static func add(_ route: NATSRoute) -> UInt {
      let number = UInt(Identifier.next())
      state.withLock { $0.routes[number] = route }
      return number
    }

    /// Takes a connection out.
    static func forgetConnection(_ number: UInt) {
      let old = state.withLock { $0.connections.removeValue(forKey: number) }
      _ = old
    }

    /// Takes a route out.
    static func forgetRoute(_ number: UInt) -> NATSRoute? {
      state.withLock { $0.routes.removeValue(forKey: number) }
    }

    private static func connection(_ number: UInt) -> NATSConnection? {
      state.withLock { $0.connections[number] }?.connection
    }

    private static func route(_ number: UInt) -> NATSRoute? {
      state.withLock { $0.routes[number] }
    }

    /// How many routes have not ended. For tests.
    static var routeCount: Int { state.withLock { $0.routes.count } }
  }

  /// A message as it arrived, copied.
  struct NATSMessage: Sendable {
    /// Where it was sent.
    var subject: String
    /// Where a reply goes.
    var reply: String?
    /// Its headers.
    var headers: [String: String] = [:]
    /// Its content.
    var payload: [UInt8] = []
    /// Whether it is the server's word that nobody subscribes.
    var hasNoResponders: Bool

    /// Copies what the client gives.
    init(_ message: junctor_nats_message) {
      // SAFETY: the client's message is valid within the call-back, in which this is made; every part is copied.
      unsafe subject = String(cString: message.subject)
      unsafe reply = message.reply.map { unsafe String(cString: $0) }
      unsafe hasNoResponders = message.no_responders
      let bytes = unsafe UnsafeRawBufferPointer(start: message.data, count: message.length)
      unsafe payload = [UInt8](bytes)
      guard let names = unsafe message.names, let values = unsafe message.values else { return }
      for index in 0..<Int(unsafe message.count) {
        guard let name = unsafe names[index], let value = unsafe values[index] else { continue }
        unsafe headers[String(cString: name)] = String(cString: value)
      }
    }
  }
#endif
