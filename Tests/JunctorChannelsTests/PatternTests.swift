import JunctorChannels
import Testing

@Suite struct PatternTests {
  @Test(arguments: [
    ("account.*", "account.created", true), ("account.*", "account", false),
    ("account.*", "account.name.changed", false), ("account.>", "account.name.changed", true),
    ("account.>", "account", false), ("*.created", "account.created", true), (">", "x", true),
    (">", "", true), ("", "", true), ("a", "a", true), ("a", "a.b", false), ("a.b", "a", false),
    ("*.*", "a.b", true), ("*.*", "a", false), ("a.>.c", "a.b.c", false),
    ("a.>.c", "a.>.c", true), ("acc*", "account", false), ("acc*", "acc*", true),
    ("*", "😀", true), ("a..b", "a..b", true), ("a.*.b", "a..b", true),
  ])
  func `C30 patterns match part by part`(pattern: String, name: String, matches: Bool) {
    #expect(ChannelPattern(pattern).matches(name) == matches)
  }

  @Test func `C30 a pattern hears channels that were there and channels that come`() {
    let exchange = Exchange()
    let log = Log()
    let owner = Owner()
    let early = Channel<Int>("account.early", in: exchange)
    let token = exchange.listen(matching: "account.*", of: Int.self, for: owner) {
      _, number, envelope in
      log.add("\(envelope.channelName) \(number)")
    }
    #expect(early.post(1).called == 1)
    #expect(Channel<Int>("account.late", in: exchange).post(2).called == 1)
    #expect(Channel<Int>("other.late", in: exchange).post(3).called == 0)
    #expect(Channel<String>("account.text", in: exchange).post("x").called == 0)
    token.cancel()
    #expect(early.post(4).called == 0)
    #expect(!early.hasListeners)
    #expect(log.events == ["account.early 1", "account.late 2"])
  }

  @Test func `C30 a pattern without a type hears every type`() {
    let exchange = Exchange()
    let log = Log()
    let owner = Owner()
    exchange.listen(matching: "a.>", for: owner) { _, message, envelope in
      log.add("\(envelope.channelName) \(message)")
    }
    Channel<Int>("a.number", in: exchange).post(1)
    Channel<String>("a.text", in: exchange).post("x")
    exchange.post(["k": 2], to: "a.info")
    #expect(log.events == ["a.number 1", "a.text x", "a.info [\"k\": 2]"])
  }

  @Test func `C5 C30 patterns follow the same single order`() {
    let exchange = Exchange()
    let log = Log()
    let owner = Owner()
    let channel = Channel<Int>("a.b", in: exchange)
    channel.listen(for: owner) { _, _ in log.add("first") }
    exchange.listen(matching: "a.*", of: Int.self, for: owner) { _, _, _ in log.add("second") }
    channel.listen(for: owner) { _, _ in log.add("third") }
    exchange.listen(matching: "a.*", for: owner, priority: .high) { _, _, _ in log.add("zero") }
    channel.post(1)
    let late = Channel<Int>("a.c", in: exchange)
    late.listen(for: owner) { _, _ in log.add("last") }
    late.post(1)
    #expect(log.events == ["zero", "first", "second", "third", "zero", "second", "last"])
  }

  @Test func `C14 C30 a one-shot pattern is called once over all channels`() {
    let exchange = Exchange()
    let calls = Count()
    let owner = Owner()
    exchange.listen(matching: "a.*", for: owner, once: true) { _, _, _ in calls.add() }
    let one = Channel<Int>("a.1", in: exchange)
    #expect(one.post(1).called == 1)
    #expect(Channel<Int>("a.2", in: exchange).post(1).called == 0)
    #expect(calls.value == 1)
    #expect(!one.hasListeners)
  }

  @Test func `C4 C30 a pattern keeps no channel, and a dead owner's pattern nothing at all`() {
    let exchange = Exchange()
    let died = Count()
    do {
      let captured = Owner { died.add() }
      let owner = Owner()
      exchange.listen(matching: ">", for: owner) { _, _, _ in withExtendedLifetime(captured) {} }
      for number in 0..<1_000 {
        #expect(Channel<Int>("name.\(number)", in: exchange).post(1).called == 1)
      }
      #expect(exchange.channelCount == 0)
    }
    let other = Channel<Int>("other", in: Exchange())
    let owner = Owner()
    for _ in 0..<20_000 where died.value == 0 { other.listen(for: owner) { _, _ in }.cancel() }
    #expect(died.value == 1)
  }

  @Test func `C12 C30 a pattern cancelled during a delivery is not called in it`() {
    let exchange = Exchange()
    let log = Log()
    let owner = Owner()
    let token = Holder<Registration>()
    let channel = Channel<Int>("a.b", in: exchange)
    channel.listen(for: owner) { _, _ in
      log.add("plain")
      token.value?.cancel()
    }
    token.value = exchange.listen(matching: "a.*", for: owner) { _, _, _ in log.add("pattern") }
    channel.post(1)
    #expect(log.events == ["plain"])
  }

  @Test func `C30 taps see everything and count as none`() {
    let exchange = Exchange()
    let log = Log()
    let owner = Owner()
    let channel = Channel<Int>("a", in: exchange)
    let tap = exchange.tap { message, envelope in log.add("\(envelope.channelName) \(message)") }
    let receipt = channel.post(1, from: owner)
    #expect(receipt.called == 0 && !receipt.wasHeard)
    #expect(!channel.hasListeners)
    channel.listen(for: owner, priority: ListenerPriority(rawValue: .max)) { _, _, envelope in
      envelope.consume()
    }
    #expect(channel.post(2).isConsumed)
    Channel<String>("b", in: exchange).post("x")
    tap.cancel()
    channel.post(3)
    #expect(log.events == ["a 1", "a 2", "b x"])
  }

  @Test func `wildcards in a plain name are plain`() {
    let exchange = Exchange()
    let owner = Owner()
    let calls = Count()
    Channel<Int>("a.*", in: exchange).listen(for: owner) { _, _ in calls.add() }
    #expect(Channel<Int>("a.b", in: exchange).post(1).called == 0)
    #expect(Channel<Int>("a.*", in: exchange).post(1).called == 1)
  }
}
