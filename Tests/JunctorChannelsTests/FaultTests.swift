import Dispatch
import Synchronization
import Testing

@testable import JunctorChannels

/// What went wrong once.
@Suite struct FaultTests {
  struct Failure: Error, Equatable { var number = 0 }

  @Test(.timeLimit(.minutes(2)))
  func `C24 a hundred thousand listeners that throw are a hundred thousand errors`() {
    let channel = Channel<Int>(
      "throws", in: Exchange(), options: ChannelOptions(errors: .rethrowAfterAll))
    let owner = Owner()
    for number in 0..<100_000 {
      channel.listen(for: owner) { _, _ in throw Failure(number: number) }
    }
    let receipt = channel.post(1)
    #expect(receipt.called == 100_000)
    #expect(receipt.errors.compactMap { ($0 as? Failure)?.number } == Array(0..<100_000))
  }

  @Test func `C23 a copy of a receipt keeps what it says`() {
    var receipt = Receipt()
    receipt.add(.init(error: Failure(number: 1), listener: SourceSite()))
    let copy = receipt
    receipt.add(.init(error: Failure(number: 2), listener: SourceSite()))
    #expect(copy.errors as? [Failure] == [Failure(number: 1)])
    #expect(receipt.errors as? [Failure] == [Failure(number: 1), Failure(number: 2)])
  }

  @Test func `C14 C26 every message that a one-shot has no room for is counted`() {
    let exchange = Exchange()
    let channel = Channel<Int>("once", in: exchange)
    let token = channel.listen(on: .deferred, buffer: .dropNewest(0), once: true) { _ in }
    let pattern = exchange.listen(
      matching: "*", on: .deferred, buffer: .dropOldest(0), once: true
    ) { _, _ in }
    _ = diagnostics {
      for number in 0..<3 { #expect(channel.post(number).dropped == 2) }
    }
    #expect(token.isActive && pattern.isActive)
  }

  @Test(.timeLimit(.minutes(2)))
  func `C27 a cancelled task lets the others at a copy of its iterator end`() async {
    let hub = MessageHub<Int>(limit: .unbounded)
    let cursor = hub.addCursor()
    let tasks = (0..<3).map { _ in Task { await hub.next(cursor) } }
    while hub.waitingCount < 3 { await Task.yield() }
    tasks[1].cancel()
    for task in tasks { #expect(await task.value == nil) }
    hub.removeCursor(cursor)
    hub.removeRoot()
  }

  @Test func `C32 a pattern's listener that dies unheard is reported, one that was heard is not`()
    async
  {
    // In a process of its own: the dead are noticed by whoever is active, and reported there.
    await #expect(processExitsWith: .success) {
      let exchange = Exchange()
      exchange.observe(ObservationOptions(reportsUnheardListeners: true))
      let found = diagnostics {
        do {
          let heard = Owner()
          exchange.listen(matching: "a.*", for: heard) { _, _, _ in }
          Channel<Int>("a.b", in: exchange).post(1)
        }
        do {
          let once = Owner()
          let channel = Channel<Int>("once", in: exchange)
          channel.listen(for: once, once: true) { _, _ in }
          channel.post(1)
        }
        do { exchange.listen(matching: "a.*", for: Owner()) { _, _, _ in } }
        exchange.patterns.reclaim()
      }
      precondition(found.map(\.code) == [.listenerDiedUnheard], "found \(found)")
      precondition(found[0].message.contains("'a.*'"), "found \(found)")
    }
  }

  @Test func `C32 a one-shot that is slow is reported and leaves nothing behind`() {
    let exchange = Exchange()
    let clock = TestClock()
    exchange.observe(ObservationOptions(slowListenerLimit: .seconds(1)), clock: clock)
    let channel = Channel<Int>("slow", in: exchange)
    let owner = Owner()
    let found = diagnostics {
      for number in 0..<2 {
        channel.listen(for: owner, once: true) { _, _ in clock.advance(by: .seconds(2)) }
        channel.post(number)
      }
    }
    #expect(found.map(\.code) == [.slowListener, .slowListener])
  }

  @Test(arguments: ["acc*", "a.>.b", "a.b*.>", "*a.b", ">>"])
  func `C30 a wildcard that is none is reported once, with its place`(text: String) {
    let exchange = Exchange()
    let owner = Owner()
    let found = diagnostics {
      for _ in 0..<3 { exchange.listen(matching: ChannelPattern(text), for: owner) { _, _, _ in } }
    }
    #expect(found.map(\.code) == [.invalidPattern])
    #expect(found.first?.message.contains("'\(text)'") == true)
    #expect(found.first?.sites.first?.fileID.hasSuffix("FaultTests.swift") == true)
  }

  @Test func `C30 patterns that mean what they say are not reported`() {
    let exchange = Exchange()
    let owner = Owner()
    let found = diagnostics {
      for text in ["", "a", "*", ">", "a.*", "a.>", "*.b.>", "a..b", "😀.*"] {
        exchange.listen(matching: ChannelPattern(text), for: owner) { _, _, _ in }
      }
      for number in 0..<10_000 {
        exchange.listen(matching: ChannelPattern("wrong*\(number)"), for: owner) { _, _, _ in }
          .cancel()
      }
    }
    // A program that makes patterns of what it is given does not fill the memory with them.
    #expect(found.count == 64)
  }

  @Test func `C24 two error policies of one channel are reported once, and the first stands`() {
    let exchange = Exchange()
    let owner = Owner()
    let found = diagnostics {
      let first = Channel<Int>(
        "errors", in: exchange, options: ChannelOptions(errors: .rethrowAfterAll))
      let second = Channel<Int>(
        "errors", in: exchange, options: ChannelOptions(order: .queued, errors: .stopAtFirst))
      _ = Channel<Int>("errors", in: exchange, options: ChannelOptions(errors: .stopAtFirst))
      _ = Channel<Int>("errors", in: exchange)
      for _ in 0..<2 { first.listen(for: owner) { _, _ in throw Failure() } }
      #expect(second.post(1).called == 2)
    }
    #expect(found.map(\.code) == [.optionConflict])
    #expect(found.first?.sites.count == 2)
  }
}

/// A clock that is moved by hand.
private final class TestClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Mutex(Instant())
  var now: Instant { state.withLock { $0 } }
  var minimumResolution: Duration { .zero }
  func advance(by duration: Duration) { state.withLock { $0.offset += duration } }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
