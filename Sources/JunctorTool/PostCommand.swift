internal import JunctorBridge
internal import JunctorNATS

extension CommandDefinition {
  /// `junctor post`.
  package static let post = CommandDefinition(
    name: "post",
    summary: "Posts a message on a bridged channel.",
    discussion: [
      "The message goes over the wire as it is given, so it has to be what the channel's bridges expect: JSON unless they say otherwise. Returns when the server has it."
    ],
    arguments: [
      BridgeCommand.server, Argument(name: "CHANNEL", help: "The channel's name."),
      Argument(name: "MESSAGE", help: "The message, or - for each line of standard input."),
    ],
    options: BridgeCommand.options + [
      Option(
        name: "promise", letter: nil, value: "PROMISE", choices: ["most", "least"],
        help: "At most once, as is usual, or at least once.")
    ],
    examples: [
      "junctor post nats://127.0.0.1:4222 shop.orders '{\"number\": 7}'",
      "junctor post nats://127.0.0.1:4222 shop.orders - --promise least <orders.jsonl",
    ],
    run: { try await runPost($0, $1) })

  private static func runPost(
    _ arguments: ParsedArguments, _ environment: ToolEnvironment
  ) async throws {
    #if NATS
      let subject = try BridgeSubject(
        prefix: arguments[option: "prefix"] ?? "junctor", channel: arguments[argument: "CHANNEL"])
      let promise: BridgePromise =
        arguments[option: "promise"] == "least" ? .atLeastOnce(durable: "junctor") : .atMostOnce
      let nats = try await BridgeCommand.connect(arguments)
      let release = promise.isAtLeastOnce ? nats.prepare(subject.text) : nil
      defer { release?() }
      let message = arguments[argument: "MESSAGE"]
      if message == "-" {
        while let line = readLine() {
          if !line.isEmpty { try await send(line, subject.text, promise, nats) }
        }
      } else {
        try await send(message, subject.text, promise, nats)
      }
      await nats.close()
    #else
      throw BridgeCommand.missing(.post)
    #endif
  }

  #if NATS
    /// Sends one message, again as long as that may help, for half a minute at most.
    private static func send(
      _ message: String, _ subject: String, _ promise: BridgePromise, _ nats: NATSConnection
    ) async throws {
      let id = "command-\(UInt64.random(in: .min ... .max))"
      let frame = BridgeFrame(
        subject: subject, payload: Array(message.utf8),
        messageID: promise.isAtLeastOnce ? id : nil)
      let end = ContinuousClock.now + .seconds(30)
      while true {
        let error = await withCheckedContinuation { continuation in
          nats.publish(frame, promise, isAwaited: true) { continuation.resume(returning: $0) }
        }
        guard let error else { return }
        guard error.isTemporary, promise.isAtLeastOnce, ContinuousClock.now < end else {
          throw error
        }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  #endif
}
