import Dispatch
import Synchronization
import Testing

@testable import JunctorCore

@Suite struct EndWatchTests {
  /// Two gates: one that says that a call is under way, one that lets it end.
  final class Gate: Sendable {
    let entered: AsyncStream<Void>
    private let enter: AsyncStream<Void>.Continuation
    private let leave = DispatchSemaphore(value: 0)

    init() { (entered, enter) = AsyncStream.makeStream() }

    func pass() {
      enter.yield()
      leave.wait()
    }

    func open() { leave.signal() }
  }

  @Test func `C15 ended returns at once where nothing is under way`() async {
    let list = OrderedList()
    let token = list.add(TestEntry())
    token.cancel()
    #expect(await token.ended())
    #expect(await Registration().ended())
  }

  @Test func `C15 ended waits for a call that another thread is making`() async {
    let list = OrderedList()
    let gate = Gate()
    let isOver = Mutex(false)
    let token = list.add(TestEntry())
    DispatchQueue(label: "caller").async {
      list.walk { _, _ in
        gate.pass()
        isOver.withLock { $0 = true }
        return true
      }
    }
    for await _ in gate.entered { break }
    token.cancel()
    #expect(!token.isActive)
    let waiting = Task {
      let ended = await token.ended()
      return ended && isOver.withLock { $0 }
    }
    let cancelled = Task { await token.ended() }
    cancelled.cancel()
    #expect(await cancelled.value == false)
    gate.open()
    #expect(await waiting.value)
  }

  @Test func `C15 ended waits for what ends an active registration`() async {
    let list = OrderedList()
    let token = list.add(TestEntry())
    let (started, start) = AsyncStream<Void>.makeStream()
    let waiting = Task {
      start.yield()
      return await token.ended()
    }
    for await _ in started { break }
    #expect(token.isActive)
    list.walk { _, _ in true }
    token.cancel()
    #expect(await waiting.value)
  }

  @Test func `ended entries leave nothing behind`() async {
    for _ in 0..<1_000 {
      let list = OrderedList()
      let token = list.add(TestEntry())
      list.walk { _, _ in
        token.cancel()
        return true
      }
      #expect(await token.ended())
    }
    #expect(EndWatch.watchedCount < 100)
  }
}

extension EndWatchTests {
  @Test func `C15 ended holds while others add and remove at the same time`() async {
    let list = OrderedList()
    let stop = RunningBox()
    let calls = RunningBox()
    async let busy: Void = Task.detached {
      while !stop.isInside {
        list.add(TestEntry()).cancel()
        list.walk { entry, _ in
          (entry as? TestEntry)?.call()
          return true
        }
        await Task.yield()
      }
    }.value
    for _ in 0..<2_000 {
      let box = RunningBox()
      let token = list.add {
        box.enter()
        calls.enter()
        box.leave()
      }
      list.callAll()
      token.cancel()
      #expect(await token.ended())
      #expect(!box.isInside, "a call was under way")
    }
    stop.enter()
    await busy
    #expect(calls.count >= 2_000)
  }

  @Test func `C15 a cancelled task that asks for the end of what stands is told at once`() async {
    let list = OrderedList()
    let token = list.add(TestEntry())
    let asking = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await token.ended()
    }
    #expect(await asking.value == false)
    #expect(token.isActive)
    token.cancel()
  }
}

/// Whether somebody is inside.
private final class RunningBox: Sendable {
  private let state = Atomic(0)
  var count: Int { state.load(ordering: .acquiring) }
  var isInside: Bool { count > 0 }
  func enter() { state.add(1, ordering: .acquiringAndReleasing) }
  func leave() { state.subtract(1, ordering: .acquiringAndReleasing) }
}
