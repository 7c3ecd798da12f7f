import Foundation
import JunctorCore
import JunctorWiring
import Synchronization
import Testing

@testable import JunctorTool

/// One after the other: servers, terminals and threads are made.
@Suite(.serialized)
struct WatchCommandTests {
  private static let wiring = Wiring(nodes: [
    .init(id: .init(1), kind: .channel, label: "articleRead", counters: ["posted": 3])
  ])

  /// What an inspector answers.
  @Sendable private static func inspector(_ path: String) -> String? {
    if path.hasPrefix("/wiring.json?token=secret") { return AnsweringServer.answer(wiring.json()) }
    if path.hasPrefix("/state.json?token=secret") {
      return AnsweringServer.answer("{\"events\": 7, \"findings\": [], \"later\": {}}")
    }
    return AnsweringServer.answer("The token is wrong.", status: "403 Forbidden")
  }

  @Test func `W5 watch prints one list and ends`() async throws {
    let server = try AnsweringServer(Self.inspector)
    let (status, output, errors) = await run("watch", "--once", server.url)
    #expect(errors == "")
    #expect(status == 0)
    #expect(
      output == """
        junctor · 127.0.0.1:\(server.port)
        1 node, 0 edges, 1 warning

        Channels
        ! articleRead channel nobody listens 0 joined · posted 3

        """)
    #expect(server.requests == ["/wiring.json?token=secret", "/state.json?token=secret"])
    withExtendedLifetime(server) {}
  }

  @Test(arguments: [
    (
      "no inspector",
      "it is no inspector: it speaks another protocol. Give the URL that the program printed."
    ),
    (
      AnsweringServer.answer("", status: "403 Forbidden"),
      "it refuses the token. Each start of an inspector makes a new one: give the URL that the program printed last."
    ),
    (
      AnsweringServer.answer("", status: "404 Not Found"),
      "it is no inspector: it answers with status 404. Give the URL that the program printed."
    ),
    (
      AnsweringServer.answer("", status: "503 Busy"),
      "it is too busy. Close pages that show it, and try again."
    ),
    (
      AnsweringServer.answer("<html>"),
      "it is no inspector: what it sends is no wiring. Give the URL that the program printed."
    ),
    (
      AnsweringServer.answer("{\"a\": 1}"),
      "it is no inspector: what it sends is no wiring. Give the URL that the program printed."
    ),
    (
      AnsweringServer.answer("{\"format\": \"junctor.wiring\", \"version\": 2}"),
      "its Junctor is newer than this one. Use a newer 'junctor'."
    ),
    (
      AnsweringServer.answer("{\"format\": \"junctor.wiring\"", length: 500),
      "its answer ends before it is complete. If the program has ended, start it again."
    ),
    (
      AnsweringServer.answer("{\"format\": \"junctor.wiring\""),
      "its answer ends before it is complete. If the program has ended, start it again."
    ),
    (
      "HTTP/1.0 200 OK\r\nContent-",
      "its answer ends before it is complete. If the program has ended, start it again."
    ),
    ("", "the inspector was stopped, or its program has ended. Start it again."),
  ])
  func `W5 any other answer ends with status 1 and one line`(
    answer: String, cause: String
  ) async throws {
    let server = try AnsweringServer { _ in answer }
    let (status, output, errors) = await run("watch", "--once", server.url)
    #expect(status == 1)
    #expect(output == "")
    #expect(errors == "Can't watch '127.0.0.1:\(server.port)': \(cause)\n")
    withExtendedLifetime(server) {}
  }

  @Test func `W5 where nothing listens, and where nobody is, a line says so`() async throws {
    let port: UInt16
    do {
      let server = try AnsweringServer { _ in "" }
      port = server.port
    }
    let (status, _, errors) = await run("watch", "--once", "http://127.0.0.1:\(port)/?token=a")
    #expect(status == 1)
    #expect(errors.hasPrefix("Can't watch '127.0.0.1:\(port)': "))
    // No legal name: whoever looks names up says so without asking the network.
    let nobody = await run("watch", "--once", "http://-:1/?token=a")
    #expect(nobody.status == 1)
    #expect(nobody.errors == "Can't watch '-:1': there is no such host. Check the URL.\n")
  }

  @Test func `W5 a server that says nothing, or without end, is not waited for`() throws {
    let silent = try AnsweringServer { _ in nil }
    var client = WatchClient(address: try WatchAddress(silent.url), timeLimit: .milliseconds(50))
    let error = #expect(throws: WatchError.self) { try client.sample() }
    #expect(error?.message.contains("it does not answer") == true)
    let endless = try AnsweringServer { _ in
      "HTTP/1.0 200 OK\r\n\r\n" + String(repeating: "x", count: 100_000)
    }
    client = WatchClient(address: try WatchAddress(endless.url), sizeLimit: 10_000)
    let second = #expect(throws: WatchError.self) { try client.sample() }
    #expect(second?.message.contains("what it sends has no end") == true)
    withExtendedLifetime((silent, endless)) {}
  }

  @Test func `W5 wishes interrupt a wait`() throws {
    let silent = try AnsweringServer { _ in nil }
    let wishes = try #require(WatchWishes())
    let client = WatchClient(
      address: try WatchAddress(silent.url), interrupt: wishes.descriptor)
    wishes.wish(.end)
    #expect(throws: CancellationError.self) { try client.sample() }
    #expect(wishes.wishes() == [.end])
    #expect(wishes.wishes() == [])
    withExtendedLifetime(silent) {}
  }

  @Test(arguments: [
    (["watch"], "the argument URL is missing"),
    (
      ["watch", "ftp://x"],
      "the URL does not begin with 'http://'; give the URL that the program printed"
    ),
    (
      ["watch", "http://h/?token=a", "--interval", "0"],
      "'0' is no number of seconds from 0.1 to 3600"
    ),
    (
      ["watch", "http://h/?token=a", "-i", "nan"], "'nan' is no number of seconds from 0.1 to 3600"
    ),
    (["watch", "http://h/?token=a", "-1", "-i", "2"], "'--interval' has no meaning with '--once'"),
  ])
  func `W5 a wrong call of watch ends with status 2`(words: [String], cause: String) async {
    let (status, output, errors) = await run(words)
    #expect(status == 2)
    #expect(output == "")
    #expect(errors == "Can't run 'junctor watch': \(cause). Run 'junctor watch --help'.\n")
  }

  // MARK: - In a terminal

  @Test(.timeLimit(.minutes(2)))
  func `W5 in a terminal it is live, scrolls, takes another size, and leaves all as it was`() throws
  {
    let posted = Atomic(1)
    let server = try AnsweringServer { path in
      guard path.hasPrefix("/wiring.json") else {
        return path.hasPrefix("/events")
          ? nil : AnsweringServer.answer("{\"events\": \(posted.load(ordering: .relaxed))}")
      }
      let count = UInt64(posted.add(1, ordering: .relaxed).newValue)
      return AnsweringServer.answer(
        Wiring(nodes: [
          .init(id: .init(1), kind: .channel, label: "articleRead", counters: ["posted": count])
        ]).json())
    }
    let pseudo = try PseudoTerminal(width: 60, height: 12)
    let wishes = try #require(WatchWishes())
    let done = watching(server, pseudo, wishes)
    #expect(pseudo.read(until: "articleRead").contains("\u{1B}[?1049h\u{1B}[?25l"))
    #expect(pseudo.hasEcho == false)
    #expect(pseudo.read(until: "posted 4").contains("/s"))
    pseudo.resize(width: 40, height: 6)
    wishes.wish(.resize)
    pseudo.write("p")
    #expect(pseudo.read(until: "p everything").contains("p everything"))
    pseudo.write("\u{1B}[B\u{1B}[6~jk\u{1B}")
    pseudo.write("q")
    #expect(pseudo.read(until: "\u{1B}[?1049l").contains("\u{1B}[?25h\u{1B}[?1049l"))
    #expect(done.wait(timeout: .now() + 30) == .success)
    #expect(pseudo.hasEcho == true)
    withExtendedLifetime(server) {}
  }

  @Test(.timeLimit(.minutes(2)))
  func `W5 a signal, the end of the keys, and the program's end leave the terminal as it was`()
    throws
  {
    for way in 0..<3 {
      let server = try AnsweringServer { path in
        // The third way: the stream is closed after its head.
        if path.hasPrefix("/events") {
          return way == 2 ? "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" : nil
        }
        return Self.inspector(path)
      }
      let pseudo = try PseudoTerminal(width: 80, height: 24)
      let wishes = try #require(WatchWishes())
      let done = watching(server, pseudo, wishes)
      #expect(pseudo.read(until: "\u{1B}[?1049h").contains("\u{1B}[?1049h"))
      if way == 0 { wishes.wish(.end) }
      if way == 1 { pseudo.write("\u{4}") }
      #expect(pseudo.read(until: "\u{1B}[?1049l").contains("\u{1B}[?1049l"))
      #expect(done.wait(timeout: .now() + 30) == .success)
      #expect(pseudo.hasEcho == true)
      withExtendedLifetime(server) {}
    }
  }

  @Test func `W5 what fails at once is said without touching the terminal`() throws {
    let server = try AnsweringServer { _ in "no inspector" }
    let pseudo = try PseudoTerminal(width: 80, height: 24)
    let wishes = try #require(WatchWishes())
    watching(server, pseudo, wishes).wait()
    pseudo.writeAsProgram("end")
    #expect(pseudo.read(until: "end") == "end")
    withExtendedLifetime(server) {}
  }

  /// Runs a session on a thread of its own; the semaphore is signalled at its end.
  private func watching(
    _ server: AnsweringServer, _ pseudo: PseudoTerminal, _ wishes: WatchWishes
  ) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    let (url, descriptor) = (server.url, pseudo.program)
    Thread.detachNewThread {
      defer { done.signal() }
      guard let address = try? WatchAddress(url) else { return }
      var session = WatchSession(
        WatchClient(address: address, interrupt: wishes.descriptor),
        on: WatchTerminal(input: descriptor, output: descriptor), wishes,
        every: .milliseconds(100), isColoured: true)
      try? session.run()
    }
    return done
  }
}

/// Both ends of a terminal without a screen.
final class PseudoTerminal {
  /// The end that a program draws on.
  let program: Int32
  private let screen: Int32
  private var unread = ""

  init(width: UInt16, height: UInt16) throws {
    var (first, second): (Int32, Int32) = (-1, -1)
    // SAFETY: the numbers are of this function's own; nothing else is asked for.
    guard unsafe openpty(&first, &second, nil, nil, nil) == 0 else {
      throw CocoaError(.fileNoSuchFile)
    }
    (screen, program) = (first, second)
    resize(width: width, height: height)
  }

  deinit {
    close(screen)
    close(program)
  }

  func resize(width: UInt16, height: UInt16) {
    var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
    // SAFETY: the record is of this function's own, of the type that the request reads.
    _ = unsafe ioctl(screen, UInt(TIOCSWINSZ), &size)
  }

  /// Whether what is typed is shown, as it is where nobody took the terminal.
  var hasEcho: Bool {
    var modes = termios()
    // SAFETY: the record is of this function's own.
    _ = unsafe tcgetattr(program, &modes)
    return modes.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Types.
  func write(_ text: String) { put(text, screen) }

  /// Draws, as a program does.
  func writeAsProgram(_ text: String) { put(text, program) }

  private func put(_ text: String, _ descriptor: Int32) {
    let bytes = Array(text.utf8)
    // SAFETY: the bytes live through the call.
    _ = unsafe bytes.withUnsafeBytes {
      unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
    }
  }

  /// Reads what was drawn until a text came, or for half a minute.
  func read(until text: String) -> String {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      if let found = unread.range(of: text) {
        defer { unread = String(unread[found.upperBound...]) }
        return String(unread[..<found.upperBound])
      }
      guard Poll.wait(for: [(screen, 1)], until: deadline)[0] else { return unread }
      // SAFETY: at most as many bytes are read as there is room for.
      let part = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, filled in
        filled = unsafe max(0, Foundation.read(screen, buffer.baseAddress, buffer.count))
      }
      if part.isEmpty { return unread }
      unread += String(decoding: part, as: UTF8.self)
    }
  }
}
