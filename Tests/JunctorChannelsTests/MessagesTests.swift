import JunctorChannels
import Testing

@Suite struct MessagesTests {
  @Test func `C27 a sequence gets every message from the moment it is made`() async {
    let channel = Channel<Int>("messages", in: Exchange())
    channel.post(0)
    let messages = channel.messages()
    for number in 1...100 { channel.post(number) }
    messages.finish()
    channel.post(101)
    var received: [Int] = []
    for await number in messages { received.append(number) }
    #expect(received == Array(1...100))
    #expect(messages.counts.accepted == 100)
  }

  @Test func `C27 each iterator has all of them`() async {
    let channel = Channel<Int>("messages", in: Exchange())
    let messages = channel.messages()
    channel.post(1)
    var first = messages.makeAsyncIterator()
    channel.post(2)
    #expect(await first.next() == 1)
    var second = messages.makeAsyncIterator()
    channel.post(3)
    messages.finish()
    var late = messages.makeAsyncIterator()
    var all: [[Int]] = [[], [], []]
    while let number = await first.next() { all[0].append(number) }
    while let number = await second.next() { all[1].append(number) }
    while let number = await late.next() { all[2].append(number) }
    #expect(all == [[2, 3], [1, 2, 3], [1, 2, 3]])
    #expect(await first.next() == nil)
  }

  @Test func `C27 Foundation 7 a task cancelled before next ends at once`() async {
    let channel = Channel<Int>("messages", in: Exchange())
    let messages = channel.messages()
    channel.post(1)
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      var count = 0
      for await _ in messages { count += 1 }
      return count
    }
    #expect(await task.value == 0)
  }

  @Test(.timeLimit(.minutes(2))) func `C27 a task cancelled during next ends at once`() async {
    let channel = Channel<Int>("messages", in: Exchange())
    let started = Signal()
    let task = Task {
      var iterator = channel.messages().makeAsyncIterator()
      _ = await iterator.next()
      started.send()
      return await iterator.next()
    }
    while !channel.hasListeners { await Task.yield() }
    channel.post(1)
    await started.wait()
    task.cancel()
    #expect(await task.value == nil)
    #expect(!channel.hasListeners)
  }

  @Test(.timeLimit(.minutes(2))) func `C27 ten iterators and one finish all end`() async {
    let channel = Channel<Int>("messages", in: Exchange())
    let messages = channel.messages()
    let sums = await withTaskGroup(of: Int.self) { group in
      let ready = Count()
      for _ in 0..<10 {
        group.addTask {
          var iterator = messages.makeAsyncIterator()
          var sum = await iterator.next() ?? 0
          ready.add()
          while let number = await iterator.next() { sum += number }
          return sum
        }
      }
      channel.post(1)
      while ready.value < 10 { await Task.yield() }
      channel.post(2)
      messages.finish()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums == Array(repeating: 3, count: 10))
    #expect(!channel.hasListeners)
  }

  @Test func `C27 removing the listeners of the channel ends the iterators`() async {
    let channel = Channel<Int>("messages", in: Exchange())
    let messages = channel.messages()
    channel.post(1)
    #expect(channel.removeAllListeners() == 1)
    var received: [Int] = []
    for await number in messages { received.append(number) }
    #expect(received == [1])
  }

  @Test func `C27 nothing is left after a hundred thousand reconnects`() async {
    let exchange = Exchange()
    let channel = Channel<Owner>("messages", in: exchange)
    let died = Count()
    for round in 0..<100_000 {
      var iterator = channel.messages(buffer: .dropOldest(2)).makeAsyncIterator()
      channel.post(Owner { died.add() })
      channel.post(Owner { died.add() })
      if round % 2 == 0 { _ = await iterator.next() }
    }
    #expect(died.value == 200_000)
    #expect(!channel.hasListeners)
    #expect(exchange.channelCount == 1)
  }

  @Test func `C26 an iterator's buffer drops what it was told to drop, and counts it`() async {
    for (buffer, expected) in [
      (BufferPolicy.dropOldest(3), [8, 9, 10]), (.dropNewest(3), [1, 2, 3]),
      (.unbounded, Array(1...10)), (.dropOldest(.max), Array(1...10)), (.dropNewest(0), []),
      (.dropOldest(-1), []), (.dropNewest(.min), []),
    ] {
      let channel = Channel<Int>("messages", in: Exchange())
      let messages = channel.messages(buffer: buffer)
      var iterator = messages.makeAsyncIterator()
      var dropped = 0
      _ = diagnostics { for number in 1...10 { dropped += channel.post(number).dropped } }
      messages.finish()
      var received: [Int] = []
      while let number = await iterator.next() { received.append(number) }
      #expect(received == expected)
      let counts = iterator.counts
      #expect(counts.accepted == 10)
      #expect(counts.delivered == UInt64(expected.count))
      #expect(counts.dropped == UInt64(10 - expected.count))
      #expect(dropped == 10 - expected.count)
    }
  }

  @Test func `C26 a buffer that drops is reported once`() {
    let channel = Channel<Int>("messages", in: Exchange())
    let messages = channel.messages(buffer: .dropOldest(1))
    let found = diagnostics { for number in 0..<10 { channel.post(number) } }
    #expect(found.map(\.code) == [.messageDropped])
    withExtendedLifetime(messages) {}
  }

  @Test func `C26 what an iterator leaves is counted as cancelled`() async {
    let channel = Channel<Int>("messages", in: Exchange())
    let messages = channel.messages()
    do {
      var iterator = messages.makeAsyncIterator()
      for number in 0..<5 { channel.post(number) }
      _ = await iterator.next()
    }
    let counts = messages.counts
    #expect(counts.accepted == 5 && counts.delivered == 1 && counts.cancelled == 4)
    #expect(counts.pending == 0)
  }

  @Test func `C27 a sequence has its place among the listeners and filters by sender`() async {
    let channel = Channel<Int>("messages", in: Exchange())
    let sender = Owner()
    let low = channel.messages(priority: .low, from: sender)
    let high = channel.listen(priority: .high) { (_: Int, envelope: Envelope) in
      if envelope.sender == nil { envelope.consume() }
    }
    channel.post(1)
    channel.post(2, from: sender)
    channel.post(3, from: Owner())
    low.finish()
    var received: [Int] = []
    for await number in low { received.append(number) }
    #expect(received == [2])
    withExtendedLifetime(high) {}
  }
}
