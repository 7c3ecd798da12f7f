import Dispatch
import Foundation
import JunctorChannels
import Synchronization
import Testing

/// Joining while a message is being heard, sent or taken back.
@Suite struct ReplayJoinTests {
  struct Failure: Error {}

  private func keeping(_ policy: ReplayPolicy, errors: ErrorPolicy = .report) -> Channel<Int> {
    Channel("join", in: Exchange(), options: ChannelOptions(errors: errors, replay: policy))
  }

  @Test func `C28 who joins while the first listener hears a message does not get it as well`() {
    let channel = keeping(.untilFirstListener)
    let log = Log()
    let owner = Owner()
    channel.listen(for: owner) { me, number in
      log.add("a\(number)")
      guard number == 1 else { return }
      channel.listen(for: me) { _, number in log.add("b\(number)") }
    }
    channel.post(1)
    channel.post(2)
    #expect(log.events == ["a1", "a2", "b2"])
  }

  @Test func `C28 who joins while the first listener catches up does not get that as well`() {
    let channel = keeping(.untilFirstListener)
    let log = Log()
    let owner = Owner()
    for number in 1...3 { channel.post(number) }
    channel.listen(for: owner) { me, number in
      log.add("a\(number)")
      guard number == 1 else { return }
      channel.listen(for: me) { _, number in log.add("b\(number)") }
    }
    channel.post(4)
    #expect(log.events == ["a1", "a2", "a3", "a4", "b4"])
  }

  @Test func `C28 a message on a queue counts as heard`() async {
    let channel = keeping(.untilFirstListener)
    let held = HeldQueue()
    let log = Log()
    let owner = Owner()
    channel.listen(for: owner, on: .queue(held.queue)) { _, number in log.add("a\(number)") }
    channel.post(1)
    channel.listen(for: owner) { _, number in log.add("b\(number)") }
    held.open()
    await held.drained()
    #expect(log.events == ["a1"])
  }

  @Test func `C28 C26 a send that is cancelled after somebody heard it leaves nothing to replay`()
    async
  {
    let channel = keeping(.untilFirstListener)
    let held = HeldQueue()
    let log = Log()
    let heard = Signal()
    let first = channel.listen(priority: .high) { number in if number == 2 { heard.send() } }
    let second = channel.listen(on: .queue(held.queue), buffer: .dropNewest(1)) { _ in }
    channel.post(1)
    let sent = Task { try await channel.send(2) }
    await heard.wait()
    sent.cancel()
    await #expect(throws: CancellationError.self) { try await sent.value }
    let late = channel.listen { number in log.add("late \(number)") }
    held.open()
    #expect(log.events.isEmpty)
    withExtendedLifetime((first, second, late)) {}
  }

  @Test func `C28 C26 a send that is cancelled before anybody had it is not kept`() async {
    let channel = keeping(.last(5))
    let held = HeldQueue()
    let log = Log()
    let slow = channel.listen(on: .queue(held.queue), buffer: .dropNewest(1)) { _ in }
    channel.post(1)
    let sent = Task { try await channel.send(2) }
    // Whether it came as far as the full buffer or not, it is called back.
    sent.cancel()
    await #expect(throws: CancellationError.self) { try await sent.value }
    let late = channel.listen { number in log.add("\(number)") }
    held.open()
    #expect(log.events == ["1"])
    withExtendedLifetime((slow, late)) {}
  }

  @Test func `C26 C28 send waits for a listener that is catching up, and has its errors`()
    async throws
  {
    let channel = keeping(.last(10), errors: .rethrowAfterAll)
    channel.post(1)
    let log = Log()
    let catching = Signal()
    let walked = Signal()
    let gate = DispatchSemaphore(value: 0)
    let joined = Holder<Subscription>()
    let witness = channel.listen(priority: .lowest) { number in if number == 2 { walked.send() } }
    DispatchQueue(label: "joiner").async {
      joined.value = channel.listen { number in
        if number == 1 {
          catching.send()
          gate.wait()
        }
        log.add("\(number)")
        if number == 2 { throw Failure() }
      }
    }
    await catching.wait()
    let sent = Task {
      let receipt = try await channel.send(2)
      log.add("sent")
      return receipt
    }
    await walked.wait()
    // Time enough for a send that does not wait to say so.
    for _ in 0..<1_000 { await Task.yield() }
    gate.signal()
    let receipt = try await sent.value
    #expect(log.events == ["1", "2", "sent"])
    #expect(receipt.queued == 1 && receipt.called == 1)
    #expect(receipt.errors.count == 1)
    withExtendedLifetime((joined.value, witness)) {}
  }

  @Test(.timeLimit(.minutes(3)))
  func `C28 what gives way costs the same however much is kept`() {
    let channel = keeping(.last(300_000))
    for number in 0..<600_000 { channel.post(number) }
    let log = Numbers()
    let owner = Owner()
    channel.listen(for: owner, once: true) { _, number in log.append(number) }
    #expect(log.values == [300_000])
  }

  @Test(.timeLimit(.minutes(2)))
  func `C28 who joins while messages begin to be kept misses none of them`() {
    let threads = 2
    for round in 0..<1_000 {
      let exchange = Exchange()
      let plain = Channel<Int>("join", in: exchange)
      let heard = Mutex<[Int]>([])
      let subscription = Mutex<Subscription?>(nil)
      let ready = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        ready.wrappingAdd(1, ordering: .acquiringAndReleasing)
        while ready.load(ordering: .acquiring) < threads { sched_yield() }
        if thread == 0 {
          let made = plain.listen { number in heard.withLock { $0.append(number) } }
          subscription.withLock { $0 = made }
        } else {
          let keeping = Channel<Int>(
            "join", in: exchange, options: ChannelOptions(replay: .last(1)))
          keeping.post(round)
        }
      }
      #expect(heard.withLock { $0 } == [round])
    }
  }

  @Test(.timeLimit(.minutes(2)), arguments: [false, true])
  func `C28 C14 one-shots that join while others post take one message each and lose none`(
    byPattern: Bool
  ) {
    for _ in 0..<300 {
      let channel = keeping(.untilFirstListener)
      let heard = Mutex<[Int]>([])
      let isOver = Atomic(false)
      @Sendable func take(_ number: Int) { heard.withLock { $0.append(number) } }
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          for number in 0..<200 { channel.post(number) }
          isOver.store(true, ordering: .releasing)
        } else {
          while !isOver.load(ordering: .acquiring) {
            let subscription =
              byPattern
              ? channel.exchange.listen(matching: "join", of: Int.self, once: true) { number, _ in
                take(number)
              } : channel.listen(once: true) { take($0) }
            withExtendedLifetime(subscription) {}
          }
        }
      }
      let rest = channel.listen { take($0) }
      #expect(Set(heard.withLock { $0 }) == Set(0..<200))
      withExtendedLifetime(rest) {}
    }
  }

  @Test func `C28 what a listener that goes while it catches up has not had is for the next`() {
    let channel = keeping(.untilFirstListener)
    let log = Log()
    for number in 0..<6 { channel.post(number) }
    let own = Holder<Registration>()
    let owner = Owner()
    own.value = channel.listen(for: owner) { me, number in
      log.add("a\(number)")
      if number == 2 { channel.removeListeners(of: me) }
    }
    let second = channel.listen { log.add("b\($0)") }
    #expect(log.events == ["a0", "a1", "a2", "b3", "b4", "b5"])
    withExtendedLifetime(second) {}
  }

  @Test func `C28 what was held up for a listener that goes is for the next`() {
    let channel = keeping(.untilFirstListener)
    let log = Log()
    let owner = Owner()
    channel.post(0)
    channel.listen(for: owner) { me, number in
      log.add("a\(number)")
      channel.post(1)
      channel.removeListeners(of: me)
    }
    let second = channel.listen { log.add("b\($0)") }
    channel.post(2)
    #expect(log.events == ["a0", "b1", "b2"])
    withExtendedLifetime(second) {}
  }

  @Test func `C28 what was held up and heard by another is not for the next`() {
    let (channel, local) = (
      keeping(.untilFirstListener),
      LocalChannel<Int>("local", options: ChannelOptions(replay: .untilFirstListener))
    )
    let log = Log()
    let (owner, other) = (Owner(), Owner())
    for number in 0...1 { channel.post(number) }
    channel.listen(for: owner) { me, number in
      log.add("a\(number)")
      channel.listen(for: other) { _, number in log.add("o\(number)") }
      channel.post(9)
      channel.removeListeners(of: me)
    }
    let second = channel.listen { log.add("b\($0)") }
    #expect(log.events == ["a0", "o9", "b1"])
    for number in 0...1 { local.post(number) }
    local.listen(for: owner) { me, number in
      log.add("la\(number)")
      local.listen(for: other) { _, number in log.add("lo\(number)") }
      local.post(9)
      local.removeListeners(of: me)
    }
    let third = local.listen { log.add("lb\($0)") }
    #expect(log.events.suffix(3) == ["la0", "lo9", "lb1"])
    withExtendedLifetime((second, third)) {}
  }

  @Test func `C28 C22 what goes back takes its place among what is kept`() {
    let (channel, local) = (
      keeping(.untilFirstListener),
      LocalChannel<Int>("local", options: ChannelOptions(replay: .untilFirstListener))
    )
    let log = Log()
    let (owner, x, y) = (Owner(), Owner(), Owner())
    for (number, sender) in [(1, x), (2, y), (3, y)] {
      channel.post(number, from: sender)
      local.post(number, from: sender)
    }
    channel.listen(for: owner, from: y) { me, number in
      log.add("a\(number)")
      channel.removeListeners(of: me)
    }
    local.listen(for: owner, from: y) { me, number in
      log.add("la\(number)")
      local.removeListeners(of: me)
    }
    let second = channel.listen { log.add("b\($0)") }
    let third = local.listen { log.add("lb\($0)") }
    #expect(log.events == ["a2", "la2", "b1", "b3", "lb1", "lb3"])
    withExtendedLifetime((second, third)) {}
  }

  @Test func `C28 C33 what goes on a confined channel is for the next as well`() {
    let channel = LocalChannel<Int>("local", options: ChannelOptions(replay: .untilFirstListener))
    let log = Log()
    for number in 0..<6 { channel.post(number) }
    let owner = Owner()
    channel.listen(for: owner) { me, number in
      log.add("a\(number)")
      if number == 2 { channel.removeListeners(of: me) }
    }
    let second = channel.listen { log.add("b\($0)") }
    channel.post(6)
    #expect(log.events == ["a0", "a1", "a2", "b3", "b4", "b5", "b6"])
    withExtendedLifetime(second) {}
  }

  @Test(.timeLimit(.minutes(2)), arguments: [false, true])
  func `C28 of listeners that come one after the other each message is heard by one`(
    byPattern: Bool
  ) async {
    let (posters, count) = (3, 4_000)
    let channel = keeping(.untilFirstListener)
    let heard = Numbers()
    let ended = Count()
    await withTaskGroup(of: Void.self) { group in
      for poster in 0..<posters {
        group.addTask {
          for number in 0..<count { channel.post(poster * count + number) }
          ended.add()
        }
      }
      var isLast = false
      while !isLast {
        isLast = ended.value == posters
        let subscription =
          byPattern
          ? channel.exchange.listen(matching: "join", of: Int.self) { number, _ in
            heard.append(number)
          } : channel.listen { heard.append($0) }
        subscription.cancel()
        await subscription.ended()
      }
    }
    #expect(heard.values.sorted() == Array(0..<posters * count))
  }

  @Test(.timeLimit(.minutes(2)))
  func `C28 C14 one-shots take what is kept at a cost that does not depend on how much that is`() {
    let channel = keeping(.untilFirstListener(limit: .max))
    let count = 60_000
    for number in 0..<count { channel.post(number) }
    let heard = Numbers()
    for _ in 0..<count {
      let subscription = channel.listen(once: true) { heard.append($0) }
      #expect(!subscription.isActive)
    }
    #expect(heard.values == Array(0..<count))
  }
}
