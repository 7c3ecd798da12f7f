#if NATS
  internal import Foundation
  internal import JunctorBridge
  internal import JunctorChannels
  internal import JunctorNATS
  internal import Synchronization

  /// Measures a bridge between two processes against the C client alone.
  struct BridgeBench: Sendable {
    /// A message whose JSON has a size that can be chosen.
    struct Message: Codable, Sendable {
      var number: Int
      var text: String
    }

    var url: String
    var count: Int
    var size: Int
    var isKept: Bool
    var isJSON: Bool
    var environment: ToolEnvironment

    // MARK: - The process that receives

    /// Receives by the C client alone.
    func receiveByClient() {
      let result = NATSMeasure.receive(
        url, "bench.client", count: count, kept: isKept,
        ready: { FileHandle.standardOutput.write(Data("ready\n".utf8)) })
      environment.print("\(result.count) \(result.seconds) \(Self.memory()) \(Self.memory())\n")
    }

    /// Receives over a bridge.
    func receiveByBridge() async throws {
      let tally = BenchTally(count)
      let exchange = Exchange(label: "bench")
      let nats = NATSConnection(url)
      var options = BridgeOptions()
      options.direction = .incoming
      let promise: BridgePromise = isKept ? .atLeastOnce(durable: "bench") : .atMostOnce
      let bridge: Bridge
      let subscription: Subscription
      if isJSON {
        let channel = Channel<Message>("bench", in: exchange)
        subscription = channel.listen { _ in tally.add() }
        bridge = try exchange.bridge(channel, over: nats, promise: promise, options: options)
      } else {
        let channel = Channel<[UInt8]>("bench", in: exchange)
        subscription = channel.listen { _ in tally.add() }
        bridge = try exchange.bridge(
          channel, over: nats, promise: promise, options: options, codec: .bytes)
      }
      try await bridge.ready()
      environment.print("ready\n")
      await tally.wait()
      let result = tally.result
      environment.print(
        "\(result.count) \(result.seconds) \(result.early) \(Self.memory())\n")
      subscription.cancel()
      await bridge.close()
    }

    // MARK: - The process that sends

    /// Measures both ways and prints a table.
    func run() async throws {
      environment.print("what\tmessages\tper second\tkB early\tkB at the end\n")
      let client = try await measure("client") {
        _ = NATSMeasure.send(url, "bench.client", count: count, size: size, kept: isKept)
      }
      let bridge = try await measure("bridge") { try await sendByBridge() }
      let ratio = client > 0 ? bridge / client : 0
      environment.print("ratio\t\((ratio * 100).rounded() / 100)\n")
    }

    private func sendByBridge() async throws {
      let exchange = Exchange(label: "bench")
      let nats = NATSConnection(url)
      try await nats.connected()
      var options = BridgeOptions()
      options.direction = .outgoing
      let promise: BridgePromise = isKept ? .atLeastOnce(durable: "bench") : .atMostOnce
      let bridge: Bridge
      let post: (Int) -> Void
      if isJSON {
        let channel = Channel<Message>("bench", in: exchange)
        bridge = try exchange.bridge(channel, over: nats, promise: promise, options: options)
        let text = String(repeating: "x", count: max(0, size - 30))
        post = { channel.post(Message(number: $0, text: text)) }
      } else {
        let channel = Channel<[UInt8]>("bench", in: exchange)
        bridge = try exchange.bridge(
          channel, over: nats, promise: promise, options: options, codec: .bytes)
        let bytes = Array(repeating: UInt8(ascii: "x"), count: size)
        post = { _ in channel.post(bytes) }
      }
      for number in 0..<count {
        // What waits to leave is bounded; whoever posts faster than that looks at it now and then.
        if number & 511 == 0 {
          while bridge.status.pending > 32_768 { usleep(200) }
        }
        post(number)
      }
      await bridge.close(within: .seconds(120))
      await nats.close()
    }

    /// Starts the receiver, sends, and reads what came of it. Returns the messages per second.
    private func measure(
      _ sender: String, _ send: nonisolated(nonsending) () async throws -> Void
    ) async throws -> Double {
      let child = Process()
      let pipe = Pipe()
      child.executableURL = URL(fileURLWithPath: Self.ownPath)
      child.arguments = [
        "bench", url, "--receive", sender, "--messages", "\(count)", "--size", "\(size)",
        "--promise", isKept ? "least" : "most", "--codec", isJSON ? "json" : "bytes",
      ]
      child.standardOutput = pipe
      try child.run()
      defer { child.terminate() }
      var text = ""
      while !text.contains("ready\n") {
        let data = pipe.fileHandleForReading.availableData
        guard !data.isEmpty else {
          throw BridgeError(
            .disconnected,
            "Can't measure on '\(url)': the receiving process ended early. Start the server or correct the URL."
          )
        }
        text += String(decoding: data, as: UTF8.self)
      }
      try await send()
      let rest = pipe.fileHandleForReading.readDataToEndOfFile()
      let words = String(decoding: rest, as: UTF8.self).split(separator: " ")
      guard words.count == 4, let arrived = Double(words[0]), let seconds = Double(words[1]) else {
        return 0
      }
      let rate = seconds > 0 ? arrived / seconds : 0
      let memory = words[2...].map { $0.filter(\.isNumber) }
      environment.print(
        "\(sender)\t\(Int(arrived))\t\(Int(rate))\t\(memory.joined(separator: "\t"))\n")
      return rate
    }

    private static var ownPath: String {
      let own = "/proc/self/exe"
      return (try? FileManager.default.destinationOfSymbolicLink(atPath: own))
        ?? Bundle.main.executablePath ?? CommandLine.arguments[0]
    }

    /// The kilobytes of memory that this process has resident; 0 where that cannot be told.
    static func memory() -> Int {
      guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
        return 0
      }
      let words = text.split(separator: " ")
      return words.count > 1 ? (Int(words[1]) ?? 0) * 4 : 0
    }
  }

  /// Counts what arrives, and takes the time.
  ///
  /// ## Concurrency
  /// May be used from any thread.
  final class BenchTally: Sendable {
    private struct State {
      var count = 0
      var first: ContinuousClock.Instant?
      var last: ContinuousClock.Instant?
      var early = 0
      var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let wanted: Int

    /// Begins with nothing.
    init(_ wanted: Int) { self.wanted = wanted }

    /// Counts one.
    func add() {
      let (isTenth, waiter) =
        state.withLock { state in
          state.count += 1
          if state.count == 1 { state.first = .now }
          guard state.count >= wanted else { return (state.count == max(1, wanted / 10), nil) }
          state.last = .now
          defer { state.waiter = nil }
          return (false, state.waiter)
        } as (Bool, CheckedContinuation<Void, Never>?)
      if isTenth {
        let memory = BridgeBench.memory()
        state.withLock { $0.early = memory }
      }
      waiter?.resume()
    }

    /// Waits until all are there, or none came for five seconds.
    func wait() async {
      let watch = Task {
        var last = 0
        var changed = ContinuousClock.now
        while true {
          try await Task.sleep(for: .milliseconds(50))
          let count = state.withLock { $0.count }
          if count != last { changed = .now }
          last = count
          if count > 0, .now - changed > .seconds(5) { return finish(at: changed) }
        }
      }
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if state.count < wanted { state.waiter = continuation }
          return state.count >= wanted
        }
        if isDone { continuation.resume() }
      }
      watch.cancel()
    }

    private func finish(at time: ContinuousClock.Instant) {
      let waiter = state.withLock { state in
        state.last = time
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }

    /// What came of it.
    var result: (count: Int, seconds: Double, early: Int) {
      state.withLock { state in
        guard let first = state.first, let last = state.last else { return (state.count, 0, 0) }
        return (state.count, (last - first) / .seconds(1), state.early)
      }
    }
  }
#endif
