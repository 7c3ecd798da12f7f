/// The arguments of one call, sorted by a command's definition.
package struct ParsedArguments: Sendable, Equatable {
  private var values: [String: String] = [:]
  private var places: [String: String] = [:]

  /// The value of an option, or `nil` if it was not given.
  package subscript(option name: String) -> String? { values[name] }

  /// Whether a flag was given.
  package func has(_ flag: String) -> Bool { values[flag] != nil }

  /// The argument of that name; the parser has seen to it that it is there.
  package subscript(argument name: String) -> String { places[name] ?? "" }

  /// Sorts the words of a call.
  ///
  /// Values follow their option as a word of their own or after `=`; `--` ends the options; a single `-` is an argument.
  package init(_ words: [String], for command: CommandDefinition) throws(UsageError) {
    var rest = words[...]
    var plain: [String] = []
    while let word = rest.popFirst() {
      if word == "--" {
        plain += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        plain.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = try Self.option(String(parts[0]), of: command)
      guard values[option.name] == nil else {
        throw UsageError(command, "the option '--\(option.name)' is given twice")
      }
      values[option.name] = try Self.value(
        of: option, inline: parts.count > 1 ? String(parts[1]) : nil, rest: &rest, command)
    }
    guard !has("help") else { return }
    if plain.count > command.arguments.count {
      throw UsageError(command, "the argument '\(plain[command.arguments.count])' is too much")
    }
    if plain.count < command.arguments.count {
      throw UsageError(command, "the argument \(command.arguments[plain.count].name) is missing")
    }
    for (argument, word) in zip(command.arguments, plain) { places[argument.name] = word }
  }

  private static func option(
    _ word: String, of command: CommandDefinition
  ) throws(UsageError) -> CommandDefinition.Option {
    let all = command.options + [.help]
    let found = all.first { option in
      word == "--\(option.name)" || option.letter.map { word == "-\($0)" } ?? false
    }
    guard let found else { throw UsageError(command, "there is no option '\(word)'") }
    return found
  }

  private static func value(
    of option: CommandDefinition.Option, inline: String?, rest: inout ArraySlice<String>,
    _ command: CommandDefinition
  ) throws(UsageError) -> String {
    guard let name = option.value else {
      guard inline == nil else {
        throw UsageError(command, "the option '--\(option.name)' takes no value")
      }
      return ""
    }
    guard let value = inline ?? rest.popFirst() else {
      throw UsageError(command, "the option '--\(option.name)' lacks its \(name)")
    }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      let choices = option.choices.joined(separator: ", ")
      throw UsageError(
        command, "'\(value)' is no \(name) of '--\(option.name)', which are \(choices)")
    }
    return value
  }
}

/// A call that does not fit the command's definition.
package struct UsageError: Error, Sendable, Equatable {
  /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
  package let message: String

  /// Says what is wrong with a call of a command.
  package init(_ command: CommandDefinition, _ cause: String) {
    let name = "\(HelpText.tool) \(command.name)"
    message = "Can't run '\(name)': \(cause). Run '\(name) --help'."
  }

  /// Says a whole sentence.
  init(_ sentence: String, _: Void) { message = sentence }

  /// Says what is wrong with a call of the tool.
  init(_ cause: String) {
    message = "Can't run '\(HelpText.tool)': \(cause). Run '\(HelpText.tool) --help'."
  }
}
