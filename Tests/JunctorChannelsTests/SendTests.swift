import Dispatch
import JunctorChannels
import Testing

@Suite struct SendTests {
  struct Failure: Error, Equatable { var number = 0 }

  @Test func `C26 send returns when every listener is done`() async throws {
    let channel = Channel<Int>("send", in: Exchange())
    let held = HeldQueue()
    let log = Log()
    let tokens = [
      channel.listen(on: .queue(held.queue)) { number in log.add("queue \(number)") },
      channel.listen { number in
        log.add("plain \(number)")
        held.open()
      },
      channel.listen { @MainActor number in log.add("main \(number)") },
    ]
    let receipt = try await channel.send(1)
    #expect(log.events.sorted() == ["main 1", "plain 1", "queue 1"])
    #expect(receipt.called == 1 && receipt.queued == 2)
    withExtendedLifetime(tokens) {}
  }

  @Test func `C26 send to nobody returns at once`() async throws {
    let receipt = try await Channel<Int>("send", in: Exchange()).send(1)
    #expect(!receipt.wasHeard)
  }

  @Test func `C26 send waits for room where post would drop`() async throws {
    let channel = Channel<Int>("send", in: Exchange())
    let held = HeldQueue()
    let log = Log()
    let token = channel.listen(on: .queue(held.queue), buffer: .dropNewest(1)) { number in
      log.add("\(number)")
    }
    #expect(channel.post(1).queued == 1)
    let sent = Task { try await channel.send(2) }
    let after = Task {
      _ = try await sent.value
      return try await channel.send(3)
    }
    held.open()
    #expect(try await after.value.dropped == 0)
    #expect(log.events == ["1", "2", "3"])
    let counts = try #require(token.registration.deliveryCounts)
    #expect(counts.accepted == 3 && counts.delivered == 3)
  }

  @Test(.timeLimit(.minutes(2))) func `C26 send waits for an iterator that is slow`() async throws {
    let channel = Channel<Int>("send", in: Exchange())
    let messages = channel.messages(buffer: .dropOldest(2))
    let producer = Task {
      for number in 0..<1_000 { try await channel.send(number) }
      messages.finish()
    }
    var iterator = messages.makeAsyncIterator()
    var received: [Int] = []
    while let number = await iterator.next() {
      received.append(number)
      await Task.yield()
    }
    try await producer.value
    #expect(received == Array(0..<1_000))
    #expect(iterator.counts.dropped == 0)
  }

  @Test func `C26 a buffer that takes nothing does not hold up send`() async throws {
    let channel = Channel<Int>("send", in: Exchange())
    let token = channel.listen(on: .deferred, buffer: .dropNewest(-1)) { _ in }
    let receipt = try await Junctor.withDiagnostics { _ in
    } operation: {
      try await channel.send(1)
    }
    #expect(receipt.dropped == 1 && receipt.queued == 0)
    withExtendedLifetime(token) {}
  }

  @Test func `C26 a cancelled send stops waiting, and those after it get nothing`() async {
    let channel = Channel<Int>("send", in: Exchange())
    let held = HeldQueue()
    let log = Log()
    let full = Signal()
    let tokens = [
      channel.listen(priority: .high) { number in if number == 2 { full.send() } },
      channel.listen(on: .queue(held.queue), buffer: .dropNewest(1)) { log.add("queue \($0)") },
      channel.listen(priority: .low) { log.add("low \($0)") },
    ]
    channel.post(1)
    let sent = Task { try await channel.send(2) }
    await full.wait()
    sent.cancel()
    await #expect(throws: CancellationError.self) { try await sent.value }
    held.open()
    await held.drained()
    #expect(log.events == ["low 1", "queue 1"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `C26 a task that is cancelled already sends to nobody`() async {
    let channel = Channel<Int>("send", in: Exchange())
    let calls = Count()
    let token = channel.listen { _ in calls.add() }
    let sent = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await channel.send(1)
    }
    await #expect(throws: CancellationError.self) { try await sent.value }
    #expect(calls.value == 0)
    withExtendedLifetime(token) {}
  }

  @Test func `C24 send gets the errors of listeners that run elsewhere`() async throws {
    let channel = Channel<Int>(
      "send", in: Exchange(), options: ChannelOptions(errors: .rethrowAfterAll))
    let tokens = [
      channel.listen(on: .deferred) { _ in throw Failure(number: 1) },
      channel.listen { _ in throw Failure(number: 2) },
    ]
    let receipt = try await channel.send(1)
    #expect(Set(receipt.errors.compactMap { ($0 as? Failure)?.number }) == [1, 2])
    withExtendedLifetime(tokens) {}
  }

  @Test func `C24 stopAtFirst holds across listeners that run elsewhere`() async throws {
    let channel = Channel<Int>(
      "send", in: Exchange(), options: ChannelOptions(errors: .stopAtFirst))
    let calls = Count()
    let tokens = [
      channel.listen(on: .deferred) { _ in throw Failure() },
      channel.listen { _ in calls.add() },
    ]
    let receipt = try await channel.send(1)
    #expect(receipt.errors.count == 1)
    #expect(calls.value == 0)
    withExtendedLifetime(tokens) {}
  }

  @Test func `C13 on a queued channel a send holds up the posts after it until it was handed in`()
    async throws
  {
    let channel = Channel<Int>(
      "send", in: Exchange(), options: ChannelOptions(order: .queued))
    let held = HeldQueue()
    let log = Log()
    let full = Signal()
    let tokens = [
      channel.listen(priority: .high) { number in
        log.add("high \(number)")
        if number == 2 { full.send() }
      },
      channel.listen(on: .queue(held.queue), buffer: .dropNewest(1)) { _ in },
      channel.listen(priority: .low) { log.add("low \($0)") },
    ]
    channel.post(1)
    let sent = Task { try await channel.send(2) }
    await full.wait()
    #expect(channel.post(3).isDeferred)
    let cancelled = Task { try await channel.send(4) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    held.open()
    _ = try await sent.value
    #expect(log.events == ["high 1", "low 1", "high 2", "low 2", "high 3", "low 3"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `C16 a send to a listener that is cancelled meanwhile ends`() async throws {
    let channel = Channel<Int>("send", in: Exchange())
    let held = HeldQueue()
    let handedIn = Signal()
    let token = channel.listen(on: .queue(held.queue)) { _ in }
    let last = channel.listen(priority: .low) { _ in handedIn.send() }
    let sent = Task { try await channel.send(1) }
    await handedIn.wait()
    token.cancel()
    _ = try await sent.value
    #expect(await token.ended())
    held.open()
    withExtendedLifetime(last) {}
  }
}

@Suite struct EndedTests {
  @Test func `C15 ended waits for a call that another thread is making`() async {
    let channel = Channel<Int>("ended", in: Exchange())
    let entered = Signal()
    let gate = DispatchSemaphore(value: 0)
    let isOver = Count()
    let token = channel.listen { _ in
      entered.send()
      gate.wait()
      isOver.add()
    }
    DispatchQueue(label: "poster").async { channel.post(1) }
    await entered.wait()
    token.cancel()
    let waiting = Task {
      await token.ended()
      return isOver.value
    }
    gate.signal()
    #expect(await waiting.value == 1)
  }

  @Test func `C15 ended waits for a call that a queue is making`() async {
    let channel = Channel<Int>("ended", in: Exchange())
    let owner = Owner()
    let entered = Signal()
    let gate = DispatchSemaphore(value: 0)
    let isOver = Count()
    let token = channel.listen(for: owner, on: .queue(DispatchQueue(label: "q"))) { _, _ in
      entered.send()
      gate.wait()
      isOver.add()
    }
    channel.post(1)
    await entered.wait()
    token.cancel()
    let waiting = Task {
      await token.ended()
      return isOver.value
    }
    gate.signal()
    #expect(await waiting.value == 1)
  }

  @Test func `C15 ended asked for inside the listener holds up nobody`() async {
    let channel = Channel<Int>("ended", in: Exchange())
    let token = Holder<Subscription>()
    let done = Signal()
    token.value = channel.listen { _ in
      token.value?.cancel()
      Task {
        await token.value?.ended()
        done.send()
      }
    }
    #expect(channel.post(1).called == 1)
    await done.wait()
    #expect(token.value?.isActive == false)
  }
}
