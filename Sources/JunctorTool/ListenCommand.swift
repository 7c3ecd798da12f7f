internal import JunctorBridge
internal import JunctorChannels
internal import JunctorNATS
internal import Synchronization

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
      let (lines, continuation) = AsyncStream.makeStream(
        of: (text: String, last: BridgeDelivery?).self)
      var subscription = BridgeSubscription(subject: subject.text)
      if let name = arguments[option: "durable"] {
        subscription.promise = .atLeastOnce(durable: name)
      }
      subscription.group = arguments[option: "group"]
      let showsHeaders = arguments.has("headers")
      let route = nats.subscribe(subscription) { delivery in
        let texts = Self.lines(delivery.frame, subject, showsHeaders)
        for (index, text) in texts.enumerated() {
          continuation.yield((text, index == texts.count - 1 ? delivery : nil))
        }
      }
      try await route.ready()
      environment.complain("Listening to '\(arguments[argument: "CHANNEL"])' on \(nats.label).")
      var count = 0
      for await line in lines {
        environment.print(line.text + "\n")
        // A frame of which a part was not printed comes again.
        line.last?.settle(.handled)
        count += 1
        if count == limit { break }
      }
      await route.close()
      await nats.close()
    #else
      throw BridgeCommand.missing(.listen)
    #endif
  }

  /// The lines of a frame: one for each message.
  static func lines(_ frame: BridgeFrame, _ subject: BridgeSubject, _ showsHeaders: Bool)
    -> [String]
  {
    var start = escaped(subject.channelName(of: frame.subject) ?? frame.subject) + "\t"
    if showsHeaders {
      let headers = frame.headers.sorted { $0.key < $1.key }.map {
        "\(escaped($0.key)): \(escaped($0.value))"
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
    escaped(String(decoding: bytes, as: UTF8.self))
  }

  /// A text without what a terminal would obey.
  private static func escaped(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 32 || (0x7F...0x9F).contains(scalar.value)
      line += isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return line
  }
}
