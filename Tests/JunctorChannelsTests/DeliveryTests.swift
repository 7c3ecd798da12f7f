import Dispatch
import JunctorChannels
import JunctorTesting
import Synchronization
import Testing

/// Opens once and lets everybody through who waits, now or later.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

@MainActor final class Screen {
  private(set) var shown: [Int] = []
  let done = Gate()

  func listen(to channel: Channel<Int>, on mode: DeliveryMode = .automatic, last: Int = 0) {
    channel.listen(for: self, on: mode) { me, number in
      me.shown.append(number)
      if number == last { me.done.open() }
    }
  }
}

@MainActor func makeScreen() -> Screen { Screen() }

actor Store {
  private(set) var stored: [Int] = []
  let done = Gate()

  func post(_ number: Int, to channel: Channel<Int>) -> (Receipt, [Int]) {
    let receipt = channel.post(number)
    return (receipt, stored)
  }

  func add(_ number: Int, last: Int) {
    stored.append(number)
    if number == last { done.open() }
  }
}

@Suite struct DeliveryTests {
  @Test @MainActor func `C7 a main-actor listener runs inline for a poster on the main actor`() {
    let channel = Channel<Int>("main", in: Exchange())
    let screen = Screen()
    screen.listen(to: channel)
    let receipt = channel.post(1)
    #expect(receipt.called == 1 && receipt.queued == 0)
    #expect(screen.shown == [1])
  }

  @Test func `C7 a main-actor listener gets messages from elsewhere queued, in order`() async {
    let channel = Channel<Int>("main", in: Exchange())
    let screen = await makeScreen()
    await screen.listen(to: channel, last: 100)
    for number in 1...100 { #expect(channel.post(number).queued == 1) }
    await screen.done.wait()
    #expect(await screen.shown == Array(1...100))
  }

  @Test @MainActor func `C7 what is pending is not overtaken by an inline call`() async {
    let channel = Channel<Int>("main", in: Exchange())
    let screen = Screen()
    screen.listen(to: channel, last: 2)
    // The main actor is ours until the next suspension, so the first message waits.
    nonisolated func post() { channel.post(1) }
    post()
    #expect(channel.post(2).queued == 1)
    await screen.done.wait()
    #expect(screen.shown == [1, 2])
  }

  @Test func `C7 an actor's listener runs inline on that actor and is queued from elsewhere`() async
  {
    let channel = Channel<Int>("actor", in: Exchange())
    let store = Store()
    channel.listen(for: store) { store, number in store.add(number, last: 2) }
    let (receipt, stored) = await store.post(1, to: channel)
    #expect(receipt.called == 1 && stored == [1])
    #expect(channel.post(2).queued == 1)
    await store.done.wait()
    #expect(await store.stored == [1, 2])
  }

  @Test(.timeLimit(.minutes(2))) func `C18 an actor that listens is held weakly`() async {
    let channel = Channel<Int>("actor", in: Exchange())
    weak var weakly: Store?
    do {
      let store = Store()
      weakly = store
      channel.listen(for: store) { store, number in store.add(number, last: 1) }
      channel.post(1)
      await store.done.wait()
    }
    while weakly != nil { await Task.yield() }
    #expect(channel.post(2).called == 0)
  }

  @Test func `C8 C9 a queue's listener is asynchronous, in order and never overlaps itself`() async
  {
    let channel = Channel<Int>("queue", in: Exchange())
    let owner = Owner()
    let queue = DispatchQueue(label: "C9", attributes: .concurrent)
    let log = Numbers()
    let inside = Count()
    let done = Gate()
    channel.listen(for: owner, on: .queue(queue)) { _, number in
      #expect(inside.add() == 1)
      log.append(number)
      inside.add(-1)
      if number == 1_000 { done.open() }
    }
    for number in 1...1_000 { #expect(channel.post(number).queued == 1) }
    await done.wait()
    #expect(log.values == Array(1...1_000))
  }

  @Test func `C8 Foundation 6 asynchronous messages of many posters keep each poster's order`()
    async
  {
    let channel = Channel<[Int]>("queue", in: Exchange())
    let owner = Owner()
    let last = Holder<[Int: Int]>([:])
    let wrong = Count()
    let received = Count()
    let done = Gate()
    channel.listen(for: owner, on: .deferred) { _, message in
      if last.value?[message[0], default: 0] != message[1] - 1 { wrong.add() }
      last.value?[message[0]] = message[1]
      if received.add() == 4_000 { done.open() }
    }
    await withTaskGroup(of: Void.self) { group in
      for poster in 0..<4 {
        group.addTask { for number in 1...1_000 { channel.post([poster, number]) } }
      }
    }
    await done.wait()
    #expect(wrong.value == 0)
  }

  @Test func `C9 the choice of place can be stated`() async {
    let channel = Channel<Int>("place", in: Exchange())
    let screen = await makeScreen()
    await screen.listen(to: channel, on: .inline)
    let found = await MainActor.run { diagnostics { #expect(channel.post(1).called == 1) } }
    #expect(found.isEmpty)
    let elsewhere = diagnostics {
      #expect(channel.post(2).dropped == 1)
      #expect(channel.post(3).dropped == 1)
    }
    #expect(elsewhere.map(\.code) == [.wrongIsolation])
    #expect(await screen.shown == [1])

    let other = Channel<Int>("deferred", in: Exchange())
    let late = await makeScreen()
    await late.listen(to: other, on: .deferred, last: 1)
    let receipt = await MainActor.run { other.post(1) }
    #expect(receipt.queued == 1 && receipt.called == 0)
    await late.done.wait()
    #expect(await late.shown == [1])
  }

  @Test func `C10 Foundation 8 delivery to a queue waits for nothing else on it`() async {
    let channel = Channel<Int>("busy", in: Exchange())
    let owner = Owner()
    let queue = DispatchQueue(label: "C10")
    let blocked = DispatchSemaphore(value: 0)
    let done = Gate()
    queue.async { blocked.wait() }
    channel.listen(for: owner, on: .queue(queue)) { _, _ in done.open() }
    // Returns although the queue is busy, which it is until after that.
    #expect(channel.post(1).queued == 1)
    blocked.signal()
    await done.wait()
  }

  @Test func `C15 C16 Foundation 5 nothing arrives once the token has gone, and it is counted`()
    async
  {
    let exchange = Exchange()
    let channel = Channel<Int>("cancelled", in: exchange)
    let queue = DispatchQueue(label: "C16")
    let blocked = DispatchSemaphore(value: 0)
    let calls = Count()
    queue.async { blocked.wait() }
    let subscription = channel.listen(on: .queue(queue)) { _ in calls.add() }
    for number in 0..<1_000 { channel.post(number) }
    subscription.cancel()
    blocked.signal()
    let done = Gate()
    queue.async { done.open() }
    await done.wait()
    #expect(calls.value == 0)
  }

  @Test func `C16 what waits for a dead owner is dropped`() async {
    let channel = Channel<Int>("dead", in: Exchange())
    let queue = DispatchQueue(label: "C16")
    let blocked = DispatchSemaphore(value: 0)
    let calls = Count()
    queue.async { blocked.wait() }
    do {
      let owner = Owner()
      channel.listen(for: owner, on: .queue(queue)) { _, _ in calls.add() }
      for number in 0..<100 { channel.post(number) }
    }
    blocked.signal()
    let done = Gate()
    queue.async { done.open() }
    await done.wait()
    #expect(calls.value == 0)
    #expect(channel.post(1).queued == 0)
  }

  @Test func `C26 a full buffer drops as it says, counts it and says so once`() async {
    let channel = Channel<Int>("full", in: Exchange())
    let owner = Owner()
    let queue = DispatchQueue(label: "C26")
    let blocked = DispatchSemaphore(value: 0)
    let oldest = Numbers()
    let newest = Numbers()
    queue.async { blocked.wait() }
    channel.listen(for: owner, on: .queue(queue), buffer: .dropOldest(2)) { _, number in
      oldest.append(number)
    }
    channel.listen(for: owner, on: .queue(queue), buffer: .dropNewest(2)) { _, number in
      newest.append(number)
    }
    channel.listen(for: owner, on: .queue(queue), buffer: .dropNewest(-7)) { _, _ in
      Issue.record("nothing fits")
    }
    let found = diagnostics {
      var dropped = 0
      for number in 1...5 { dropped += channel.post(number).dropped }
      #expect(dropped == 3 + 3 + 5)
    }
    #expect(found.map(\.code) == [.messageDropped, .messageDropped, .messageDropped])
    blocked.signal()
    let done = Gate()
    queue.async { queue.async { done.open() } }
    await done.wait()
    #expect(oldest.values == [4, 5])
    #expect(newest.values == [1, 2])
  }

  @Test func `C14 a queued one-shot is called once and removed before`() async {
    let channel = Channel<Int>("once", in: Exchange())
    let owner = Owner()
    let queue = DispatchQueue(label: "C14")
    let blocked = DispatchSemaphore(value: 0)
    let log = Log()
    let token = Holder<Registration>()
    queue.async { blocked.wait() }
    token.value = channel.listen(for: owner, on: .queue(queue), once: true) { _, number in
      log.add("\(number) \(token.value?.isActive ?? true)")
    }
    #expect(channel.post(1).queued == 1)
    #expect(channel.post(2).queued == 0)
    blocked.signal()
    let done = Gate()
    queue.async { queue.async { done.open() } }
    await done.wait()
    #expect(log.events == ["1 false"])
    #expect(!channel.hasListeners)
  }

  @Test func `C14 a one-shot that was set aside when its message came is called by the next`() async
  {
    let channel = Channel<Int>("once", in: Exchange())
    let owner = Owner()
    let queue = DispatchQueue(label: "C14")
    let blocked = DispatchSemaphore(value: 0)
    let log = Log()
    queue.async { blocked.wait() }
    let token = channel.listen(for: owner, on: .queue(queue), once: true) { _, number in
      log.add("\(number)")
    }
    #expect(channel.post(1).queued == 1)
    token.pause()
    blocked.signal()
    let passed = Gate()
    queue.async { queue.async { passed.open() } }
    await passed.wait()
    token.resume()
    #expect(channel.post(2).queued == 1)
    let done = Gate()
    queue.async { queue.async { done.open() } }
    await done.wait()
    #expect(log.events == ["2"])
    #expect(!channel.hasListeners)
  }

  @Test func `C30 one pattern on a queue keeps the order over all its channels`() async {
    let exchange = Exchange()
    let owner = Owner()
    let log = Log()
    let done = Gate()
    exchange.listen(matching: ">", for: owner, on: .deferred) { _, message, _ in
      log.add("\(message)")
      if "\(message)" == "end" { done.open() }
    }
    for number in 0..<100 {
      Channel<Int>("a.\(number % 3)", in: exchange).post(number)
      Channel<String>("b", in: exchange).post("t\(number)")
    }
    Channel<String>("b", in: exchange).post("end")
    await done.wait()
    #expect(log.events == (0..<100).flatMap { ["\($0)", "t\($0)"] } + ["end"])
  }
}

extension DeliveryTests {
  @Test func `C15 ended waits for a call that another thread is making`() async {
    let channel = Channel<Int>("ended", in: Exchange())
    let inside = DispatchSemaphore(value: 0)
    let go = DispatchSemaphore(value: 0)
    let log = Log()
    let subscription = channel.listen { _ in
      inside.signal()
      go.wait()
      log.add("call over")
    }
    let entered = Gate()
    DispatchQueue(label: "poster").async { channel.post(1) }
    DispatchQueue(label: "watcher").async {
      inside.wait()
      entered.open()
    }
    await entered.wait()
    subscription.cancel()
    DispatchQueue(label: "releaser").async { go.signal() }
    await subscription.ended()
    log.add("ended")
    #expect(log.events == ["call over", "ended"])
    await subscription.ended()
  }
}

extension DeliveryTests {
  @Test func `C9 a listener that asks for it overlaps itself, and no other does`() async {
    let exchange = Exchange()
    let channel = Channel<Int>("concurrent", in: exchange)
    let queue = DispatchQueue(label: "C9", attributes: .concurrent)
    let both = Signal()
    let inside = Count()
    let gate = DispatchSemaphore(value: 0)
    let token = channel.listen(on: .queue(queue).concurrent, buffer: .dropNewest(100)) { _ in
      // Would wait for ever if the second were not let in beside the first.
      if inside.add() == 2 { both.send() }
      gate.wait()
    }
    #expect(channel.post(1).queued == 1)
    #expect(channel.post(2).queued == 1)
    await both.wait()
    for _ in 0..<2 { gate.signal() }
    #expect(await exchange.settle())
    let counts = token.registration.deliveryCounts
    #expect(counts?.accepted == 2 && counts?.delivered == 2)
  }

  @Test func `C9 C26 overlapping deliveries are bounded, awaited, cancelled and counted as well`()
    async throws
  {
    let exchange = Exchange()
    let channel = Channel<Int>("concurrent", in: exchange)
    let calls = Count()
    let token = channel.listen(on: .deferred.concurrent, buffer: .dropOldest(8)) { _ in calls.add()
    }
    try await Junctor.withDiagnostics { _ in
    } operation: {
      for number in 0..<1_000 { channel.post(number) }
      for number in 0..<100 { try await channel.send(number) }
    }
    #expect(await exchange.settle())
    let counts = try #require(token.registration.deliveryCounts)
    #expect(counts.accepted == 1_100 && counts.pending == 0)
    #expect(counts.delivered == UInt64(calls.value) && counts.delivered >= 100)
    #expect(counts.delivered + counts.dropped + counts.cancelled == counts.accepted)
  }

  @MainActor
  @Test func `C8 a queue that nothing will run on is reported, where it is asked for`() {
    let exchange = Exchange()
    let channel = Channel<Int>("moot", in: exchange)
    let queue = DispatchQueue(label: "work")
    let (screen, store) = (Screen(), Store())
    let found = diagnostics {
      screen.listen(to: channel, on: .queue(queue))
      channel.listen(for: store, on: .queue(queue)) { _, _ in }
      exchange.listen(matching: "moot.*", for: store, on: .queue(queue)) { _, _, _ in }
      screen.listen(to: channel, on: .deferred)
    }
    #expect(found.map(\.code) == Array(repeating: .optionConflict, count: 3))
    #expect(found.first?.message.contains("'moot' on queue 'work': its handler belongs") == true)
    #expect(diagnostics { listenNowhere(channel, on: queue) }.isEmpty)
  }

  private nonisolated func listenNowhere(_ channel: Channel<Int>, on queue: DispatchQueue) {
    withExtendedLifetime(channel.listen(on: .queue(queue)) { _ in }) {}
  }
}
