#if Inspector
  internal import JunctorCore

  /// A page that shows, live, who is joined to whom in this process.
  ///
  ///     let inspector = try Inspector.start(port: 8642)
  ///     print("Look at \(inspector.url)")
  ///
  /// The URL holds a token, made anew by each start, without which nothing is answered. The page listens on the loopback
  /// interface unless told otherwise, and loads nothing from elsewhere.
  ///
  /// ## Concurrency
  /// May be used from any thread. Clients are served by a thread of its own; pages that are slow, many or left open hold
  /// up neither the program nor each other: buffers are bounded, and what a slow page misses is counted and shown. While it
  /// runs, the history (`Wiring.History`) is on. It runs until `stop` is called or the last reference to it goes; it
  /// retains nothing of the program.
  public final class Inspector: Sendable {
    private let pump: InspectorPump

    /// The port that it listens on.
    public let port: UInt16

    /// The address of the page, with the token.
    public let url: String

    private init(_ server: InspectorServer, _ feed: InspectorFeed) {
      port = server.port
      url = "http://127.0.0.1:\(server.port)/?token=\(server.token)"
      pump = InspectorPump(server, feed)
      pump.start()
    }

    deinit { stop() }

    /// Starts an inspector.
    ///
    /// - Parameters:
    ///   - port: the port to listen on; 0 lets the system choose.
    ///   - isOpenToNetwork: whether other machines may connect. Everything goes over the wire in the clear then; a warning
    ///     is reported to `Junctor.diagnostics`.
    ///   - historyCapacity: how many events are kept for pages.
    /// - Returns: the running inspector.
    /// - Throws: `InspectorError` if the port is taken or forbidden, or the system has no room.
    public static func start(
      port: UInt16 = 0, isOpenToNetwork: Bool = false, historyCapacity: Int = 10_000
    ) throws(InspectorError) -> Inspector {
      try start(
        port: port, isOpenToNetwork: isOpenToNetwork, historyCapacity: historyCapacity,
        feed: .process)
    }

    /// Starts an inspector of anything.
    static func start(
      port: UInt16 = 0, isOpenToNetwork: Bool = false, historyCapacity: Int = 10_000,
      feed: InspectorFeed
    ) throws(InspectorError) -> Inspector {
      let server = try InspectorServer(port: port, isOpen: isOpenToNetwork)
      Wiring.History.start(capacity: historyCapacity)
      let inspector = Inspector(server, feed)
      if isOpenToNetwork {
        Junctor.report(
          Diagnostic(
            .init("inspector.open"),
            "Can't protect the inspector on port \(server.port): it listens on every interface, unencrypted. Use it in networks that you trust, or leave out 'isOpenToNetwork'."
          ))
      }
      return inspector
    }

    /// Closes every page's connection and the port. Calling it again does nothing.
    ///
    /// - Complexity: O(open connections).
    public func stop() {
      pump.stop()
    }
  }
#endif
