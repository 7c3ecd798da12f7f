/// Makes every help text of the tool from the definitions of its commands.
package enum HelpText {
  /// The tool's name.
  static let tool = "junctor"
  private static let width = 80

  /// The text of `junctor --help`.
  package static func overview(_ commands: [CommandDefinition]) -> String {
    var text = "Shows who is joined to whom in a program that uses Junctor.\n\n"
    text += "Usage: \(tool) COMMAND …\n\nCommands:\n"
    let rows = commands.map { ($0.name, $0.summary) }
    text += table(rows + [("help", "Print this text, or that of a command.")])
    text += "\nOptions:\n" + table([("-h, --help", "Print this text."), version])
    text += "\nExit status: 0 if all went well, 1 if it failed, 2 if the call is wrong.\n"
    return text + "Run '\(tool) COMMAND --help' for more.\n"
  }

  /// The text of `junctor COMMAND --help`.
  package static func text(for command: CommandDefinition) -> String {
    let arguments = command.arguments.map(\.name)
    let usage = [tool, command.name] + (command.options.isEmpty ? [] : ["[OPTION …]"]) + arguments
    var text = "\(command.summary)\n\nUsage: \(usage.joined(separator: " "))\n"
    for paragraph in command.discussion { text += "\n" + wrapped(paragraph, indent: 0) + "\n" }
    if !command.arguments.isEmpty {
      text += "\nArguments:\n" + table(command.arguments.map { ($0.name, $0.help) })
    }
    let options = (command.options + [.help]).map { option in
      let choices = option.choices.joined(separator: ", ")
      return (option.spelling, choices.isEmpty ? option.help : "\(option.help) One of: \(choices).")
    }
    text += "\nOptions:\n" + table(options)
    if !command.examples.isEmpty {
      text += "\nExamples:\n" + command.examples.map { "  \($0)\n" }.joined()
    }
    return text
  }

  private static let version = ("    --version", "Print the version.")

  private static func table(_ rows: [(String, String)]) -> String {
    let column = (rows.map(\.0.count).max() ?? 0) + 4
    return rows.map { name, words in
      let padding = String(repeating: " ", count: column - name.count - 2)
      return "  \(name)\(padding)\(wrapped(words, indent: column))\n"
    }.joined()
  }

  private static func wrapped(_ words: String, indent: Int) -> String {
    var lines = [""]
    for word in words.split(separator: " ") {
      let line = lines[lines.count - 1]
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] = line.isEmpty ? String(word) : "\(line) \(word)"
      }
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
