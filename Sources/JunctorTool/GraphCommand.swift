internal import JunctorWiring

extension CommandDefinition {
  /// `junctor graph`.
  package static let graph = CommandDefinition(
    name: "graph",
    summary: "Draws a wiring that was written as JSON.",
    discussion: [
      "Without --format, the suffix of the output file decides, or text is printed. SVG needs Graphviz's program dot."
    ],
    arguments: [
      Argument(name: "FILE", help: "The JSON that a program wrote, or - for standard input.")
    ],
    options: [
      Option(
        name: "format", letter: "f", value: "FORMAT",
        choices: ["svg", "dot", "mmd", "text", "json"], help: "What to draw."),
      Option(
        name: "output", letter: "o", value: "FILE",
        help: "Write to this file instead of standard output."),
      Option(
        name: "theme", letter: "t", value: "THEME", choices: ["light", "dark"],
        help: "The colours; light if not given."),
      Option(
        name: "focus", letter: nil, value: "TEXT",
        help: "Draw only what is near nodes whose label, type or kind contains this."),
      Option(
        name: "depth", letter: nil, value: "NUMBER",
        help: "How many edges are near; 1 if not given."),
    ],
    examples: [
      "junctor graph wiring.json", "junctor graph wiring.json -o wiring.svg --theme dark",
      "junctor graph wiring.json -f mmd --focus articleRead --depth 2",
    ],
    run: { arguments, environment in try draw(arguments, environment) })

  private static func draw(_ arguments: ParsedArguments, _ environment: ToolEnvironment) throws {
    let output = arguments[option: "output"]
    let format = try format(arguments[option: "format"], output)
    let theme = arguments[option: "theme"].flatMap(WiringTheme.init(named:)) ?? .light
    let depth = try depth(arguments)
    let file = arguments[argument: "FILE"]
    var wiring = try Wiring(
      json: try WiringFile.read(file == "-" ? "/dev/stdin" : file),
      name: file == "-" ? "standard input" : file)
    if let text = arguments[option: "focus"] {
      let start = wiring.nodes(matching: text)
      guard !start.isEmpty else {
        environment.complain("Nothing in '\(file)' contains '\(text)'; the picture is empty.")
        wiring = Wiring()
        return try write(wiring, format, theme, output, environment)
      }
      wiring = wiring.neighbourhood(of: start, depth: depth)
    }
    try write(wiring, format, theme, output, environment)
  }

  private static func write(
    _ wiring: Wiring, _ format: WiringFormat, _ theme: WiringTheme, _ output: String?,
    _ environment: ToolEnvironment
  ) throws {
    let text = try wiring.rendered(as: format, theme: theme)
    guard let output, output != "-" else {
      // Written to a file it is nobody's to obey; a terminal might.
      return environment.print(format == .json ? TerminalText.json(text) : text)
    }
    try WiringFile.write(text, to: output)
  }

  private static func format(_ name: String?, _ output: String?) throws -> WiringFormat {
    if let name, let format = WiringFormat(named: name) { return format }
    guard let output, output != "-" else { return .text }
    guard let format = WiringFormat(suffixOf: output) else {
      throw UsageError(
        .graph, "the suffix of '\(output)' stands for no format; give one by --format")
    }
    return format
  }

  private static func depth(_ arguments: ParsedArguments) throws -> Int {
    guard let text = arguments[option: "depth"] else { return 1 }
    guard arguments[option: "focus"] != nil else {
      throw UsageError(.graph, "'--depth' has no meaning without '--focus'")
    }
    guard let depth = Int(text), depth >= 0 else {
      throw UsageError(.graph, "'\(text)' is no number of edges")
    }
    return depth
  }
}
