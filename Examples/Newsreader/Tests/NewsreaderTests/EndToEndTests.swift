import Foundation
import Testing

@testable import NewsreaderKit

/// The program as a user meets it.
@Suite struct EndToEndTests {
  private let folder: ScratchFolder
  private let state: [String]

  init() throws {
    folder = try ScratchFolder()
    state = ["--state", folder.path("state.json")]
  }

  private func three() throws -> String {
    try folder.write(
      "three.xml",
      Samples.rss(
        "<title>One</title><guid>1</guid><description>Body of one</description>",
        "<title>Two</title><guid>2</guid>", "<title>Three</title><guid>3</guid>"))
  }

  private func run(_ arguments: [String], _ commands: String...) throws -> ChildProgram.Outcome {
    try ChildProgram.run(arguments, input: commands.map { $0 + "\n" }.joined())
  }

  @Test func `N7 the commands do what help says`() throws {
    let feed = try three()
    let outcome = try run(
      state + [feed], "count", "list", "open 1", "next", "archive", "list", "unread", "count",
      "mark 1 unread", "search BODY", "count", "quit", "count")
    #expect(outcome.errors == [])
    #expect(outcome.status == 0)
    #expect(
      outcome.output == [
        "articles 3 unread 3 archived 0", "1. [unread] One", "2. [unread] Two",
        "3. [unread] Three", "One", "Feed · undated", "", "Body of one", "Two", "Feed · undated",
        "Archived 'Two'.", "1. [read] One", "3. [unread] Three", "3. [unread] Three",
        "articles 3 unread 1 archived 1", "1. [unread] One", "1. [unread] One",
        "articles 3 unread 2 archived 1",
      ])
  }

  @Test func `N7 commands may come from a file, which wins over standard input`() throws {
    let commands = try folder.write("commands", "# a comment\r\n\r\ncount")
    let outcome = try run(state + ["--commands", commands, try three()], "list")
    #expect(outcome.output == ["articles 3 unread 3 archived 0"])
  }

  @Test func `N7 what is no command prints one line and goes on`() throws {
    let outcome = try run(
      state + [try three()], "dance", "open", "open 9", "open x", "mark 1", "mark 9 read", "next",
      "back", "archive", "search", "wiring", "list please", "count")
    #expect(outcome.output.count == 13)
    #expect(outcome.output[0] == "Unknown command 'dance'. 'help' lists the commands.")
    #expect(outcome.output.last == "articles 3 unread 3 archived 0")
    #expect(outcome.status == 0)
  }

  @Test func `N7 at the ends the article stays open`() throws {
    let outcome = try run(
      state + [try three()], "open 3", "next", "previous", "previous", "previous", "back", "back")
    #expect(
      outcome.output.filter { !$0.hasPrefix("Feed") && !$0.hasPrefix("Body") && !$0.isEmpty } == [
        "Three", "This is the last article.", "Two", "One", "This is the first article.",
        "No article is open.",
      ])
  }

  @Test func `N6 marks survive a restart, a reload and another path`() throws {
    _ = try run(state + [try three()], "open 2", "archive", "open 3")
    let moved = try folder.write("moved.xml", Data(contentsOf: URL(fileURLWithPath: three())))
    let outcome = try run(state + [moved], "list", "count")
    #expect(
      outcome.output == [
        "1. [unread] One", "3. [read] Three", "articles 3 unread 1 archived 1",
      ])
  }

  @Test func `N5 a feed that fails takes nothing from the others, nor from what is stored`() throws
  {
    let feed = try three()
    _ = try run(state + [feed], "open 1")
    let stored = try folder.read("state.json")
    let broken = try folder.write("broken.xml", "<rss><channel><item><title>One</ti")
    let alone = try run(state + [broken], "count")
    #expect(alone.status == 1)
    #expect(alone.errors.count == 1)
    #expect(try folder.read("state.json") == stored)
    let outcome = try run(state + [broken, feed, folder.path("none.xml")], "count")
    #expect(outcome.status == 1)
    #expect(outcome.errors.count == 2)
    #expect(outcome.output == ["articles 3 unread 2 archived 0"])
  }

  @Test func `N1 OPML brings its feeds, each once, and cycles end`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("sub"), withIntermediateDirectories: true)
    _ = try three()
    _ = try folder.write("my feed.xml", Samples.rss("<title>Four</title><guid>4</guid>"))
    let all = try folder.write(
      "all.opml",
      "<opml><body><outline xmlUrl='three.xml'/><outline xmlUrl='sub/more.opml'/></body></opml>")
    _ = try folder.write(
      "sub/more.opml",
      """
      <opml><body><outline text='x'><outline xmlUrl='../all.opml'/><outline xmlUrl='../three.xml'/>
      <outline xmlUrl='../my%20feed.xml'/><outline xmlUrl='more.opml'/></outline></body></opml>
      """)
    let outcome = try run(state + [all], "list")
    #expect(outcome.errors == [])
    #expect(
      outcome.output == [
        "1. [unread] One", "2. [unread] Two", "3. [unread] Three", "4. [unread] Four",
      ])
    let web = try folder.write(
      "web.opml", "<opml><body>\n<outline xmlUrl='https://a.org/f.xml'/></body></opml>")
    let refused = try run(state + [web], "count")
    #expect(refused.status == 1)
    #expect(refused.errors.count == 1)
    #expect(refused.errors[0].contains("web.opml:2:1'"))
  }

  @Test func `N7 wrong usage ends with status 2 and one line`() throws {
    for arguments in [
      [], ["--nothing", "f.xml"], ["--state"], ["--wiring", "x.png", "f.xml"],
      ["--commands", folder.path("none"), try three()],
      ["--commands", folder.url.path, try three()],
    ] {
      let outcome = try run(arguments.isEmpty ? [] : state + arguments)
      #expect(outcome.status == 2, "\(arguments)")
      #expect(outcome.errors.count == 1)
      #expect(outcome.output == [])
    }
    let help = try run(["--help"])
    #expect(help.status == 0)
    #expect(help.output.count > 10)
  }

  @Test func `N6 a full disk is one line, and the old state stays`() throws {
    let feed = try three()
    _ = try run(state + [feed], "open 1")
    let stored = try folder.read("state.json")
    // No file may grow: what a full disk does, without one.
    let outcome = try ChildProgram.run(
      state + [feed], input: "open 2\ncount\n", prelude: "ulimit -f 0; exec >/dev/null 2>/dev/null")
    // 1, unless the runtime of a sanitizer, which writes files itself, ends the program first.
    #expect(outcome.status != 0)
    #expect(try folder.read("state.json") == stored)
    #expect(try run(state + [feed], "count").output == ["articles 3 unread 2 archived 0"])
  }

  @Test func `N6 a state file that cannot be used is one line, and reading goes on`() throws {
    let feed = try three()
    let newer = "{\"version\":99}"
    _ = try folder.write("state.json", newer)
    let outcome = try run(state + [feed], "open 1", "count")
    #expect(outcome.errors.count == 1)
    #expect(outcome.output.last == "articles 3 unread 2 archived 0")
    #expect(outcome.status == 1)
    #expect(try folder.read("state.json") == newer)
  }

  @Test func `N9 a large feed is read to its last article`() throws {
    var text = "<rss version='2.0'><channel><title>Large</title>"
    let body = String(repeating: "lorem ipsum ", count: 30)
    for number in 1...5_000 {
      text +=
        "<item><title>Article \(number)</title><guid>\(number)</guid>"
        + "<description>&lt;p&gt;\(body)&lt;/p&gt;</description></item>\n"
    }
    let feed = try folder.write("large.xml", text + "</channel></rss>")
    let outcome = try run(state + [feed], "count", "search article 4999")
    #expect(
      outcome.output == ["articles 5000 unread 5000 archived 0", "4999. [unread] Article 4999"])
    #expect(outcome.errors == [])
  }
}
