extension CommandDefinition {
  /// `junctor watch`.
  package static let watch = CommandDefinition(
    name: "watch",
    summary: "Shows a running inspector in the terminal.",
    discussion: [
      "Lists what is joined, with what was counted and how much of it each second, and what happens. Keys: q ends, the arrows scroll, p shows problems only.",
      "Where the output is no terminal, a list is printed each time, without colours. NO_COLOR in the environment turns them off as well.",
    ],
    arguments: [
      Argument(name: "URL", help: "What the program printed when its inspector started.")
    ],
    options: [
      Option(name: "once", letter: "1", value: nil, help: "Print one list and end."),
      Option(
        name: "interval", letter: "i", value: "SECONDS",
        help: "How often to ask for the numbers; 1 if not given."),
    ],
    examples: [
      "junctor watch 'http://127.0.0.1:8642/?token=9f2c…'",
      "junctor watch --once 'http://127.0.0.1:8642/?token=9f2c…' | less",
    ],
    run: { arguments, environment in try watch(arguments, environment) })

  private static func watch(_ arguments: ParsedArguments, _ environment: ToolEnvironment) throws {
    let interval = try interval(arguments)
    let address = try WatchAddress(arguments[argument: "URL"])
    guard let wishes = WatchWishes() else {
      throw UsageError(.watch, "the system has no descriptors left")
    }
    let client = WatchClient(address: address, interrupt: wishes.descriptor)
    if arguments.has("once") {
      var model = WatchModel(address: address.shown)
      model.take(try WatchClient(address: address).sample())
      return environment.print(text(model))
    }
    let signals = WatchSignals(wishes)
    defer { withExtendedLifetime(signals) {} }
    if let descriptors = environment.terminal {
      let terminal = WatchTerminal(input: descriptors.input, output: descriptors.output)
      var session = WatchSession(
        client, on: terminal, wishes, every: interval, isColoured: environment.isColoured)
      return try session.run()
    }
    try repeatedly(client, wishes, interval, environment)
  }

  /// Prints a list each time, until a signal ends it.
  private static func repeatedly(
    _ client: WatchClient, _ wishes: WatchWishes, _ interval: Duration,
    _ environment: ToolEnvironment
  ) throws {
    var model = WatchModel(address: client.address.shown)
    var isFirst = true
    while true {
      do {
        model.take(try client.sample())
      } catch is CancellationError {
        if wishes.wishes().contains(.end) { return }
        continue
      }
      environment.print((isFirst ? "" : "\n") + text(model))
      isFirst = false
      let next = ContinuousClock.now + interval
      while Poll.wait(for: [(wishes.descriptor, 1)], until: next)[0] {
        if wishes.wishes().contains(.end) { return }
      }
    }
  }

  private static func text(_ model: WatchModel) -> String {
    WatchView().lines(model).map { "\($0)\n" }.joined()
  }

  private static func interval(_ arguments: ParsedArguments) throws -> Duration {
    guard let text = arguments[option: "interval"] else { return .seconds(1) }
    guard !arguments.has("once") else {
      throw UsageError(.watch, "'--interval' has no meaning with '--once'")
    }
    guard let seconds = Double(text), seconds >= 0.1, seconds <= 3_600 else {
      throw UsageError(.watch, "'\(text)' is no number of seconds from 0.1 to 3600")
    }
    return .milliseconds(Int((seconds * 1_000).rounded()))
  }
}
