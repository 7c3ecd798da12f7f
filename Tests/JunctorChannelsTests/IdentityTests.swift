import JunctorChannels
import Synchronization
import Testing

@Suite struct IdentityTests {
  struct Box<Value: Sendable>: Sendable { var value: Value }

  @Test func `C1 the first use makes the channel, on whichever side`() {
    let exchange = Exchange()
    let log = Log()
    let owner = Owner()
    #expect(!Channel<Int>("early", in: exchange).post(1).wasHeard)
    Channel<Int>("late", in: exchange).listen(for: owner) { _, number in log.add("\(number)") }
    #expect(Channel<Int>("late", in: exchange).post(2).called == 1)
    #expect(log.events == ["2"])
  }

  @Test func `C2 same exchange, name and type is the same channel`() {
    let exchange = Exchange()
    #expect(Channel<Int>("a", in: exchange) == Channel<Int>("a", in: exchange))
    #expect(Channel<Int>("a", in: exchange) != Channel<Int>("b", in: exchange))
    #expect(Channel<Int>("a", in: exchange) != Channel<Int>("a", in: Exchange()))
    #expect(Channel<Int>("C2.shared") == Channel<Int>("C2.shared"))
    let set: Set = [Channel<Int>("a", in: exchange), Channel<Int>("a", in: exchange)]
    #expect(set.count == 1)
  }

  @Test
  func `C2 another type under the same name is another channel, reported once with both sites`() {
    let exchange = Exchange()
    let owner = Owner()
    let log = Log()
    let found = diagnostics {
      let ints = Channel<Box<Int>>("box", in: exchange)
      let strings = Channel<Box<String>>("box", in: exchange)
      let doubles = Channel<Double>("box", in: exchange)
      ints.listen(for: owner) { _, box in log.add("int \(box.value)") }
      strings.listen(for: owner) { _, box in log.add("string \(box.value)") }
      doubles.listen(for: owner) { _, value in log.add("double \(value)") }
      ints.post(Box(value: 1))
      strings.post(Box(value: "x"))
      doubles.post(0.5)
      _ = Channel<Box<String>>("box", in: exchange)
    }
    #expect(log.events == ["int 1", "string x", "double 0.5"])
    #expect(found.map(\.code) == [.nameCollision])
    #expect(found.first?.sites.count == 2)
    #expect(found.first?.message.contains("Box<Swift.Int>") == true)
  }

  @Test func `C3 exchanges are independent`() {
    let log = Log()
    let owner = Owner()
    let one = Exchange()
    let other = Exchange()
    Channel<Int>("x", in: one).listen(for: owner) { _, number in log.add("one \(number)") }
    Channel<Int>("x", in: other).listen(for: owner) { _, number in log.add("other \(number)") }
    Channel<Int>("x", in: one).post(1)
    Channel<Int>("x", in: other).post(2)
    #expect(log.events == ["one 1", "other 2"])
  }

  @Test func `C3 a scope replaces the shared exchange, for values made before it as well`() {
    let channel = Channel<Int>("C3.scope")
    let log = Log()
    let owner = Owner()
    channel.listen(for: owner) { _, number in log.add("outside \(number)") }
    Exchange.withShared(Exchange()) {
      #expect(!channel.post(1).wasHeard)
      channel.listen(for: owner) { _, number in log.add("inside \(number)") }
      #expect(Channel<Int>("C3.scope").post(2).called == 1)
      Exchange.shared.post(["k": 1], to: "C3.dictionary")
      #expect(Exchange.shared != Exchange.withShared(Exchange()) { Exchange.shared })
    }
    channel.post(3)
    #expect(log.events == ["inside 2", "outside 3"])
  }

  @Test func `C3 a thousand parallel scopes do not hear each other`() async {
    let channel = Channel<Int>("C3.parallel")
    let wrong = Count()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          await Exchange.withShared(Exchange()) {
            let heard = Count()
            let owner = Owner()
            channel.listen(for: owner) { _, message in
              if message != number { wrong.add() }
              heard.add()
            }
            await Task.yield()
            channel.post(number)
            await Task.yield()
            channel.post(number)
            if heard.value != 2 { wrong.add() }
          }
        }
      }
    }
    #expect(wrong.value == 0)
  }

  @Test func `C4 a million names used once leave nothing behind`() {
    let exchange = Exchange()
    for number in 0..<manyNames { Channel<Int>("name.\(number)", in: exchange).post(number) }
    #expect(exchange.channelCount == 0)
    let owner = Owner()
    for number in 0..<1_000 {
      let channel = Channel<Int>("name.\(number)", in: exchange)
      channel.listen(for: owner) { _, _ in }.cancel()
    }
    #expect(exchange.channelCount == 0)
    let registration = Channel<Int>("kept", in: exchange).listen(for: owner) { _, _ in }
    #expect(exchange.channelCount == 1)
    registration.cancel()
    #expect(exchange.channelCount == 0)
  }

  @Test func `C4 a listener keeps the channel, not the other way round`() {
    let exchange = Exchange()
    let calls = Count()
    var owner: Owner? = Owner()
    if let owner { Channel<Int>("a", in: exchange).listen(for: owner) { _, _ in calls.add() } }
    Channel<Int>("a", in: exchange).post(1)
    #expect(calls.value == 1)
    owner = nil
    Channel<Int>("a", in: exchange).post(1)
    #expect(calls.value == 1)
    #expect(exchange.channelCount == 0)
  }

  @Test func `dictionary payloads travel by name alone`() {
    let exchange = Exchange()
    let log = Log()
    let owner = Owner()
    exchange.listen(to: "MyChannel", for: owner) { _, info in log.add("\(info["k"] as? Int ?? 0)") }
    let receipt = exchange.post(["k": 1, "text": "x"], to: "MyChannel")
    #expect(receipt.called == 1)
    #expect(log.events == ["1"])
  }

  actor Ledger {
    private var sum = 0

    func listen(in exchange: Exchange) {
      exchange.listen(to: "booked", for: self) { me, info in me.sum += info["amount"] as? Int ?? 0 }
    }

    func book(_ amount: Int, in exchange: Exchange) -> Int {
      exchange.post(["amount": amount], to: "booked")
      return sum
    }
  }

  @Test func `C7 an actor listens by name to what is posted under keys, on itself`() async {
    let exchange = Exchange()
    let ledger = Ledger()
    await ledger.listen(in: exchange)
    #expect(await ledger.book(2, in: exchange) == 2)
    #expect(await ledger.book(3, in: exchange) == 5)
  }
}
