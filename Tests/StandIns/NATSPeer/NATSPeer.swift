internal import Dispatch
internal import JunctorChannels
internal import JunctorNATS
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// One process of those that the tests join by a bridge. Says on standard output, line by line, what it does.
@main
enum NATSPeer {
  static func main() async {
    #if NATS
      do {
        try await run(Array(CommandLine.arguments.dropFirst()))
      } catch {
        say("failed \(error)")
        exit(1)
      }
    #else
      say("failed: built without the trait NATS")
      exit(1)
    #endif
  }

  static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // SAFETY: the bytes are valid within the call.
    _ = unsafe write(1, bytes, bytes.count)
  }
}

#if NATS
  extension NATSPeer {
    /// The options of a call: words in pairs.
    private struct Options {
      var values: [String: String] = [:]
      subscript(_ name: String, _ usual: Int) -> Int { values[name].flatMap { Int($0) } ?? usual }
    }

    private static func run(_ words: [String]) async throws {
      var options = Options()
      var rest = words.dropFirst(2)
      while let name = rest.popFirst(), let value = rest.popFirst() { options.values[name] = value }
      let nats = NATSConnection(words[1])
      var bridge = BridgeOptions()
      bridge.group = options.values["group"]
      bridge.redeliverAfter = .milliseconds(options["redeliver", 30_000])
      let durable = options.values["durable"]
      let promise: BridgePromise = durable.map { .atLeastOnce(durable: $0) } ?? .atMostOnce
      let channel = Channel<Int>(options.values["channel"] ?? "numbers")
      switch words[0] {
      case "listen": try await listen(channel, nats, promise, bridge, options)
      case "post":
        bridge.direction = .outgoing
        try await post(channel, nats, promise, bridge, options)
      default: say("failed: no such command")
      }
    }

    /// Says each number that it hears, and stands still when it has handled one of them.
    private static func listen(
      _ channel: Channel<Int>, _ nats: NATSConnection, _ promise: BridgePromise,
      _ bridge: BridgeOptions, _ options: Options
    ) async throws {
      let stop = options["stop", -1]
      let count = options["count", Int.max]
      let done = DispatchSemaphore(value: 0)
      let heard = Counter()
      let subscription = channel.listen { number in
        say("heard \(number)")
        if number == stop { DispatchSemaphore(value: 0).wait() }
        if heard.next() == count { done.signal() }
      }
      let standing = try Exchange.shared.bridge(
        channel, over: nats, promise: promise, options: bridge)
      try await standing.ready()
      say("ready")
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          done.wait()
          continuation.resume()
        }
      }
      await standing.close()
      subscription.cancel()
      let status = standing.status
      say("done \(status.delivered) \(status.duplicates) \(status.missed)")
    }

    /// Sends numbers, each awaited, and says how many the server has.
    private static func post(
      _ channel: Channel<Int>, _ nats: NATSConnection, _ promise: BridgePromise,
      _ bridge: BridgeOptions, _ options: Options
    ) async throws {
      let standing = try Exchange.shared.bridge(
        channel, over: nats, promise: promise, options: bridge)
      var accepted = 0
      for number in options["from", 0]..<options["to", 100] {
        if try await channel.send(number).errors.isEmpty { accepted += 1 }
      }
      await standing.close()
      say("accepted \(accepted)")
    }
  }

  /// Counts from 1.
  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }
#endif
