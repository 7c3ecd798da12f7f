/// What one command takes and does; parsing, help and error texts are all made from it.
package struct CommandDefinition: Sendable {
  /// An argument that is told by its place.
  package struct Argument: Sendable {
    /// Its name in the help, as `FILE`.
    package var name: String
    /// What it is.
    package var help: String
  }

  /// An option: a flag, or a name with a value.
  package struct Option: Sendable {
    /// Its name, without dashes.
    package var name: String
    /// Its one-letter name.
    package var letter: Character?
    /// What its value is called, as `FILE`; a flag has none.
    package var value: String?
    /// The values that are accepted; empty for any.
    package var choices: [String] = []
    /// What it does.
    package var help: String
  }

  /// The command's name.
  package var name: String
  /// What it does, in one sentence.
  package var summary: String
  /// What more there is to say, in paragraphs.
  package var discussion: [String] = []
  /// Its arguments, all of them required.
  package var arguments: [Argument] = []
  /// Its options.
  package var options: [Option] = []
  /// Lines that can be typed as they are.
  package var examples: [String] = []
  /// Does it; called with what was parsed.
  package var run: @Sendable (ParsedArguments, ToolEnvironment) async throws -> Void
}

extension CommandDefinition.Option {
  /// The option that every command has.
  static let help = Self(name: "help", letter: "h", value: nil, help: "Print this help.")

  /// The option as it is typed: `-f, --format FORMAT`.
  var spelling: String {
    let short = letter.map { "-\($0), " } ?? "    "
    return short + "--\(name)" + (value.map { " \($0)" } ?? "")
  }
}
