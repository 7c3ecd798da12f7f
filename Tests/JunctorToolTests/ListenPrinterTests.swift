import Dispatch
import JunctorBridge
import JunctorCore
import Synchronization
import Testing

@testable import JunctorTool

@Suite(.timeLimit(.minutes(1))) struct ListenPrinterTests {
  private func delivery(_ settle: @escaping @Sendable () -> Void = {}) -> BridgeDelivery {
    BridgeDelivery(frame: BridgeFrame(subject: "s"), settle: { _ in settle() })
  }

  @Test func `W5 what comes faster than it is printed waits where it comes from`() async {
    let gate = DispatchSemaphore(value: 0)
    let printed = Mutex<[String]>([])
    let returned = Mutex(0)
    let environment = ToolEnvironment { text in
      gate.wait()
      printed.withLock { $0.append(text) }
    } complain: { _ in
    }
    let printer = ListenPrinter("c", limit: 3, environment)
    let engine = DispatchQueue(label: "engine")
    for number in 0..<5 {
      engine.async {
        printer.take(self.delivery(), ["\(number)"])
        returned.withLock { $0 += 1 }
      }
    }
    #expect(returned.withLock { $0 } == 0)
    printer.begin(nil)
    for _ in 0..<3 { gate.signal() }
    await printer.wait()
    engine.sync {}
    #expect(printed.withLock { $0 } == ["0\n", "1\n", "2\n"])
  }

  @Test func `W5 a frame of which a part was not printed comes again`() {
    let settled = Mutex(0)
    let lines = Mutex(0)
    let environment = ToolEnvironment { _ in
      lines.withLock { $0 += 1 }
    } complain: { _ in
    }
    let printer = ListenPrinter("c", limit: 3, environment)
    printer.begin(nil)
    for _ in 0..<2 {
      printer.take(delivery { settled.withLock { $0 += 1 } }, ["a", "b"])
    }
    #expect(lines.withLock { $0 } == 3)
    #expect(settled.withLock { $0 } == 1)
  }

  @Test func `W5 what was lost before it was printed is said, not of every frame, and in sum`() {
    let said = Mutex<[String]>([])
    let environment = ToolEnvironment { _ in
    } complain: { text in
      said.withLock { $0.append(text) }
    }
    let route = LosingRoute()
    let printer = ListenPrinter("c", limit: 1_000, environment)
    printer.begin(route)
    for lost in [0, 3, 4, 5, 6, 100, 150] {
      route.lost.withLock { $0 = UInt64(lost) }
      printer.take(delivery(), ["a"])
    }
    printer.sum(route.dropped)
    printer.sum(route.dropped)
    let counts = said.withLock { $0 }.map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(counts == [[3], [6], [100], [150]])
    #expect(said.withLock { $0.allSatisfy { $0.hasPrefix("Can't print every message of 'c': ") } })
  }
}

@Suite struct TerminalTextTests {
  private static let evil = "a\u{1B}[2J\u{7F}\u{85}\u{9B}31m\n\t\u{202E}z"

  private func isHarmless(_ text: String, _ allowed: String = "") -> Bool {
    text.unicodeScalars.allSatisfy {
      allowed.unicodeScalars.contains($0)
        || !($0.value < 32 || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E)
    }
  }

  @Test func `W5 a terminal is shown nothing that it would obey`() {
    #expect(isHarmless(TerminalText.line(Self.evil)))
    #expect(TerminalText.line("\u{9B}") == "\\u{009B}")
    #expect(isHarmless(TerminalText.lines(Self.evil), "\n\t"))
    #expect(TerminalText.lines(Self.evil).contains("\n\t"))
    #expect(TerminalText.lines("a\nb") == "a\nb")
    #expect(TerminalText.line("ä – 漢") == "ä – 漢")
    #expect(TerminalText.json("\"\u{9B}\u{7F}\"") == "\"\\u009b\\u007f\"")
  }

  @Test func `W5 a frame with a hostile name, headers and content is one harmless line each`()
    throws
  {
    let subject = try BridgeSubject(prefix: "junctor", channel: "a")
    let frame = BridgeFrame(
      subject: "junctor.\(Self.evil)", headers: [Self.evil: Self.evil, "traceparent": Self.evil],
      payload: Array(Self.evil.utf8))
    for line in CommandDefinition.lines(frame, subject, true) {
      #expect(isHarmless(line, "\t"))
    }
  }

  @Test func `W5 the kind of an event is shown as harmless as its label`() {
    var model = WatchModel(address: "h")
    let event = WatchEvent(number: 1, kind: Self.evil, label: Self.evil, count: 0)
    _ = model.take(.history([event], missed: 0))
    for line in WatchView().lines(model) { #expect(isHarmless(line), "\(line)") }
  }
}

private final class LosingRoute: BridgeRoute {
  let lost = Mutex<UInt64>(0)
  func ready() async throws {}
  func caughtUp() async throws {}
  func close(within limit: Duration) async {}
  var dropped: UInt64 { lost.withLock { $0 } }
}
