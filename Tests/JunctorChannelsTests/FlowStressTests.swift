import Dispatch
import JunctorChannels
import JunctorTesting
import Synchronization
import Testing

@Suite struct FlowStressTests {
  @Test(.timeLimit(.minutes(2)), arguments: [UInt64(11), 12, 13])
  func `C26 accepted is delivered and dropped and cancelled, whatever comes and goes`(
    seed: UInt64
  ) async {
    let exchange = Exchange()
    let channel = Channel<Owner>("flow", in: exchange)
    let died = Count()
    let made = Count()
    let queue = DispatchQueue(label: "flow", attributes: .concurrent)
    await Junctor.withDiagnostics { _ in
    } operation: {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<2 {
          group.addTask {
            for step in 0..<2_000 {
              made.add()
              channel.post(Owner { died.add() })
              if step % 64 == number { await Task.yield() }
            }
          }
        }
        group.addTask {
          for _ in 0..<500 {
            made.add()
            _ = try? await channel.send(Owner { died.add() })
          }
        }
        group.addTask {
          var random = SplitMix(seed: seed)
          for _ in 0..<300 {
            let token = channel.listen(
              on: random.next(below: 2) == 0 ? .queue(queue) : .deferred,
              buffer: random.next(below: 2) == 0
                ? .dropOldest(random.next(below: 4)) : .dropNewest(random.next(below: 4))
            ) { _ in }
            for _ in 0..<random.next(below: 8) { await Task.yield() }
            if random.next(below: 2) == 0 { await exchange.settle() }
            if let counts = token.registration.deliveryCounts {
              let known = counts.delivered + counts.dropped + counts.cancelled
              #expect(counts.accepted >= known, "seed \(seed)")
            }
            token.cancel()
            #expect(await token.ended(), "seed \(seed)")
          }
        }
        group.addTask {
          var random = SplitMix(seed: seed &+ 1)
          for _ in 0..<300 {
            let messages = channel.messages(buffer: .dropOldest(1 + random.next(below: 4)))
            var iterator = messages.makeAsyncIterator()
            for _ in 0..<random.next(below: 3) {
              // There is one at least, however fast the others are done.
              made.add()
              channel.post(Owner { died.add() })
              #expect(await iterator.next() != nil, "seed \(seed)")
            }
            messages.finish()
            while await iterator.next() != nil {}
            let counts = iterator.counts
            #expect(
              counts.accepted == counts.delivered + counts.dropped + counts.cancelled,
              "seed \(seed)")
          }
        }
      }
    }
    #expect(!channel.hasListeners)
    // The last message may be on its way out of a drain job.
    for _ in 0..<100_000 where made.value != died.value { await Task.yield() }
    #expect(made.value == died.value, "seed \(seed)")
  }

  @Test func `C26 at rest the counts add up exactly`() async throws {
    let exchange = Exchange()
    let channel = Channel<Int>("flow", in: exchange)
    let tokens = [BufferPolicy.dropOldest(3), .dropNewest(3), .unbounded, .dropNewest(0)].map {
      channel.listen(on: .deferred, buffer: $0) { _ in }
    }
    Junctor.withDiagnostics { _ in
    } operation: {
      DispatchQueue.concurrentPerform(iterations: 3) { _ in
        Junctor.withDiagnostics { _ in
        } operation: {
          for number in 0..<5_000 { channel.post(number) }
        }
      }
    }
    #expect(await exchange.settle())
    for token in tokens {
      let counts = try #require(token.registration.deliveryCounts)
      #expect(counts.accepted == 15_000 && counts.pending == 0)
      #expect(counts.accepted == counts.delivered + counts.dropped + counts.cancelled)
    }
  }
}
