#if NATS
  import Foundation
  import JunctorNATS
  import Synchronization
  import Testing

  /// A NATS server of the test's own, on a free port of the loopback interface, with its files in a folder of its own.
  final class TestServer: Sendable {
    private let child: Mutex<Child?>
    private let port = Mutex(0)
    private let extra: [String]
    let folder: URL

    /// Starts one.
    ///
    /// - Parameters:
    ///   - keeps: whether JetStream is switched on.
    ///   - extra: more words for the command line.
    ///   - isStarted: whether to start it at once; if not, a port is found for later.
    init(keeps: Bool = true, _ extra: [String] = []) async throws {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("junctor-nats-\(UInt64.random(in: .min ... .max))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      self.extra =
        (keeps ? ["-js", "-sd", folder.appendingPathComponent("js").path] : []) + extra
      child = Mutex(nil)
      try await start()
    }

    deinit {
      child.withLock { $0?.end() }
      try? FileManager.default.removeItem(at: folder)
    }

    /// Where it is found.
    var url: String { "nats://127.0.0.1:\(port.withLock { $0 })" }

    /// Starts it, at the port that it had before.
    ///
    /// The port is one that is not given to those who connect to somebody, who might have it while the server is away.
    func start() async throws {
      let known = port.withLock { $0 }
      let path = [
        "/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server",
        "/opt/homebrew/bin/nats-server",
      ].first(where: FileManager.default.isExecutableFile)
      let program = try #require(path, "nats-server is not installed")
      var said: [String] = []
      for _ in 0..<50 {
        let number = known == 0 ? Int.random(in: 10_000..<32_768) : known
        let new = try Child(program, ["-a", "127.0.0.1", "-p", "\(number)"] + extra)
        if await new.line(where: { $0.contains("Server is ready") }) != nil {
          port.withLock { $0 = number }
          child.withLock { $0 = new }
          return
        }
        said = new.lines
      }
      Issue.record("the server does not start: \(said)")
      throw CancellationError()
    }

    /// Kills it as a power cut would.
    func kill() { child.withLock { $0.take() }?.end() }

    /// Kills it and starts it again.
    func restart() async throws {
      kill()
      try await start()
    }

    /// Stops its time, or lets it go on.
    func pause(_ isPaused: Bool) {
      child.withLock { isPaused ? $0?.pause() : $0?.signal(SIGCONT) }
    }

    /// A connection that is back soon after its server.
    func connect(_ change: (inout NATSOptions) -> Void = { _ in }) -> NATSConnection {
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(50)
      options.confirmTimeout = .seconds(2)
      change(&options)
      return NATSConnection(url, options: options)
    }

    /// A process of its own: an exchange and a connection.
    func node(_ change: (inout NATSOptions) -> Void = { _ in }) -> NATSNode {
      NATSNode(nats: connect(change))
    }

    /// Runs another process.
    func peer(_ command: String, _ options: [String: String]) throws -> Child {
      try Child(
        Child.program("NATSPeer"), [command, url] + options.flatMap { [$0.key, $0.value] })
    }
  }
#endif
