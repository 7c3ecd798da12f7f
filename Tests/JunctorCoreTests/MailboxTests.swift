import Dispatch
import JunctorTesting
import Synchronization
import Testing

@testable import JunctorCore

@Suite struct MailboxTests {
  /// Hands over on a queue that is held until the test lets go.
  final class Held: Sendable {
    let queue = DispatchQueue(label: "held", attributes: .concurrent)
    private let gate = DispatchSemaphore(value: 0)
    private let entered = DispatchSemaphore(value: 0)

    /// To be called by the first item.
    func block() {
      entered.signal()
      gate.wait()
    }

    /// Waits until the first item is being handled.
    func waitUntilBlocked() { entered.wait() }

    /// Lets the first item end.
    func open() { gate.signal() }
  }

  @Test func `first in, first out, never overlapping, on a concurrent queue, from four threads`()
    async
  {
    let running = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    let log = Mutex<[(thread: Int, number: Int)]>([])
    let (stream, done) = AsyncStream<Void>.makeStream()
    let mailbox = TestMailbox<(thread: Int, number: Int)>(
      target: .queue(DispatchQueue(label: "concurrent", attributes: .concurrent))
    ) { item in
      if running.add(1, ordering: .sequentiallyConsistent).newValue > 1 {
        overlaps.add(1, ordering: .relaxed)
      }
      let count = log.withLock { log in
        log.append(item)
        return log.count
      }
      running.subtract(1, ordering: .sequentiallyConsistent)
      if count == 40_000 { done.finish() }
      return true
    }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<10_000 { mailbox.send((thread, number)) }
    }
    for await _ in stream {}
    let all = log.withLock { $0 }
    for thread in 0..<4 {
      #expect(all.filter { $0.thread == thread }.map(\.number) == Array(0..<10_000))
    }
    #expect(overlaps.load(ordering: .relaxed) == 0)
  }

  @Test func `one drain job per burst, and handing in waits for nobody`() async {
    let held = Held()
    let (stream, done) = AsyncStream<Int>.makeStream()
    let mailbox = TestMailbox<Int>(target: .queue(held.queue)) { item in
      if item == 0 { held.block() }
      done.yield(item)
      if item == 999 { done.finish() }
      return true
    }
    mailbox.send(0)
    held.waitUntilBlocked()
    for item in 1..<1_000 { #expect(mailbox.send(item) == .queued) }
    #expect(mailbox.pending == 999)
    // Unrelated work on the same queue is not held up by the burst that waits.
    await withCheckedContinuation { continuation in held.queue.async { continuation.resume() } }
    held.open()
    var received: [Int] = []
    for await item in stream { received.append(item) }
    #expect(received == Array(0..<1_000))
  }

  @Test func `a full mailbox drops what it was told to drop, and counts it`() async {
    for (limit, expected) in [
      (MailboxLimit.dropOldest(3), [0, 8, 9, 10]), (.dropNewest(3), [0, 1, 2, 3]),
      (.dropOldest(0), []), (.dropNewest(-5), []),
    ] {
      let held = Held()
      let (stream, done) = AsyncStream<Int>.makeStream()
      let mailbox = TestMailbox<Int>(target: .queue(held.queue), limit: limit) { item in
        if item == 0 { held.block() }
        done.yield(item)
        return true
      }
      mailbox.send(0)
      if !expected.isEmpty { held.waitUntilBlocked() }
      for item in 1...10 { mailbox.send(item) }
      held.open()
      var received: [Int] = []
      var iterator = stream.makeAsyncIterator()
      while received.count < expected.count, let item = await iterator.next() {
        received.append(item)
      }
      #expect(received == expected)
      let counters = mailbox.counters
      #expect(counters.accepted == 11)
      #expect(counters.dropped == UInt64(11 - expected.count))
    }
  }

  @Test func `closing drops what waits, accepts nothing more and adds up`() {
    let held = Held()
    let mailbox = TestMailbox<Int>(target: .queue(held.queue)) { _ in
      held.block()
      return true
    }
    mailbox.send(0)
    held.waitUntilBlocked()
    for item in 1...5 { mailbox.send(item) }
    #expect(mailbox.close() == 5)
    #expect(mailbox.send(6) == .closed)
    held.open()
    #expect(mailbox.counters.accepted == 6)
    #expect(mailbox.counters.cancelled == 5)
    #expect(mailbox.pending == 0)
  }

  @Test func `items are handed over on their actor`() async {
    let (stream, done) = AsyncStream<Void>.makeStream()
    let mailbox = TestMailbox<Int>(target: .actor(MainActor.shared)) { item in
      MainActor.assertIsolated()
      if item == 499 { done.finish() }
      return true
    }
    for item in 0..<500 { mailbox.send(item) }
    for await _ in stream {}
  }

  @Test func `whoever waits for room gets it, and a cancelled task stops waiting`() async {
    let held = Held()
    let mailbox = TestMailbox<Int>(target: .queue(held.queue), limit: .dropNewest(1)) { item in
      if item == 0 { held.block() }
      return true
    }
    mailbox.send(0)
    held.waitUntilBlocked()
    mailbox.send(1)
    #expect(!mailbox.hasRoom)
    let cancelled = Task { await mailbox.waitForRoom() }
    cancelled.cancel()
    #expect(await cancelled.value == false)
    async let room = mailbox.waitForRoom()
    held.open()
    #expect(await room)
  }

  @Test func `a ring buffer keeps its order while it grows, turns and shrinks`() {
    var buffer = RingBuffer<Int>()
    var random = SplitMix(seed: 3)
    var next = 0
    var expected = 0
    for round in 0..<20_000 {
      let grows = (round / 4_000) % 2 == 0
      if random.next() % 8 < (grows ? 6 : 2) {
        buffer.append(next)
        next += 1
      } else if let item = buffer.popFirst() {
        #expect(item == expected)
        expected += 1
      }
      #expect(buffer.count == next - expected)
    }
  }

  @Test func `what is taken out of the middle leaves the others in their order`() {
    for size in 1...9 {
      for shift in 0..<5 {
        for index in 0..<size {
          var buffer = RingBuffer<Int>()
          // The ring begins anywhere.
          for _ in 0..<shift { buffer.append(-1) }
          for _ in 0..<shift { _ = buffer.popFirst() }
          for number in 0..<size { buffer.append(number) }
          #expect(buffer.take(at: index) == index)
          #expect(buffer.elements == (0..<size).filter { $0 != index })
          buffer.append(size)
          #expect(buffer.elements == (0...size).filter { $0 != index })
        }
      }
    }
    var empty = RingBuffer<Int>()
    #expect(empty.take(at: 0) == nil && empty.take(at: 1) == nil && empty.take(at: -1) == nil)
  }
}

/// A mailbox of plain values.
final class TestMailbox<Item: Sendable>: Sendable {
  private final class Waiting: MailboxItem {
    let item: Item
    let process: @Sendable (Item) -> Bool

    init(_ item: Item, _ process: @escaping @Sendable (Item) -> Bool) {
      self.item = item
      self.process = process
    }

    func run() -> Bool { process(item) }
  }

  private let mailbox: Mailbox
  private let process: @Sendable (Item) -> Bool

  init(
    target: DeliveryTarget, limit: MailboxLimit = .unbounded,
    process: @escaping @Sendable (Item) -> Bool
  ) {
    mailbox = Mailbox(target: target, limit: limit)
    self.process = process
  }

  @discardableResult
  func send(_ item: Item) -> MailboxOutcome { mailbox.send(Waiting(item, process)) }

  var pending: Int { mailbox.pending }
  var counters: MailboxCounters { mailbox.counters }
  var hasRoom: Bool { mailbox.hasRoom }

  @discardableResult
  func close() -> Int { mailbox.close() }

  func waitForRoom() async -> Bool { await mailbox.waitForRoom() }
}
