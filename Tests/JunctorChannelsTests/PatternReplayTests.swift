import JunctorChannels
import Testing

/// Patterns for actors, and what was kept for patterns.
@Suite struct PatternReplayTests {
  private let keeping = ChannelOptions(replay: .last(2))

  @Test func `C28 C30 a pattern gets what its channels kept, by name, and then what is posted`() {
    let exchange = Exchange()
    let one = Channel<Int>("a.1", in: exchange, options: keeping)
    let two = Channel<Int>("a.2", in: exchange, options: keeping)
    for number in 1...3 {
      two.post(20 + number)
      one.post(10 + number)
    }
    let log = Log()
    let owner = Owner()
    exchange.listen(matching: "a.*", for: owner) { _, message, envelope in
      log.add("\(envelope.channelName) \(message)")
    }
    one.post(14)
    #expect(log.events == ["a.1 12", "a.1 13", "a.2 22", "a.2 23", "a.1 14"])
  }

  @Test func `C28 C30 what nobody names any longer comes as well, and nothing comes twice`() {
    let exchange = Exchange()
    Channel<Int>("a.kept", in: exchange, options: keeping).post(1)
    #expect(exchange.channelCount == 0)
    let log = Log()
    let owner = Owner()
    exchange.listen(matching: "a.*", of: Int.self, for: owner) { _, number, _ in
      log.add("\(number)")
    }
    // A pattern keeps no channel: it comes and goes, and what it keeps has been heard.
    #expect(exchange.channelCount == 0)
    exchange.listen(matching: "b.*", for: owner) { _, _, _ in }
    for number in 2...3 { Channel<Int>("a.kept", in: exchange).post(number) }
    Channel<Int>("a.kept", in: exchange).removeAllListeners()
    #expect(Channel<Int>("a.kept", in: exchange).post(4).called == 1)
    #expect(log.events == ["1", "2", "3", "4"])
  }

  @Test func `C28 C30 a channel that begins to keep gives a pattern nothing that it heard`() {
    let exchange = Exchange()
    let log = Log()
    let owner = Owner()
    let token = exchange.listen(matching: ">", for: owner) { _, message, _ in log.add("\(message)")
    }
    for number in 1...3 { Channel<Int>("a", in: exchange, options: keeping).post(number) }
    #expect(log.events == ["1", "2", "3"])
    token.cancel()
    exchange.listen(matching: ">", for: owner) { _, message, _ in log.add("late \(message)") }
    #expect(log.events == ["1", "2", "3", "late 2", "late 3"])
  }

  @Test func `C28 C30 a pattern is a first listener like any other`() {
    let exchange = Exchange()
    let options = ChannelOptions(replay: .untilFirstListener)
    for name in ["a.1", "a.2"] {
      Channel<Int>(name, in: exchange, options: options).post(1)
    }
    let log = Log()
    let owner = Owner()
    exchange.listen(matching: "a.*", for: owner, once: true) { _, _, envelope in
      log.add("once \(envelope.channelName)")
    }
    Channel<Int>("a.1", in: exchange).listen(for: owner) { _, _ in log.add("never") }
    Channel<Int>("a.2", in: exchange).listen(for: owner) { _, _ in log.add("second") }
    #expect(log.events == ["once a.1", "second"])
  }

  @Test func `C7 C30 an actor listens by a pattern, inline where the poster is on it`() async {
    let exchange = Exchange()
    let store = Store()
    let other = Store()
    exchange.listen(matching: "n.*", of: Int.self, for: store) { store, number, _ in
      store.add(number, last: 2)
    }
    exchange.listen(matching: "n.>", for: other) { store, message, _ in
      if let number = message as? Int { store.add(number, last: 2) }
    }
    let channel = Channel<Int>("n.1", in: exchange)
    let (receipt, stored) = await store.post(1, to: channel)
    #expect(receipt.called == 1 && receipt.queued == 1 && stored == [1])
    #expect(Channel<Int>("n.2", in: exchange).post(2).queued == 2)
    await store.done.wait()
    await other.done.wait()
    #expect(await store.stored == [1, 2])
    #expect(await other.stored == [1, 2])
  }

  @Test(.timeLimit(.minutes(2))) func `C18 C30 an actor that listens by a pattern is held weakly`()
    async
  {
    let exchange = Exchange()
    weak var weakly: Store?
    do {
      let store = Store()
      weakly = store
      exchange.listen(matching: "n.*", for: store) { store, _, _ in store.add(1, last: 1) }
      Channel<Int>("n.1", in: exchange).post(1)
      await store.done.wait()
    }
    while weakly != nil { await Task.yield() }
    #expect(Channel<Int>("n.1", in: exchange).post(2).queued == 0)
  }

  @Test func `C22 C30 a subscription by a pattern filters by type and sender`() {
    let exchange = Exchange()
    let log = Log()
    let sender = Owner()
    let typed = exchange.listen(matching: "a.*", of: Int.self, from: sender) { number, _ in
      log.add("\(number)")
    }
    let any = exchange.listen(matching: "a.*", from: sender) { message, _ in
      log.add("any \(message)")
    }
    Channel<Int>("a.1", in: exchange).post(1)
    Channel<Int>("a.1", in: exchange).post(2, from: sender)
    Channel<String>("a.2", in: exchange).post("x", from: sender)
    #expect(log.events == ["2", "any 2", "any x"])
    withExtendedLifetime((typed, any)) {}
  }
}
