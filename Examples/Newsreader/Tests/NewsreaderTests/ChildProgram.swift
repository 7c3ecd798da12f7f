import Foundation

/// Runs the built program as a child process.
struct ChildProgram {
  /// What came of a run.
  struct Outcome {
    /// The exit status.
    var status: Int32
    /// What it printed.
    var output: [String]
    /// What it printed to standard error.
    var errors: [String]
  }

  /// Where the program was built.
  static let url: URL = {
    let own = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    var folder = own.resolvingSymlinksInPath().deletingLastPathComponent()
    // On macOS the tests lie in a bundle beside the program; on Linux the runner does.
    for _ in 0..<5 {
      let program = folder.appendingPathComponent("Newsreader")
      if FileManager.default.isExecutableFile(atPath: program.path) { return program }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "/nowhere/Newsreader")
  }()

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - arguments: the command line.
  ///   - input: standard input.
  ///   - prelude: shell commands that come first, such as a limit.
  static func run(
    _ arguments: [String], input: String = "", prelude: String? = nil
  ) throws -> Outcome {
    let folder = try ScratchFolder()
    let process = Process()
    if let prelude {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", prelude + "; exec \"$0\" \"$@\"", url.path] + arguments
    } else {
      process.executableURL = url
      process.arguments = arguments
    }
    // Files rather than pipes: a pipe that nobody empties stops the child.
    process.standardInput = try FileHandle(
      forReadingFrom: URL(fileURLWithPath: folder.write("in", input)))
    for name in ["out", "err"] { _ = try folder.write(name, "") }
    process.standardOutput = try FileHandle(
      forWritingTo: URL(fileURLWithPath: folder.path("out")))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path("err")))
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: lines(try folder.read("out")),
      errors: lines(try folder.read("err")))
  }

  private static func lines(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
