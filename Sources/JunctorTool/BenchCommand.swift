internal import JunctorBridge
internal import JunctorChannels
internal import JunctorNATS

extension CommandDefinition {
  /// `junctor bench`.
  package static let bench = CommandDefinition(
    name: "bench",
    summary: "Measures a bridge between two processes.",
    discussion: [
      "Sends messages from this process to another that it starts, once by the C client alone and once over a bridge, and prints for each how many arrived, how many a second, and how much memory the receiver took after a tenth of them and at the end."
    ],
    arguments: [BridgeCommand.server],
    options: [
      Option(
        name: "messages", letter: "n", value: "NUMBER",
        help: "How many messages; 1000000 if not given."),
      Option(name: "size", letter: "s", value: "BYTES", help: "Their size; 128 if not given."),
      Option(
        name: "promise", letter: nil, value: "PROMISE", choices: ["most", "least"],
        help: "At most once, as is usual, or at least once."),
      Option(
        name: "codec", letter: nil, value: "CODEC", choices: ["bytes", "json"],
        help: "Bytes as they are, as is usual, or JSON of the same size."),
      Option(
        name: "receive", letter: nil, value: "SENDER", choices: ["client", "bridge"],
        help: "Be the process that receives; used by the command itself."),
    ],
    examples: [
      "junctor bench nats://127.0.0.1:4222", "junctor bench nats://127.0.0.1:4222 -s 1024",
    ],
    run: { try await runBench($0, $1) })

  private static func runBench(
    _ arguments: ParsedArguments, _ environment: ToolEnvironment
  ) async throws {
    let count = try BridgeCommand.number("messages", arguments, .bench) ?? 1_000_000
    let size = try BridgeCommand.number("size", arguments, .bench) ?? 128
    #if NATS
      let bench = BridgeBench(
        url: arguments[argument: "URL"], count: count, size: size,
        isKept: arguments[option: "promise"] == "least",
        isJSON: arguments[option: "codec"] == "json", environment: environment)
      switch arguments[option: "receive"] {
      case "client": bench.receiveByClient()
      case "bridge": try await bench.receiveByBridge()
      default: try await bench.run()
      }
    #else
      _ = (count, size)
      throw BridgeCommand.missing(.bench)
    #endif
  }
}
