internal import JunctorBridge
internal import JunctorCore
internal import JunctorWiring

/// The tool itself: finds the command, parses its arguments, runs it and says how it went.
package enum Tool {
  /// Its commands, in the order of the help text.
  package static let commands: [CommandDefinition] = [.graph, .watch, .listen, .post, .bench]

  /// Runs one call.
  ///
  /// - Parameters:
  ///   - words: the arguments, without the program's own name.
  ///   - environment: where text goes.
  /// - Returns: the exit status: 0 if all went well, 1 if it failed, 2 if the call is wrong.
  package static func run(_ words: [String], in environment: ToolEnvironment) async -> Int32 {
    do {
      try await dispatch(words, environment)
      return 0
    } catch {
      // Errors may quote what came from elsewhere.
      let (messages, status) = told(error)
      for message in messages { environment.complain(TerminalText.lines(message)) }
      return status
    }
  }

  private static func told(_ error: any Error) -> (messages: [String], status: Int32) {
    switch error {
    case let error as UsageError: ([error.message], 2)
    case let error as WatchError: ([error.message], 1)
    case let error as WiringError:
      ([error.message] + (error.code == .graphvizFailed ? [error.cause].compactMap { $0 } : []), 1)
    case let error as BridgeError:
      ([error.message], error.code == .invalidName || error.code == .invalidOption ? 2 : 1)
    default: (["Can't go on: \(error). Try again."], 1)
    }
  }

  private static func dispatch(_ words: [String], _ environment: ToolEnvironment) async throws {
    guard let name = words.first else { throw UsageError("no command is given") }
    switch name {
    case "--version" where words.count == 1: return environment.print("\(Junctor.version)\n")
    case "--help" where words.count == 1, "-h" where words.count == 1,
      "help" where words.count == 1:
      return environment.print(HelpText.overview(commands))
    case "help" where words.count == 2:
      return environment.print(HelpText.text(for: try command(words[1])))
    case "--version", "--help", "-h", "help":
      throw UsageError("'\(name)' is followed by too many words")
    default: break
    }
    let command = try command(name)
    let arguments = try ParsedArguments(Array(words.dropFirst()), for: command)
    if arguments.has("help") { return environment.print(HelpText.text(for: command)) }
    try await command.run(arguments, environment)
  }

  private static func command(_ name: String) throws(UsageError) -> CommandDefinition {
    guard let found = commands.first(where: { $0.name == name }) else {
      let kind = name.hasPrefix("-") ? "option" : "command"
      throw UsageError("there is no \(kind) '\(name)'")
    }
    return found
  }
}
