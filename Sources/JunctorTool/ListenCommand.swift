internal import JunctorBridge
internal import JunctorChannels
internal import JunctorNATS

extension CommandDefinition {
  /// `junctor listen`.
  package static let listen = CommandDefinition(
    name: "listen",
    summary: "Prints what is posted on a bridged channel.",
    discussion: [
      "Each message is a line: the channel's name, a tabulator, and the message as it came over the wire, which is JSON unless its bridge says otherwise. Runs until it is interrupted, or until so many messages came.",
      "With --durable the server remembers what was printed under that name, and prints what came meanwhile at the next start.",
    ],
    arguments: [
      BridgeCommand.server,
      Argument(name: "CHANNEL", help: "A channel's name, or a pattern such as account.* or '>'."),
    ],
    options: BridgeCommand.options + [
      Option(
        name: "durable", letter: "d", value: "NAME",
        help: "Listen at least once, under this name."),
      Option(name: "group", letter: "g", value: "NAME", help: "Share the messages with a group."),
      Option(name: "count", letter: "n", value: "NUMBER", help: "End after so many messages."),
      Option(name: "headers", letter: nil, value: nil, help: "Print the headers as well."),
    ],
    examples: [
      "junctor listen nats://127.0.0.1:4222 'article.>'",
      "junctor listen nats://127.0.0.1:4222 shop.orders --durable audit --count 10",
    ],
    run: { try await runListen($0, $1) })

  private static func runListen(
    _ arguments: ParsedArguments, _ environment: ToolEnvironment
  ) async throws {
    #if NATS
      let limit = try BridgeCommand.number("count", arguments, .listen) ?? Int.max
      let subject = try BridgeSubject(
        prefix: arguments[option: "prefix"] ?? "junctor",
        pattern: ChannelPattern(arguments[argument: "CHANNEL"]))
      let nats = try await BridgeCommand.connect(arguments)
      var subscription = BridgeSubscription(subject: subject.text)
      if let name = arguments[option: "durable"] {
        subscription.promise = .atLeastOnce(durable: name)
      }
      subscription.group = arguments[option: "group"]
      let channel = arguments[argument: "CHANNEL"]
      let showsHeaders = arguments.has("headers")
      let printer = ListenPrinter(channel, limit: limit, environment)
      let route = nats.subscribe(subscription) { delivery in
        printer.take(delivery, Self.lines(delivery.frame, subject, showsHeaders))
      }
      try await route.ready()
      environment.complain("Listening to '\(channel)' on \(nats.label).")
      printer.begin(route)
      await printer.wait()
      await route.close(within: .seconds(5))
      printer.sum(route.dropped)
      await nats.close()
    #else
      throw BridgeCommand.missing(.listen)
    #endif
  }

  /// The lines of a frame: one for each message.
  static func lines(_ frame: BridgeFrame, _ subject: BridgeSubject, _ showsHeaders: Bool)
    -> [String]
  {
    var start = TerminalText.line(subject.channelName(of: frame.subject) ?? frame.subject) + "\t"
    if showsHeaders {
      let headers = frame.headers.sorted { $0.key < $1.key }.map {
        "\(TerminalText.line($0.key)): \(TerminalText.line($0.value))"
      }
      start += headers.joined(separator: "  ") + "\t"
    }
    let mark = frame.headers[MessageMark.header].flatMap { MessageMark($0) }
    guard let mark, mark.count > 0,
      let ranges = MessageBatch.ranges(of: frame.payload, count: mark.count)
    else { return [start + text(frame.payload[...])] }
    return ranges.map { start + text(frame.payload[$0]) }
  }

  /// A message as one line.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    TerminalText.line(String(decoding: bytes, as: UTF8.self))
  }
}
