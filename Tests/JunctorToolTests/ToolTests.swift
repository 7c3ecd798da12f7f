import Foundation
import JunctorCore
import JunctorTool
import JunctorWiring
import Testing

struct ToolTests {
  @Test func `W5 the overview is made from the commands`() async {
    let (status, output, errors) = await run("--help")
    #expect(status == 0)
    #expect(errors == "")
    #expect(
      output == """
        Shows who is joined to whom in a program that uses Junctor.

        Usage: junctor COMMAND …

        Commands:
          graph   Draws a wiring that was written as JSON.
          watch   Shows a running inspector in the terminal.
          listen  Prints what is posted on a bridged channel.
          post    Posts a message on a bridged channel.
          bench   Measures a bridge between two processes.
          help    Print this text, or that of a command.

        Options:
          -h, --help     Print this text.
              --version  Print the version.

        Exit status: 0 if all went well, 1 if it failed, 2 if the call is wrong.
        Run 'junctor COMMAND --help' for more.

        """)
    #expect(await run("help").output == output)
    #expect(await run("-h").output == output)
  }

  @Test func `W5 a command's help is made from its definition`() async {
    let (status, output, errors) = await run("graph", "--help")
    #expect(status == 0)
    #expect(errors == "")
    #expect(
      output == """
        Draws a wiring that was written as JSON.

        Usage: junctor graph [OPTION …] FILE

        Without --format, the suffix of the output file decides, or text is printed. SVG
        needs Graphviz's program dot.

        Arguments:
          FILE  The JSON that a program wrote, or - for standard input.

        Options:
          -f, --format FORMAT  What to draw. One of: svg, dot, mmd, text, json.
          -o, --output FILE    Write to this file instead of standard output.
          -t, --theme THEME    The colours; light if not given. One of: light, dark.
              --focus TEXT     Draw only what is near nodes whose label, type or kind
                               contains this.
              --depth NUMBER   How many edges are near; 1 if not given.
          -h, --help           Print this help.

        Examples:
          junctor graph wiring.json
          junctor graph wiring.json -o wiring.svg --theme dark
          junctor graph wiring.json -f mmd --focus articleRead --depth 2

        """)
    #expect(await run("help", "graph").output == output)
    #expect(await run("graph", "x", "-h").output == output)
  }

  @Test func `W5 every command has help whose lines fit a terminal`() async {
    for command in Tool.commands {
      let (status, output, _) = await run(command.name, "--help")
      #expect(status == 0)
      #expect(output.hasPrefix(command.summary))
      for line in output.split(separator: "\n") { #expect(line.count <= 80) }
    }
  }

  @Test(arguments: [
    ([], "Can't run 'junctor': no command is given. Run 'junctor --help'."),
    (["paint"], "Can't run 'junctor': there is no command 'paint'. Run 'junctor --help'."),
    (["--paint"], "Can't run 'junctor': there is no option '--paint'. Run 'junctor --help'."),
    (["help", "paint"], "Can't run 'junctor': there is no command 'paint'. Run 'junctor --help'."),
    (
      ["--help", "graph"],
      "Can't run 'junctor': '--help' is followed by too many words. Run 'junctor --help'."
    ),
    (
      ["graph"],
      "Can't run 'junctor graph': the argument FILE is missing. Run 'junctor graph --help'."
    ),
    (
      ["graph", "a", "b"],
      "Can't run 'junctor graph': the argument 'b' is too much. Run 'junctor graph --help'."
    ),
    (
      ["graph", "a", "--paint"],
      "Can't run 'junctor graph': there is no option '--paint'. Run 'junctor graph --help'."
    ),
    (
      ["graph", "a", "-f"],
      "Can't run 'junctor graph': the option '--format' lacks its FORMAT. Run 'junctor graph --help'."
    ),
    (
      ["graph", "a", "-f", "png"],
      "Can't run 'junctor graph': 'png' is no FORMAT of '--format', which are svg, dot, mmd, text, json. Run 'junctor graph --help'."
    ),
    (
      ["graph", "a", "-f", "dot", "--format=mmd"],
      "Can't run 'junctor graph': the option '--format' is given twice. Run 'junctor graph --help'."
    ),
    (
      ["graph", "a", "--help=no"],
      "Can't run 'junctor graph': the option '--help' takes no value. Run 'junctor graph --help'."
    ),
    (
      ["graph", "a", "-o", "a.png"],
      "Can't run 'junctor graph': the suffix of 'a.png' stands for no format; give one by --format. Run 'junctor graph --help'."
    ),
    (
      ["graph", "a", "--focus", "x", "--depth", "-1"],
      "Can't run 'junctor graph': '-1' is no number of edges. Run 'junctor graph --help'."
    ),
    (
      ["graph", "a", "--depth", "2"],
      "Can't run 'junctor graph': '--depth' has no meaning without '--focus'. Run 'junctor graph --help'."
    ),
  ])
  func `W5 a wrong call ends with status 2 and one line`(words: [String], message: String) async {
    let (status, output, errors) = await run(words)
    #expect(status == 2)
    #expect(output == "")
    #expect(errors == message + "\n")
  }

  @Test func `W5 graph draws every format, to standard output and to files`() async throws {
    try await withFile(Self.sample.json()) { file in
      #expect(await run("graph", file).output == Self.sample.text())
      #expect(await run("graph", "-f", "text", file).output == Self.sample.text())
      #expect(await run("graph", "-f=dot", file).output == Self.sample.dot())
      #expect(
        await run("graph", file, "--format=mmd", "-t", "dark").output
          == Self.sample.mermaid(theme: .dark))
      #expect(await run("graph", "-f", "json", "--", file).output == Self.sample.json())
      for suffix in ["dot", "mmd", "txt", "json"] {
        let target = "\(file).\(suffix)"
        let (status, output, errors) = await run("graph", file, "-o", target)
        #expect(status == 0)
        #expect(output + errors == "")
        let written = try String(contentsOfFile: target, encoding: .utf8)
        let format = try #require(WiringFormat(named: suffix))
        #expect(try written == Self.sample.rendered(as: format))
        try FileManager.default.removeItem(atPath: target)
      }
    }
  }

  @Test func `W5 graph draws the neighbourhood of what is looked for`() async throws {
    try await withFile(Self.sample.json()) { file in
      let near = await run("graph", file, "--focus", "BADGE").output
      #expect(near.contains("object 'Badge'"))
      #expect(near.contains("channel 'read'"))
      #expect(near.contains("exchange 'app'"))
      #expect(!near.contains("object 'List'"))
      let wide = await run("graph", file, "--focus", "badge", "--depth", "2").output
      #expect(wide.contains("object 'List'"))
      let (status, output, errors) = await run("graph", file, "--focus", "nothing")
      #expect(status == 0)
      #expect(output == Wiring().text())
      #expect(errors == "Nothing in '\(file)' contains 'nothing'; the picture is empty.\n")
    }
  }

  @Test(arguments: [
    ("", "it ends before the record is complete. Write the file again, or copy all of it."),
    (
      "{\"format\": \"junctor.wi",
      "it ends before the record is complete. Write the file again, or copy all of it."
    ),
    (
      "{}",
      "it is JSON, but not a wiring. Give a file that Wiring.json() or '--wiring FILE.json' wrote."
    ),
    (
      "hello", "it is no JSON object. Give a file that Wiring.json() or '--wiring FILE.json' wrote."
    ),
    (
      "{\"format\": \"junctor.wiring\", \"version\": 9}",
      "it has version 9, and this Junctor reads up to version 1. Use a newer Junctor."
    ),
  ])
  func `W5 a file that is no wiring ends with status 1 and one line`(
    text: String, cause: String
  ) async throws {
    try await withFile(text) { file in
      let (status, output, errors) = await run("graph", file)
      #expect(status == 1)
      #expect(output == "")
      #expect(errors == "Can't read '\(file)': \(cause)\n")
    }
  }

  @Test func `W5 a missing file and a folder that can't be written end with status 1`() async throws
  {
    let missing = await run("graph", "/nowhere/w.json")
    #expect(missing.status == 1)
    #expect(
      missing.errors
        == "Can't read '/nowhere/w.json': no such file or directory. Give the path of a file that exists and may be read.\n"
    )
    try await withFile(Self.sample.json()) { file in
      let (status, _, errors) = await run("graph", file, "-o", "/nowhere/w.dot")
      #expect(status == 1)
      #expect(errors.hasPrefix("Can't write '/nowhere/w.dot': no such file or directory."))
    }
  }

  @Test func `W5 the version is one line`() async {
    let (status, output, _) = await run("--version")
    #expect(status == 0)
    #expect(output == "\(Junctor.version)\n")
  }

  @Test func `W5 the version is the one that the README has users depend on`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(text.contains("from: \"\(Junctor.version)\""))
  }

  @Test func `W5 the help of watch is made from its definition`() async {
    #expect(
      await run("watch", "--help").output == """
        Shows a running inspector in the terminal.

        Usage: junctor watch [OPTION …] URL

        Lists what is joined, with what was counted and how much of it each second, and
        what happens. Keys: q ends, the arrows scroll, p shows problems only.

        Where the output is no terminal, a list is printed each time, without colours.
        NO_COLOR in the environment turns them off as well.

        Arguments:
          URL  What the program printed when its inspector started.

        Options:
          -1, --once              Print one list and end.
          -i, --interval SECONDS  How often to ask for the numbers; 1 if not given.
          -h, --help              Print this help.

        Examples:
          junctor watch 'http://127.0.0.1:8642/?token=9f2c…'
          junctor watch --once 'http://127.0.0.1:8642/?token=9f2c…' | less

        """)
  }

  static let sample = Wiring(
    nodes: [
      Wiring.Node(id: Wiring.NodeID(1), kind: .exchange, label: "app"),
      Wiring.Node(id: Wiring.NodeID(2), kind: .channel, label: "read", parent: Wiring.NodeID(1)),
      Wiring.Node(id: Wiring.NodeID(3), kind: .object, label: "List"),
      Wiring.Node(id: Wiring.NodeID(4), kind: .object, label: "Badge"),
    ],
    edges: [
      Wiring.Edge(from: Wiring.NodeID(3), to: Wiring.NodeID(2), kind: .posts),
      Wiring.Edge(from: Wiring.NodeID(2), to: Wiring.NodeID(4), kind: .listens),
    ])

  private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.path + "/junctor-\(UUID().uuidString)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }
}
