import JunctorChannels
import Testing

@Suite struct ReceiptTests {
  struct Failure: Error, Equatable { var number: Int }

  @Test func `C23 a receipt tells who was called, and that nobody was`() {
    let channel = Channel<Int>("receipt", in: Exchange())
    let owner = Owner()
    #expect(channel.post(1).wasHeard == false)
    for _ in 0..<3 { channel.listen(for: owner) { _, _ in } }
    let receipt = channel.post(1)
    #expect(receipt.called == 3 && receipt.queued == 0 && receipt.dropped == 0)
    #expect(receipt.wasHeard && !receipt.isConsumed && receipt.errors.isEmpty)
  }

  @Test func `C23 a channel that must be heard says so when it is not`() {
    let channel = Channel<Int>(
      "must", in: Exchange(), options: ChannelOptions(requiresListener: true))
    let owner = Owner()
    #expect(diagnostics { channel.post(1) }.map(\.code) == [.nobodyListens])
    channel.listen(for: owner) { _, _ in }
    #expect(diagnostics { channel.post(1) }.isEmpty)
  }

  @Test func `C24 what listeners throw stops nobody and is reported`() {
    let channel = Channel<Int>("throws", in: Exchange())
    let owner = Owner()
    channel.listen(for: owner) { _, _ in throw Failure(number: 1) }
    channel.listen(for: owner) { _, _, _ in throw Failure(number: 2) }
    channel.listen(for: owner) { _, _ in }
    let found = diagnostics {
      let receipt = channel.post(1)
      #expect(receipt.called == 3)
      #expect(receipt.errors as? [Failure] == [Failure(number: 1), Failure(number: 2)])
    }
    #expect(found.map(\.code) == [.listenerThrew, .listenerThrew])
  }

  @Test func `C24 rethrowAfterAll hands errors to the poster after all were called`() {
    let channel = Channel<Int>(
      "throws", in: Exchange(), options: ChannelOptions(errors: .rethrowAfterAll))
    let owner = Owner()
    let log = Log()
    channel.listen(for: owner) { _, _ in throw Failure(number: 1) }
    channel.listen(for: owner) { _, _ in log.add("called") }
    let found = diagnostics {
      #expect(throws: Failure(number: 1)) { try channel.post(1).throwIfFailed() }
    }
    #expect(found.isEmpty)
    #expect(log.events == ["called"])
  }

  @Test func `C24 stopAtFirst calls nobody after the first error`() {
    let channel = Channel<Int>(
      "throws", in: Exchange(), options: ChannelOptions(errors: .stopAtFirst))
    let owner = Owner()
    let log = Log()
    channel.listen(for: owner) { _, _ in log.add("before") }
    channel.listen(for: owner) { _, _ in throw Failure(number: 1) }
    channel.listen(for: owner) { _, _ in log.add("after") }
    let receipt = channel.post(1)
    #expect(receipt.called == 2)
    #expect(throws: Failure(number: 1)) { try receipt.throwIfFailed() }
    #expect(log.events == ["before"])
  }

  @Test func `C25 a listener may keep the message from those after it`() {
    let channel = Channel<Int>("consume", in: Exchange())
    let owner = Owner()
    let log = Log()
    channel.listen(for: owner) { _, number in log.add("last \(number)") }
    channel.listen(for: owner, priority: .high) { _, number, envelope in
      log.add("first \(number)")
      if number == 1 { envelope.consume() }
    }
    let consumed = channel.post(1)
    #expect(consumed.isConsumed && consumed.called == 1)
    #expect(!channel.post(2).isConsumed)
    #expect(log.events == ["first 1", "first 2", "last 2"])
  }

  @Test func `C17 a runaway circle of posts is reported with its chain of sites`() {
    let exchange = Exchange()
    let ping = Channel<Int>("ping", in: exchange)
    let pong = Channel<Int>("pong", in: exchange)
    let owner = Owner()
    let refused = Count()
    ping.listen(for: owner) { _, number in if pong.post(number + 1).isRefused { refused.add() } }
    pong.listen(for: owner) { _, number in if ping.post(number + 1).isRefused { refused.add() } }
    let found = diagnostics { ping.post(1) }
    #expect(found.map(\.code) == [.endlessPosts])
    #expect(refused.value == 1)
    #expect(found.first?.message.contains("'ping'") == true)
    #expect(found.first?.message.contains("'pong'") == true)
    #expect(Set(found.first?.sites.map(\.line) ?? []).count == 2)
    // The thread is as good as new.
    #expect(diagnostics { ping.post(1) }.map(\.code) == [.endlessPosts])
  }

  @Test func `C17 listeners that post twice each come to an end as well`() {
    let channel = Channel<Int>("twice", in: Exchange())
    let owner = Owner()
    for _ in 0..<2 { channel.listen(for: owner) { _, _ in channel.post(1) } }
    let found = diagnostics { channel.post(1) }
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.code == .endlessPosts })
  }

  @Test(arguments: ["once", "again", "paused", "sender"])
  func `C17 a circle of posts that changes its own listeners is reported as well`(way: String) {
    let channel = Channel<Int>("changing", in: Exchange())
    let owner = Owner()
    let refused = Count()
    let last = Holder<Registration>()
    @Sendable func post(_ number: Int) {
      let receipt = way == "sender" ? channel.post(number, from: owner) : channel.post(number)
      if receipt.isRefused { refused.add() }
    }
    @Sendable func listen() {
      last.value = channel.listen(for: owner, once: way == "once") { _, number in
        switch way {
        case "once": listen()
        case "again":
          last.value?.cancel()
          listen()
        default:
          last.value?.pause()
          last.value?.resume()
        }
        // More would overflow the stack.
        if number < 20_000 { post(number + 1) }
      }
    }
    listen()
    let found = diagnostics { post(1) }
    #expect(found.map(\.code) == [.endlessPosts])
    #expect(refused.value == 1)
    channel.removeAllListeners()
  }

  @Test(arguments: ["alone", "over another", "catching up", "twice"])
  func `C17 a circle of posts that wait for one another is reported once, and goes on`(
    way: String
  ) {
    var options = ChannelOptions(order: way == "catching up" ? .nested : .queued)
    if way == "catching up" { options.replay = .last(1) }
    let channel = Channel<Int>("round", in: Exchange(), options: options)
    let other = Channel<Int>("other", in: channel.exchange)
    let owner = Owner()
    let calls = Count()
    let end = 200_010
    let lines: [UInt32] = [#line + 4, #line + 6]
    let post: @Sendable (Int) -> Void = { number in
      guard number <= end, calls.value <= end else { return }
      switch way {
      case "twice": for _ in 0..<2 { channel.post(number + 1) }
      case "over another": other.post(number + 1)
      default: channel.post(number + 1)
      }
    }
    other.listen(for: owner) { _, number in channel.post(number) }
    if way == "catching up" { channel.post(0) }
    let found = diagnostics {
      channel.listen(for: owner) { _, number in
        calls.add()
        post(number)
      }
      channel.post(1)
    }
    #expect(found.map(\.code) == [.endlessPosts])
    #expect(found.first?.message.contains("'round'") == true)
    #expect(found.first?.sites.count == 16)
    if way != "over another" {
      #expect(found.first?.sites.allSatisfy { lines.contains($0.line) } == true)
    }
    #expect(calls.value > end)
    // What came of it is over: the next post begins anew.
    #expect(diagnostics { channel.post(end + 1) }.isEmpty)
  }

  @Test func `C17 many posts of others are not taken for a circle, whoever delivers them`() async {
    let channel = Channel<Int>("busy", in: Exchange(), options: ChannelOptions(order: .queued))
    let owner = Owner()
    let calls = Count()
    channel.listen(for: owner) { _, number in
      calls.add()
      if number > 0 { channel.post(number - 1) }
    }
    await Junctor.withDiagnostics {
      Issue.record("\($0)")
    } operation: {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask { for _ in 0..<20_000 { channel.post(1) } }
        }
      }
      channel.post(40_000)
    }
    #expect(calls.value == 4 * 40_000 + 40_001)
  }

  @Test func `C17 posts that end are not taken for a circle`() {
    let channel = Channel<Int>("deep", in: Exchange())
    let owner = Owner()
    let calls = Count()
    channel.listen(for: owner) { _, number in
      calls.add()
      if number > 1 { #expect(!channel.post(number - 1).isRefused) }
    }
    #expect(diagnostics { channel.post(200) }.isEmpty)
    #expect(calls.value == 200)
  }

  @Test func `C23 a receipt and a token print what they mean`() {
    struct Failure: Error {}
    let channel = Channel<Int>("printed", in: Exchange(label: "printing"))
    #expect("\(channel.post(0))" == "nobody heard it")
    let held = HeldQueue()
    let first = channel.listen { _ in throw Failure() }
    let second = channel.listen(on: .queue(held.queue), buffer: .dropNewest(1)) { _ in }
    let third = channel.listen { _, envelope in envelope.consume() }
    Junctor.withDiagnostics({ _ in }) {
      #expect("\(channel.post(1))" == "2 called, 1 queued, consumed, threw Failure()")
      #expect(
        "\(channel.post(2))" == "2 called, 1 dropped, consumed, threw Failure()")
    }
    #expect("\(channel.exchange)" == "exchange 'printing'")
    #expect("\(first)".hasPrefix("made at JunctorChannelsTests/ReceiptTests.swift:"))
    first.registration.pause()
    #expect("\(first.registration)".hasPrefix("paused, made at"))
    first.cancel()
    #expect("\(first)" == "ended")
    held.open()
    withExtendedLifetime((second, third)) {}
  }
}
