import Foundation
import Testing

@testable import JunctorWiring

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Whether Graphviz is here; the tests that draw need it.
let hasGraphviz = ChildProgram.find("dot") != nil

struct FileTests {
  @Test(arguments: [
    ("a.svg", WiringFormat.svg), ("a.dot", .dot), ("a.gv", .dot), ("a.mmd", .mermaid),
    ("a.json", .json), ("x.y/a.TXT", .text),
  ])
  func `W2 a file's suffix picks the format`(path: String, format: WiringFormat) {
    #expect(WiringFormat(suffixOf: path) == format)
  }

  @Test(arguments: ["", "a", "a.", "a.png", "svg", "a.svg/b", ".svg/"])
  func `W2 any other suffix is an error that lists those that are known`(path: String) {
    #expect(WiringFormat(suffixOf: path) == nil)
    let error = #expect(throws: WiringError.self) { try Wiring().write(to: path) }
    #expect(error?.code == .unknownFormat)
    #expect(error?.message.contains("Use .txt, .json, .dot, .mmd or .svg.") == true)
  }

  @Test func `W2 a written file is read back, and replaced at one stroke`() throws {
    try withFolder { folder in
      let path = folder + "/w.json"
      try Sample.small.write(to: path)
      #expect(try Wiring(contentsOf: path) == Sample.small)
      try Sample.everything.write(to: path)
      #expect(try Wiring(contentsOf: path) == Sample.everything)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["w.json"])
    }
  }

  @Test func `W2 a symbolic link stays one, and the file's mode stays as it was`() throws {
    try withFolder { folder in
      let files = FileManager.default
      try Sample.small.write(to: folder + "/real.txt")
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/real.txt")
      try files.createSymbolicLink(
        atPath: folder + "/link.txt", withDestinationPath: folder + "/real.txt")
      try Sample.everything.write(to: folder + "/link.txt")
      #expect(
        try files.destinationOfSymbolicLink(atPath: folder + "/link.txt").hasSuffix("real.txt"))
      let attributes = try files.attributesOfItem(atPath: folder + "/real.txt")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `W2 a folder, a missing folder and a pipe are refused and leave nothing behind`()
    throws
  {
    try withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/d.txt", withIntermediateDirectories: false)
      // SAFETY: the string lives through the call.
      #expect(unsafe mkfifo(folder + "/p.txt", 0o600) == 0)
      for (name, cause) in [
        ("d.txt", "it is a folder"), ("p.txt", "it is a pipe or a socket"),
        ("none/a.txt", "no such file or directory"), ("nul\u{0}.txt", "it is no file's name"),
      ] {
        let error = #expect(throws: WiringError.self) {
          try Wiring().write(to: "\(folder)/\(name)")
        }
        #expect(error?.code == .unwritable)
        #expect(error?.cause == cause)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.sorted() == ["d.txt", "p.txt"])
    }
  }

  @Test func `W2 what can't be read is named with the cause`() throws {
    try withFolder { folder in
      let missing = #expect(throws: WiringError.self) { try Wiring(contentsOf: folder + "/none") }
      #expect(missing?.code == .unreadable)
      #expect(missing?.cause == "no such file or directory")
      let directory = #expect(throws: WiringError.self) { try Wiring(contentsOf: folder) }
      #expect(directory?.code == .unreadable)
      #expect(directory?.cause == "is a directory")
    }
  }

  @Test func `W2 without Graphviz the message says how to get it`() {
    let error = #expect(throws: WiringError.self) { try Wiring().svg(program: "/nowhere/dot") }
    #expect(error?.code == .graphvizMissing)
    #expect(
      error?.message
        == "Can't start '/nowhere/dot': no such file or directory. Install Graphviz, or write a .dot or .mmd file."
    )
  }

  @Test(arguments: [
    ("echo 'syntax error' >&2; exit 3", WiringError.Code.graphvizFailed),
    // More than a pipe holds, on both sides, without reading a byte of the input.
    ("head -c 400000 /dev/zero >&2; head -c 400000 /dev/zero", .graphvizFailed),
    ("kill -9 $$", .graphvizFailed), ("", .graphvizFailed),
    ("while :; do :; done", .graphvizTimedOut),
    // A child of its own that keeps the output open.
    ("(i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done) & echo", .graphvizTimedOut),
  ])
  func `W2 a program that fails, floods or never ends is no trouble`(
    script: String, code: WiringError.Code
  ) {
    let input = Array(Sample.program(nodes: 200).dot().utf8)
    let limit = code == .graphvizTimedOut ? Duration.milliseconds(50) : .seconds(60)
    let outcome = ChildProgram(path: "/bin/sh", arguments: ["-c", script])
      .run(input: input, timeLimit: limit)
    let error = #expect(throws: WiringError.self) {
      try Wiring.picture(outcome, program: "dot", timeLimit: limit)
    }
    #expect(error?.code == code)
    if script.hasPrefix("echo") { #expect(error?.cause == "syntax error␊") }
  }

  @Test(
    .enabled(if: hasGraphviz, "needs Graphviz's program dot"),
    arguments: SampleName.allCases)
  func `W2 Graphviz draws every wiring as well-formed SVG, light and dark`(
    sample: SampleName
  ) throws {
    let wiring = sample.wiring
    for theme in [WiringTheme.light, .dark] {
      let svg = try wiring.svg(theme: theme)
      #expect(svg.contains("</svg>"))
      #expect(svg.contains(theme.palette.page))
      #expect(!svg.contains("<script"))
      #expect(XMLParser(data: Data(svg.utf8)).parse())
      // Each node has its group, and so has the legend.
      #expect(svg.split(separator: "class=\"node\"").count - 1 >= wiring.nodes.count - 1)
    }
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/junctor-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }
}
