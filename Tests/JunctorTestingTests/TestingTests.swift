import JunctorChannels
import JunctorTesting
import Synchronization
import Testing

/// Numbers, in the order in which they came.
final class Numbers: Sendable {
  private let state = Mutex<[Int]>([])

  func add(_ number: Int) { state.withLock { $0.append(number) } }

  var all: [Int] { state.withLock { $0 } }
}

extension Channel where Message == Int {
  static let shared = Channel("testing.shared")
}

@Suite struct SettleTests {
  @Test func `settle waits for every delivery, and for those that they cause`() async {
    let exchange = Exchange()
    let first = Channel<Int>("first", in: exchange)
    let second = Channel<Int>("second", in: exchange)
    let sum = Numbers()
    let tokens = [
      first.listen(on: .deferred) { number in if number > 0 { second.post(number - 1) } },
      second.listen(on: .deferred) { number in
        sum.add(number)
        first.post(number)
      },
    ]
    first.post(1_000)
    #expect(await exchange.settle())
    #expect(sum.all.count == 1_000)
    withExtendedLifetime(tokens) {}
  }

  @Test func `settle ends when its task is cancelled`() async {
    let exchange = Exchange()
    let channel = Channel<Int>("still", in: exchange)
    let executor = ManualExecutor()
    let token = channel.listen(on: .executor(executor)) { _ in }
    channel.post(1)
    let settling = Task { await exchange.settle() }
    settling.cancel()
    #expect(await settling.value == false)
    executor.runAll()
    #expect(await exchange.settle())
    withExtendedLifetime(token) {}
  }
}

@Suite struct ManualExecutorTests {
  @Test func `a manual executor runs nothing until it is told to`() async {
    let channel = Channel<Int>("manual", in: Exchange())
    let executor = ManualExecutor()
    let log = Numbers()
    let token = channel.listen(on: .executor(executor)) { number in
      log.add(number)
    }
    for number in 0..<200 { #expect(channel.post(number).queued == 1) }
    #expect(await executor.waitForJob())
    #expect(log.all.isEmpty)
    #expect(executor.runNext())
    #expect(log.all.count < 200)
    #expect(executor.runAll() > 0)
    #expect(log.all == Array(0..<200))
    #expect(executor.pending == 0 && !executor.runNext())
    withExtendedLifetime(token) {}
  }

  @Test func `waiting for a job ends when its task is cancelled`() async {
    let executor = ManualExecutor()
    let waiting = Task { await executor.waitForJob() }
    waiting.cancel()
    #expect(await waiting.value == false)
  }
}

@Suite struct ManualClockTests {
  @Test func `a manual clock wakes those whose time has come, in that order`() async throws {
    let clock = ManualClock()
    let log = Numbers()
    let tasks = [3, 1, 2].map { number in
      Task {
        try await clock.sleep(for: .seconds(number))
        log.add(number)
      }
    }
    await clock.waitForSleepers(3)
    clock.advance(by: .seconds(1))
    try await tasks[1].value
    #expect(log.all == [1])
    #expect(clock.sleeperCount == 2)
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    clock.advance(by: .seconds(5))
    try await tasks[2].value
    #expect(log.all == [1, 2])
    #expect(clock.now.offset == .seconds(6))
    try await clock.sleep(until: ManualClock.Instant(offset: .seconds(6)))
    let waiting = Task { await clock.waitForSleepers() }
    waiting.cancel()
    #expect(await waiting.value == false)
  }
}

@Suite struct RecorderTests {
  @Test func `a recorder keeps what is posted, with its envelope, until it is stopped`() async {
    let channel = Channel<Int>("recorder", in: Exchange())
    let sender = ManualClock()
    let recorder = ChannelRecorder(channel)
    channel.post(1, from: sender)
    channel.post(2)
    #expect(recorder.messages == [1, 2])
    #expect(recorder.records.first?.envelope.sender?.is(sender) == true)
    let waiting = Task { await recorder.wait(for: 3) }
    channel.post(3)
    #expect(await waiting.value == [1, 2, 3])
    #expect(recorder.clear().count == 3)
    recorder.stop()
    channel.post(4)
    #expect(recorder.messages.isEmpty)
    let cancelled = Task { await recorder.wait(for: 1) }
    cancelled.cancel()
    #expect(await cancelled.value.isEmpty)
  }
}

@Suite struct LeakCheckTests {
  @Test func `a leak check names what is still there`() {
    let leaks = LeakCheck()
    var clock: ManualClock? = leaks.watch(ManualClock())
    leaks.watch(ManualExecutor(), "executor")
    #expect(leaks.living == ["ManualClock"])
    withKnownIssue { leaks.expectNone() }
    withExtendedLifetime(clock) {}
    clock = nil
    #expect(leaks.living.isEmpty)
    leaks.expectNone()
  }

  @Test func `a leak check names the listeners of what is still there, with their places`() {
    let leaks = LeakCheck()
    let exchange = Exchange(label: "leaking")
    let clock = leaks.watch(ManualClock())
    Exchange.withShared(exchange) {
      for number in 0..<7 {
        Channel<Int>("leak \(number)").listen(
          for: clock, fileID: "Kit/Clock.swift", line: UInt(number)
        ) { _, _ in }
      }
    }
    withKnownIssue {
      leaks.expectNone()
    } matching: { issue in
      let text = "\(issue)"
      return text.contains("channel 'leak 0' (listens, Kit/Clock.swift:0)")
        && text.contains("2 more") && !text.contains("leak 6")
    }
    withExtendedLifetime((clock, exchange)) {}
  }
}

@Suite(.ownExchange) struct OwnExchangeTests {
  @Test(arguments: 0..<20) func `C3 each test has an exchange of its own`(number: Int) async {
    let recorder = ChannelRecorder(Channel<Int>.shared)
    await Task.yield()
    Channel<Int>.shared.post(number)
    await Task.yield()
    #expect(recorder.messages == [number])
    #expect(Exchange.shared.label.contains("each test has"))
  }
}
