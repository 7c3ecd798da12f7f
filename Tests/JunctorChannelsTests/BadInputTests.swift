import Dispatch
import Foundation
import JunctorChannels
import Synchronization
import Testing

/// What nobody should pass, and what comes of it.
@Suite struct BadInputTests {
  struct Failure: Error {}

  static let names = [
    "", ".", "..", "a..b", " ", "\0", "a\0b", "\n", "\u{202E}", "😀", "👩‍👩‍👧‍👦", "*", ">", "a.*", "a.>",
    "\"\\", "e\u{301}", String(repeating: "x", count: 1 << 20),
    String(repeating: ".", count: 1 << 20),
  ]

  @Test func `C1 C2 C30 C31 odd names are names like any other`() {
    let exchange = Exchange()
    let owner = Owner()
    let log = Log()
    let channels = Self.names.map { Channel<Int>($0, in: exchange) }
    for (number, channel) in channels.enumerated() {
      channel.listen(for: owner) { _, message in log.add("\(number): \(message)") }
    }
    let tap = exchange.tap { _, _ in }
    #expect(exchange.channelCount == Self.names.count)
    for (number, channel) in channels.enumerated() {
      #expect(channel.post(number).called == 1)
      #expect(Channel<Int>(channel.name, in: exchange) == channel)
      #expect(ChannelPattern(">").matches(channel.name))
    }
    #expect(log.events == channels.indices.map { "\($0): \($0)" })
    #expect(exchange.snapshot().channels.count == Self.names.count)
    #expect(exchange.dump().utf8.count < 100_000, "a dump shortens what is long")
    #expect(exchange.dumpJSON().contains(#""name":"\u0000""#))
    withExtendedLifetime(tap) {}
  }

  @Test func `C2 names that are equal as texts are one name`() {
    let exchange = Exchange()
    #expect(Channel<Int>("\u{E9}", in: exchange) == Channel<Int>("e\u{301}", in: exchange))
  }

  @Test func `C17 C23 C29 messages about long names are short`() async throws {
    let name = String(repeating: "long\n", count: 1 << 18)
    let exchange = Exchange()
    let must = Channel<Int>(name, in: exchange, options: ChannelOptions(requiresListener: true))
    let found = diagnostics {
      must.post(1)
      _ = Channel<String>(name, in: exchange)
    }
    #expect(found.map(\.code) == [.nobodyListens, .nameCollision])
    #expect(found.allSatisfy { $0.message.utf8.count < 1_000 && !$0.message.contains("\n") })
    let request = RequestChannel<Int, Int>(name, in: exchange)
    let error = await #expect(throws: RequestError.self) { try await request.request(1) }
    #expect((error?.message.utf8.count ?? .max) < 1_000)
  }

  @Test func `C26 sizes of buffers from the least to the greatest`() async throws {
    let exchange = Exchange()
    let channel = Channel<Int>("sizes", in: exchange)
    let sizes = [Int.min, -1, 0, 1, 64, Int.max - 1, Int.max]
    let policies = sizes.map { BufferPolicy.dropOldest($0) } + sizes.map { .dropNewest($0) }
    let tokens = policies.map { channel.listen(on: .deferred, buffer: $0) { _ in } }
    _ = try await Junctor.withDiagnostics { _ in
    } operation: {
      try await channel.send(0)
    }
    // A send waits for whoever iterates; a post does not.
    let sequences = policies.map { channel.messages(buffer: $0) }
    _ = diagnostics { for number in 1...10 { channel.post(number) } }
    for token in tokens {
      let counts = try #require(token.registration.deliveryCounts)
      #expect(counts.accepted == 11)
    }
    for (sequence, size) in zip(sequences, sizes + sizes) {
      let counts = sequence.counts
      #expect(counts.accepted == 10)
      #expect(counts.pending == max(0, min(size, 10)))
      #expect(counts.dropped == UInt64(10 - max(0, min(size, 10))))
    }
  }

  @Test func `C5 priorities at the ends of Int, patterns and sequences among them`() async {
    let exchange = Exchange()
    let channel = Channel<Int>("ends", in: exchange)
    let log = Log()
    let owner = Owner()
    let last = channel.messages(priority: ListenerPriority(rawValue: .min))
    for priority in [Int.min, .max, .min + 1, .max - 1, 0, .min, .max] {
      channel.listen(for: owner, priority: ListenerPriority(rawValue: priority)) { _, _ in
        log.add("\(priority)")
      }
    }
    exchange.listen(matching: "*", for: owner, priority: ListenerPriority(rawValue: .max)) {
      _, _, _ in log.add("pattern")
    }
    channel.post(1)
    let ends = [Int.max, .max].map { "\($0)" } + ["pattern"]
    let rest = [Int.max - 1, 0, .min + 1, .min, .min].map { "\($0)" }
    #expect(log.events == ends + rest)
    last.finish()
    for await number in last { #expect(number == 1) }
  }

  @Test func `C32 a history of the greatest and the least length`() {
    for limit in [Int.min, 0, Int.max] {
      let exchange = Exchange()
      exchange.observe(ObservationOptions(historyLimit: limit, slowListenerLimit: .seconds(-1)))
      _ = diagnostics { for number in 0..<10 { Channel<Int>("h", in: exchange).post(number) } }
      #expect(exchange.history.count == (limit > 0 ? 10 : 0))
    }
  }

  @Test func `C29 a time-out of nothing or less is over at once`() async {
    let price = RequestChannel<Int, Int>("price", in: Exchange())
    let kept = Holder<Question<Int, Int>>()
    let token = price.questions.listen { kept.value = $0 }
    for timeout in [Duration.zero, .seconds(-1), .seconds(Int64.min / 2)] {
      let error = await #expect(throws: RequestError.self) {
        try await price.request(1, timeout: timeout)
      }
      #expect(error?.code == .timedOut)
    }
    withExtendedLifetime(token) {}
  }

  @Test func `C12 C13 C20 a handler that cancels everything, posts, throws and listens`() {
    let exchange = Exchange()
    let channel = Channel<Int>("wild", in: exchange)
    let owner = Owner()
    let calls = Count()
    for _ in 0..<10 {
      channel.listen(for: owner) { me, number in
        calls.add()
        channel.removeAllListeners()
        channel.removeListeners(of: me)
        channel.post(number + 1)
        channel.listen(for: me, priority: .high) { _, _ in calls.add() }
        exchange.post([:], to: "wild")
        throw Failure()
      }
    }
    _ = diagnostics { channel.post(1) }
    #expect(calls.value == 1)
    #expect(channel.post(2).called == 1)
  }

  @Test func `a handler that blocks holds up nobody but its poster`() async {
    let channel = Channel<Int>("blocks", in: Exchange())
    let owner = Owner()
    let gate = DispatchSemaphore(value: 0)
    let blocked = Signal()
    let done = Signal()
    let blocker = channel.listen { number in
      guard number == 1 else { return }
      blocked.send()
      gate.wait()
    }
    DispatchQueue(label: "poster").async {
      channel.post(1)
      done.send()
    }
    await blocked.wait()
    // All of these would hang if any lock were held around the call.
    channel.listen(for: owner) { _, _ in }.cancel()
    #expect(channel.post(2).called == 1)
    #expect(channel.exchange.snapshot().channels.count == 1)
    blocker.cancel()
    gate.signal()
    await done.wait()
  }

  @Test func `a handler that lets go of the exchange, the channel and the owner`() {
    weak var exchange: Exchange?
    let log = Log()
    do {
      let kept = Holder<Exchange>(Exchange())
      let channel = Holder<Channel<Int>>(kept.value.map { Channel("last", in: $0) })
      let owner = Holder<Owner>(Owner { log.add("died") })
      exchange = kept.value
      if let me = owner.value {
        channel.value?.listen(for: me) { _, _ in
          kept.value = nil
          channel.value = nil
          owner.value = nil
          log.add("called")
        }
        channel.value?.listen(for: me) { _, _ in log.add("never") }
      }
      channel.value?.post(1)
    }
    #expect(log.events == ["called", "died"])
    #expect(exchange == nil)
  }

  @Test func `C31 a hundred thousand listeners are listed, removed in any order and gone`() {
    let exchange = Exchange()
    let channel = Channel<Int>("many", in: exchange)
    let owner = Owner()
    let calls = Count()
    let tokens = (0..<100_000).map { _ in channel.listen(for: owner) { _, _ in calls.add() } }
    #expect(channel.post(1).called == 100_000)
    #expect(exchange.snapshot().channels.first?.listeners.count == 100_000)
    for token in tokens.reversed() { token.cancel() }
    #expect(channel.post(2).called == 0)
    #expect(!channel.hasListeners && calls.value == 100_000)
  }

  @Test func `C4 very many names that are listened to, and then no longer`() {
    let exchange = Exchange()
    let owner = Owner()
    let calls = Count()
    let tokens = (0..<manyNames).map { number in
      Channel<Int>("name.\(number)", in: exchange).listen(for: owner) { _, _ in calls.add() }
    }
    #expect(exchange.channelCount == manyNames)
    for number in stride(from: 0, to: manyNames, by: 1_000) {
      #expect(Channel<Int>("name.\(number)", in: exchange).post(number).called == 1)
    }
    for token in tokens { token.cancel() }
    #expect(exchange.channelCount == 0)
    #expect(calls.value == manyNames / 1_000)
  }

  @Test func `posting while the process ends does no harm`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let channel = Channel<Int>("exit", options: ChannelOptions(replay: .last(4)))
      let started = DispatchSemaphore(value: 0)
      // Kept to the end of the process and beyond.
      let tokens = [
        channel.listen { _ in },
        channel.listen(on: .queue(DispatchQueue(label: "exit"))) { _ in },
        channel.listen(on: .deferred) { _ in },
        channel.listen { @MainActor _ in },
      ]
      atexit {
        let channel = Channel<Int>("exit")
        for number in 0..<100 { channel.post(number) }
        let late = channel.listen { _ in }
        precondition(channel.post(1).called == 2)
        late.cancel()
      }
      Junctor.diagnostics = { _ in }
      for number in 0..<2 {
        Thread.detachNewThread {
          channel.post(number)
          started.signal()
          while true { channel.post(number) }
        }
      }
      for _ in 0..<2 { started.wait() }
      withExtendedLifetime(tokens) { exit(7) }
    }
  }
}
