import Dispatch
import JunctorChannels
import Synchronization
import Testing

@Suite struct ReplayTests {
  private func keeping(_ policy: ReplayPolicy, _ exchange: Exchange = Exchange()) -> Channel<Int> {
    Channel("replay", in: exchange, options: ChannelOptions(replay: policy))
  }

  @Test func `C28 last n come to every listener that joins, oldest first, before listen returns`() {
    let channel = keeping(.last(3))
    for number in 1...5 { channel.post(number) }
    let log = Log()
    let owner = Owner()
    channel.listen(for: owner) { _, number in log.add("a\(number)") }
    channel.post(6)
    channel.listen(for: owner) { _, number in log.add("b\(number)") }
    #expect(log.events == ["a3", "a4", "a5", "a6", "b4", "b5", "b6"])
  }

  @Test func `C28 until the first listener: that one gets all, the next none`() {
    let channel = keeping(.untilFirstListener)
    for number in 1...3 { #expect(!channel.post(number).wasHeard) }
    let log = Log()
    let owner = Owner()
    let token = channel.listen(for: owner) { _, number in log.add("a\(number)") }
    channel.post(4)
    channel.listen(for: owner) { _, number in log.add("b\(number)") }
    channel.post(5)
    token.cancel()
    channel.removeAllListeners()
    channel.post(6)
    channel.listen(for: owner) { _, number in log.add("c\(number)") }
    #expect(log.events == ["a1", "a2", "a3", "a4", "a5", "b5", "c6"])
  }

  @Test func `C28 what is kept outlives channel values, and goes with the exchange`() {
    let died = Count()
    do {
      let exchange = Exchange()
      let options = ChannelOptions(replay: .last(2))
      for _ in 0..<5 {
        Channel<Owner>("kept", in: exchange, options: options).post(Owner { died.add() })
      }
      #expect(died.value == 3)
      let seen = Count()
      let owner = Owner()
      Channel<Owner>("kept", in: exchange).listen(for: owner) { _, _ in seen.add() }
      #expect(seen.value == 2)
      Channel<Owner>("kept", in: exchange).removeAllListeners()
      #expect(exchange.channelCount == 0)
    }
    #expect(died.value == 5)
  }

  @Test func `C28 what asks for zero or less keeps nothing, and a huge number is just a limit`() {
    let calls = Count()
    let owner = Owner()
    for policy in [
      ReplayPolicy.last(0), .last(.min), .untilFirstListener(limit: -1), .none,
    ] {
      let channel = keeping(policy)
      channel.post(1)
      channel.listen(for: owner) { _, _ in calls.add() }
    }
    #expect(calls.value == 0)
    let channel = keeping(.last(.max))
    for number in 0..<100 { channel.post(number) }
    channel.listen(for: owner) { _, _ in calls.add() }
    #expect(calls.value == 100)
  }

  @Test func `C28 two ways to keep in one channel are reported`() {
    let exchange = Exchange()
    let first = keeping(.last(1), exchange)
    let found = diagnostics { _ = keeping(.untilFirstListener, exchange) }
    #expect(found.map(\.code) == [.optionConflict])
    withExtendedLifetime(first) {}
  }

  @Test func `C28 what a listener posts while it catches up comes after that`() {
    let channel = keeping(.last(10))
    for number in 1...3 { channel.post(number) }
    let log = Log()
    let owner = Owner()
    channel.listen(for: owner) { _, number in
      log.add("\(number)")
      if number == 1 { #expect(channel.post(4).queued == 1) }
    }
    #expect(log.events == ["1", "2", "3", "4"])
    #expect(channel.post(5).called == 1)
  }

  @Test func `C28 one-shots, filters and consumed messages`() {
    let channel = keeping(.last(10))
    let log = Log()
    let owner = Owner()
    let sender = Owner()
    channel.post(1)
    channel.post(2, from: sender)
    let consumer = channel.listen(priority: .high) { (number: Int, envelope: Envelope) in
      if number == 3 { envelope.consume() }
    }
    channel.post(3)
    channel.post(4)
    channel.listen(for: owner, once: true) { _, number in log.add("once \(number)") }
    channel.listen(for: owner, from: sender) { _, number in log.add("filter \(number)") }
    channel.listen(for: owner) { (_: Owner, number: Int, envelope: Envelope) in
      log.add("\(number) \(envelope.sender?.is(sender) == true)")
    }
    #expect(
      log.events == ["once 1", "filter 2", "1 false", "2 true", "4 false"])
    withExtendedLifetime(consumer) {}
  }

  @Test func `C28 asynchronous listeners and sequences get what was kept as well`() async throws {
    let channel = keeping(.last(10))
    for number in 1...3 { channel.post(number) }
    let log = Log()
    let held = HeldQueue()
    let token = channel.listen(on: .queue(held.queue)) { number in log.add("\(number)") }
    let messages = channel.messages()
    channel.post(4)
    held.open()
    try await channel.send(5)
    messages.finish()
    var received: [Int] = []
    for await number in messages { received.append(number) }
    #expect(log.events == ["1", "2", "3", "4", "5"])
    #expect(received == [1, 2, 3, 4, 5])
    withExtendedLifetime(token) {}
  }

  @Test func `C28 in a scope the scope's exchange keeps`() {
    let channel = Channel<Int>("C28.scope", options: ChannelOptions(replay: .last(1)))
    let owner = Owner()
    let log = Log()
    Exchange.withShared(Exchange()) {
      channel.post(1)
      channel.listen(for: owner) { _, number in log.add("inside \(number)") }
    }
    channel.listen(for: owner) { _, number in log.add("outside \(number)") }
    #expect(log.events == ["inside 1"])
  }

  @Test(arguments: [ReplayPolicy.last(.max), .untilFirstListener])
  func `C28 joining while two threads post misses nothing and gets nothing twice`(
    policy: ReplayPolicy
  ) {
    for _ in 0..<200 {
      let channel = keeping(policy)
      let received = Mutex<[Int]>([])
      let token = Holder<Subscription>()
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        guard thread < 2 else {
          token.value = channel.listen { number in received.withLock { $0.append(number) } }
          return
        }
        for number in 0..<100 { channel.post(thread * 1_000 + number) }
      }
      let all = received.withLock { $0 }
      for thread in 0..<2 {
        #expect(all.filter { $0 / 1_000 == thread } == (0..<100).map { thread * 1_000 + $0 })
      }
      withExtendedLifetime(token.value) {}
    }
  }

  @Test func `C28 what is kept for those who come later is not reported as unheard`() {
    for replay in [ReplayPolicy.last(1), .untilFirstListener] {
      let options = ChannelOptions(requiresListener: true, replay: replay)
      let channel = Channel<Int>("kept", in: Exchange(), options: options)
      let local = LocalChannel<Int>("kept", options: options)
      let found = diagnostics {
        channel.post(1)
        local.post(1)
      }
      #expect(found.isEmpty)
    }
  }
}
