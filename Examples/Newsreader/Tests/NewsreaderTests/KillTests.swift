import Foundation
import Testing

@testable import NewsreaderKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is on the disk when the program is killed.
@Suite struct KillTests {
  @Test(.timeLimit(.minutes(2)))
  func `N6 killed at any moment, the state file is the old one or the new one`() throws {
    let folder = try ScratchFolder()
    let count = 60
    let items = (1...count).map { "<title>A\($0)</title><guid>\($0)</guid>" }
    let feed = try folder.write(
      "f.xml",
      "<rss version='2.0'><channel><title>F</title>"
        + items.map { "<item>\($0)</item>" }.joined() + "</channel></rss>")
    let file = StateFile(path: folder.path("state.json"))
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var known = 0
    while known < count - 1 {
      let sent = min(known + Int.random(in: 1...6, using: &generator), count)
      try mark((known + 1)...sent, of: feed, state: file.path, using: &generator)
      let marks = try file.read().count
      // The last command may or may not have been written; all before it were.
      #expect((sent - 1...sent).contains(marks), "seed \(seed)")
      guard (sent - 1...sent).contains(marks) else { return }
      known = marks
    }
    #expect(folder.names.allSatisfy { ["f.xml", "state.json", "state.json.new"].contains($0) })
  }

  /// Marks articles one by one, and kills the program while it handles the last.
  private func mark(
    _ numbers: ClosedRange<Int>, of feed: String, state: String,
    using generator: inout SeededGenerator
  ) throws {
    let process = Process()
    process.executableURL = ChildProgram.url
    process.arguments = ["--state", state, feed]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    for number in numbers {
      try input.fileHandleForWriting.write(contentsOf: Data("mark \(number) read\n".utf8))
      // An answer says that the command before it is on the disk.
      let isLast = number == numbers.upperBound
      if !isLast || Bool.random(using: &generator) { try readLine(output.fileHandleForReading) }
    }
    // Some time passes, and none of it by the clock.
    var waste: UInt64 = 0
    for _ in 0..<Int.random(in: 0...200_000, using: &generator) { waste ^= generator.next() }
    #expect(waste != 1)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func readLine(_ handle: FileHandle) throws {
    while let byte = try handle.read(upToCount: 1), byte != Data([0x0A]) {}
  }
}
