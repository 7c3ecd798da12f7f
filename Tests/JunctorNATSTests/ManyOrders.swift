#if NATS
  import JunctorBridge
  import JunctorChannels
  import Synchronization
  import Testing

  extension Channel where Message == Order {
    /// Sends numbers from many tasks at once and returns how many the server has.
    func sendEach(_ range: Range<Int>, tasks: Int) async throws -> Int {
      try await withThrowingTaskGroup(of: Int.self) { group in
        let shared = NextNumber(range)
        for _ in 0..<tasks {
          group.addTask {
            var accepted = 0
            while let number = shared.take() {
              if try await send(Order(number: number)).errors.isEmpty { accepted += 1 }
            }
            return accepted
          }
        }
        return try await group.reduce(0, +)
      }
    }
  }

  /// Hands numbers out, each once.
  private final class NextNumber: Sendable {
    private let state: Mutex<Range<Int>>

    init(_ range: Range<Int>) { state = Mutex(range) }

    func take() -> Int? {
      state.withLock { range in
        guard let first = range.first else { return nil }
        range = first + 1..<range.upperBound
        return first
      }
    }
  }

  /// Which numbers were seen, and how often.
  final class Seen: Sendable {
    private struct State {
      var times: [UInt8]
      var count = 0
      var waiters: [(Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(times: Array(repeating: 0, count: count))) }

    func add(_ number: Int) {
      let ready = state.withLock { state in
        if state.times[number] == 0 { state.count += 1 }
        state.times[number] &+= 1
        let count = state.count
        let ready = state.waiters.filter { $0.0 <= count }.map(\.1)
        if !ready.isEmpty { state.waiters.removeAll { $0.0 <= count } }
        return ready
      }
      for waiter in ready { waiter.resume() }
    }

    func wait(for count: Int) async {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.count < count { state.waiters.append((count, continuation)) }
          return state.count >= count
        }
        if isThere { continuation.resume() }
      }
    }

    /// Closes both ends, and expects that every number was accepted and heard once.
    func expectEachOnce(_ sender: Bridge, _ receiver: Bridge) async {
      await sender.close()
      await receiver.close()
      let (out, into, times) = (sender.status, receiver.status, state.withLock { $0.times })
      print(
        "sent \(out.posted) accepted \(out.confirmed) resent \(out.resent) refused \(out.refused) "
          + "dropped \(out.dropped) delivered \(into.delivered) redelivered \(into.redelivered) "
          + "passed over \(into.duplicates)")
      let count = UInt64(times.count)
      #expect(out.posted == count && out.confirmed == count)
      #expect(out.refused == 0 && out.dropped == 0)
      #expect(times.allSatisfy { $0 > 0 }, "a listener missed a message")
      #expect(times.allSatisfy { $0 < 2 }, "a listener saw a message twice")
      #expect(into.delivered == count)
    }
  }
#endif
