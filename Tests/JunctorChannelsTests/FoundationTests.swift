import Dispatch
import JunctorChannels
import Testing

/// The rest of Foundation's nine faults; the others stand beside the rules that they break.
@Suite struct FoundationTests {
  @Test func `C5 Foundation 1 the order is the same in every process`() async {
    // The hashes of a process differ from those of another; the order does not.
    for _ in 0..<2 {
      await #expect(processExitsWith: .success) {
        let channel = Channel<Int>("order", in: Exchange())
        let log = Numbers()
        let owners = (0..<12).map { Owner("\($0)") }
        for (number, owner) in owners.enumerated() {
          channel.listen(for: owner) { _, _ in log.append(number) }
        }
        withExtendedLifetime(owners) { _ = channel.post(1) }
        precondition(log.values == Array(0..<12), "\(log.values)")
      }
    }
  }

  @Test func `C2 C30 Foundation 9 a catch-all and posts of any type under one name end nobody`() {
    let exchange = Exchange()
    let owner = Owner()
    let log = Log()
    let found = diagnostics {
      exchange.listen(matching: ">", for: owner) { _, message, _ in log.add("all \(message)") }
      let tap = exchange.tap { message, _ in log.add("tap \(message)") }
      exchange.listen(to: "name", for: owner) { _, info in log.add("info \(info)") }
      Channel<Int>("name", in: exchange).listen(for: owner) { _, number in
        log.add("number \(number)")
      }
      Channel<Int>("name", in: exchange).post(1)
      exchange.post(["k": 2], to: "name")
      Channel<String>("name", in: exchange).post("three")
      Channel<Int?>("name", in: exchange).post(nil)
      withExtendedLifetime(tap) {}
    }
    #expect(
      log.events == [
        "tap 1", "all 1", "number 1", "tap [\"k\": 2]", "all [\"k\": 2]", "info [\"k\": 2]",
        "tap three", "all three", "tap nil", "all nil",
      ])
    #expect(found.map(\.code) == [.nameCollision])
  }

  @Test func `C6 C23 every kind of message arrives as it was posted`() {
    func check<Message: Sendable>(_ message: Message, _ text: String) {
      let channel = Channel<Message>("kinds", in: Exchange())
      let log = Log()
      let owner = Owner()
      let bare = channel.listen { log.add("\($0)") }
      channel.listen(for: owner) { _, message in log.add("\(message)") }
      let other = channel.listen { message, _ in log.add("\(message)") }
      #expect(channel.post(message).called == 3)
      #expect(log.events == [text, text, text])
      withExtendedLifetime((bare, other)) {}
    }
    struct Large: Sendable { var a = 1, b = "two", c = [3], d: Double? = 4 }
    enum Choice: Sendable { case one(String), none }
    check((), "()")
    check((1, "two"), "(1, \"two\")")
    check(Optional<Int>.none, "nil")
    check("text" as any Sendable, "text")
    check(1.5, "1.5")
    check(Choice.one("x"), "\(Choice.one("x"))")
    check(Choice.none, "none")
    check(Large(), "\(Large())")
    check(String(repeating: "long ", count: 100), String(repeating: "long ", count: 100))
    check({ 1 } as @Sendable () -> Int, "(Function)")
    check(Int.self, "Int")
  }

  @Test(.timeLimit(.minutes(5)))
  func `C11 a million messages wait for one listener and arrive in order`() async {
    // Were a delivery to cost anything for each message behind it, this would take hours.
    let channel = Channel<Int>("million", in: Exchange())
    let held = HeldQueue()
    let next = Count()
    let done = Signal()
    let owner = Owner()
    channel.listen(for: owner, on: .queue(held.queue), buffer: .unbounded) { _, number in
      if next.value == number { next.add() }
      if number == 999_999 { done.send() }
    }
    for number in 0..<1_000_000 { channel.post(number) }
    held.open()
    await done.wait()
    #expect(next.value == 1_000_000)
  }
}
