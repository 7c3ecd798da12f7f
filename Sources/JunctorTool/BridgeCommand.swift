internal import JunctorBridge
internal import JunctorNATS

/// What the commands that use a bridge have in common.
enum BridgeCommand {
  /// The options of all of them.
  static let options: [CommandDefinition.Option] = [
    CommandDefinition.Option(
      name: "prefix", letter: "p", value: "PREFIX",
      help: "What stands before the channel's name on the wire; junctor if not given."),
    CommandDefinition.Option(
      name: "credentials", letter: "c", value: "FILE",
      help: "The file with the user's token and key."),
    CommandDefinition.Option(
      name: "authorities", letter: nil, value: "FILE",
      help: "The file of the authorities to trust beside the system's."),
  ]

  /// The argument that names the server.
  static let server = CommandDefinition.Argument(
    name: "URL", help: "The server, as nats://host:port or tls://host:port.")

  /// What is said where the tool was built without the trait.
  static func missing(_ command: CommandDefinition) -> UsageError {
    UsageError(
      "Can't run 'junctor \(command.name)': this build of the tool lacks the trait 'NATS'. Build it "
        + "with 'swift build --traits NATS'.", ())
  }

  /// A number that an option gives.
  static func number(
    _ name: String, _ arguments: ParsedArguments, _ command: CommandDefinition
  ) throws(UsageError) -> Int? {
    guard let text = arguments[option: name] else { return nil }
    guard let number = Int(text), number > 0 else {
      throw UsageError(command, "'\(text)' is no number for '--\(name)'")
    }
    return number
  }

  #if NATS
    /// Connects, and says why if that can't be.
    static func connect(_ arguments: ParsedArguments) async throws -> NATSConnection {
      var options = NATSOptions()
      options.name = "junctor command"
      if let file = arguments[option: "credentials"] { options.credentials = .file(file) }
      if let file = arguments[option: "authorities"] {
        options.encryption = NATSOptions.Encryption()
        options.encryption?.authorities = file
      }
      let nats = NATSConnection(arguments[argument: "URL"], options: options)
      // Whoever types does not wait for a server to be started.
      let stop = nats.observe { state in
        if case .connecting(.some(let error)) = state, error.code == .disconnected {
          Task { await nats.close() }
        }
      }
      defer { stop() }
      do {
        try await nats.connected()
      } catch let error as BridgeError where error.code == .closed {
        throw BridgeError(
          .disconnected,
          "Can't reach '\(nats.label)': nobody answers there. Start the server or correct the URL.")
      }
      return nats
    }
  #endif
}
