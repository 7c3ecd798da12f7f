internal import Foundation
internal import Junctor

#if NATS
  internal import JunctorNATS

  /// Keeps the marks of several readers in step: what one marks, the others hear, also those that were not running.
  ///
  /// Every reader is known to the server by its machine and its state file.
  ///
  /// ## Concurrency
  /// On the main actor, like the store that hears the marks.
  @MainActor
  final class MarkBridge {
    private let nats: NATSConnection
    private let bridges: [Bridge]
    private let url: String

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - url: the server.
    ///   - statePath: the state file of this reader.
    /// - Throws: `BridgeError` if that can't be.
    init(_ url: String, statePath: String) throws {
      self.url = url
      var options = NATSOptions()
      options.name = "newsreader"
      nats = NATSConnection(url, options: options)
      let promise = BridgePromise.atLeastOnce(durable: Self.name(of: statePath))
      bridges = [
        try Exchange.shared.bridge(
          .articleRead, over: nats, promise: promise, options: Self.options("ArticleRead")),
        try Exchange.shared.bridge(
          .articleArchived, over: nats, promise: promise, options: Self.options("ArticleArchived")),
      ]
    }

    private static func options(_ type: String) -> BridgeOptions {
      var options = BridgeOptions()
      options.prefix = "newsreader"
      options.typeName = type
      return options
    }

    /// The same at every start, and different for every reader.
    private static func name(of statePath: String) -> String {
      var hash = FNVHash()
      hash.combine(ProcessInfo.processInfo.hostName)
      hash.combine(URL(fileURLWithPath: statePath).standardizedFileURL.path)
      return "reader-" + String(hash.value, radix: 16)
    }

    /// Waits until the marks that others made meanwhile are here.
    ///
    /// - Parameter limit: how long to wait at most.
    /// - Throws: `NewsreaderError` if the server can't be used.
    func catchUp(within limit: Duration) async throws(NewsreaderError) {
      let work = Task { [bridges] in
        for bridge in bridges { try await bridge.caughtUp() }
      }
      let watch = Task {
        try await Task.sleep(for: limit)
        work.cancel()
      }
      defer { watch.cancel() }
      do {
        try await work.value
      } catch {
        throw problem(error)
      }
    }

    /// Sends what waits, takes what has arrived, and ends.
    ///
    /// - Throws: `NewsreaderError` if marks of this reader could not be sent.
    func close() async throws(NewsreaderError) {
      var lost: UInt64 = 0
      for bridge in bridges {
        await bridge.close(within: .seconds(5))
        lost += bridge.status.dropped + bridge.status.refused
      }
      let reason = bridges.compactMap { $0.status.lastError }.last
      await nats.close()
      if lost > 0 {
        throw NewsreaderError(
          code: .state,
          message: "Can't tell other readers of \(lost) \(lost == 1 ? "mark" : "marks"): "
            + "\(reason?.message ?? "the server was not reached"). Mark them again with the server running."
        )
      }
    }

    private func problem(_ error: any Error) -> NewsreaderError {
      let cause =
        error is CancellationError ? "nobody answers at '\(url)'" : "\(error)"
      return NewsreaderError(
        code: .state,
        message: "Can't keep marks in step with other readers: "
          + "\(cause). Start the server or leave out '--nats'.")
    }
  }
#endif
