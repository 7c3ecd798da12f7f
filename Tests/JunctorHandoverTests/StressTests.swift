import JunctorCore
import Synchronization
import Testing

@testable import JunctorHandover

/// Several threads at everything at once; what the sanitizers look at.
@Suite struct `Handover under stress` {
  private final class Shared: ResultProvider, Sendable {
    typealias Result = Int
    static var handoverPolicy: HandoverPolicy { .all }
    private let slot = SharedHandoverSlot<Int>()
    var handoverSlot: HandoverSlot<Int> { slot.base }
    let ready = Atomic<Bool>(false)
    let prepared = Mutex<[Int]>([])
    var isReady: Bool { ready.load(ordering: .acquiring) }
    func prepare(with model: Int?) { prepared.withLock { $0.append(model ?? -1) } }
  }

  private final class Passing: DataReceiver, Sendable {
    let isReady: Bool
    init(_ isReady: Bool) { self.isReady = isReady }
    func prepare(with model: Tracked?) {}
  }

  private final class Turn: Sendable {
    let number = Atomic<Int>(0)
  }

  private final class Container: ReceiverContainer, Sendable {
    private let children = Mutex<[Shared]>([])
    var receiverChildren: [AnyObject] { children.withLock { $0 } }
    func add(_ child: Shared) {
      children.withLock { $0.append(child) }
      receiversArrived()
    }
  }

  @Test func `H3 handing over and becoming ready on several threads loses and doubles nothing`()
    async
  {
    for _ in 0..<50 {
      let receiver = Shared()
      await withTaskGroup(of: Void.self) { group in
        for part in 0..<3 {
          group.addTask { for number in 0..<100 { receiver.handOver(part * 1000 + number) } }
        }
        group.addTask {
          receiver.ready.store(true, ordering: .releasing)
          receiver.becomeReady()
        }
        group.addTask { for _ in 0..<20 { _ = Wiring.snapshot() } }
      }
      #expect(receiver.pendingHandovers == 0)
      let prepared = receiver.prepared.withLock { $0 }
      #expect(prepared.count == 300)
      #expect(Set(prepared).count == 300)
    }
  }

  @Test func `H3 who becomes ready as something is handed over is prepared with it, once`() async {
    let rounds = 5000
    let receivers = (0..<rounds).map { _ in Shared() }
    // Known, with nothing waiting: what is handed over next finds nothing in its way but that they are not ready.
    for receiver in receivers {
      receiver.ready.store(true, ordering: .releasing)
      receiver.handOver(0)
      receiver.ready.store(false, ordering: .releasing)
    }
    let turn = Turn()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for (index, receiver) in receivers.enumerated() {
          turn.number.store(index + 1, ordering: .releasing)
          receiver.handOver(1)
        }
      }
      group.addTask {
        for (index, receiver) in receivers.enumerated() {
          while turn.number.load(ordering: .acquiring) <= index { await Task.yield() }
          receiver.ready.store(true, ordering: .releasing)
          receiver.becomeReady()
        }
      }
    }
    #expect(receivers.allSatisfy { $0.pendingHandovers == 0 })
    #expect(receivers.allSatisfy { $0.prepared.withLock { $0 } == [0, 1] })
  }

  @Test func `H2 receivers that come and go on several threads leave nothing`() async {
    let log = Log()
    await Junctor.withDiagnostics({ _ in }) {
      await withTaskGroup(of: Void.self) { group in
        for part in 0..<4 {
          group.addTask {
            for number in 0..<2000 {
              Passing(number % 2 == 0).handOver(Tracked("\(part).\(number)", log))
            }
          }
        }
      }
      // Other tests' activity may be letting go of some at this moment.
      for _ in 0..<1_000_000 where log.all.count < 8000 { HandoverTable.sweep() }
    }
    #expect(log.all.count == 8000)
    #expect(Set(log.all).count == 8000)
  }

  private final class Ends: Sendable {
    let counts = Mutex<[Int: Int]>([:])
    let (heard, signal) = AsyncStream<Void>.makeStream()
    func note(_ id: Int) {
      counts.withLock { $0[id, default: 0] += 1 }
      signal.yield()
    }
  }

  @Test func `H6 asking, answering, giving up and dying at once end every request once`() async {
    let ends = Ends()
    let rounds = 100
    await Junctor.withDiagnostics({ _ in }) {
      for round in 0..<rounds {
        // The last reference may go with any of the tasks.
        let receiver = Shared()
        await withTaskGroup(of: Void.self) { group in
          for part in 0..<2 {
            group.addTask {
              for number in 0..<10 {
                let id = round * 1000 + part * 100 + number
                let request = receiver.request(id, telling: ends) { ends, _ in ends.note(id) }
                if number % 3 == 0 { request.cancel() }
              }
            }
          }
          group.addTask {
            receiver.ready.store(true, ordering: .releasing)
            receiver.becomeReady()
            for request in receiver.openRequests { receiver.giveBack(1, to: request) }
          }
        }
      }
    }
    var heard = 0
    for await _ in ends.heard {
      heard += 1
      if heard == rounds * 20 { break }
    }
    #expect(ends.counts.withLock { $0.count } == rounds * 20)
    #expect(ends.counts.withLock { $0.values.allSatisfy { $0 == 1 } })
  }

  @Test func `H5 models left and children arriving on several threads all meet`() async {
    for _ in 0..<50 {
      let container = Container()
      let child = Shared()
      child.ready.store(true, ordering: .releasing)
      await withTaskGroup(of: Void.self) { group in
        for part in 0..<2 {
          group.addTask {
            for number in 0..<50 {
              _ = try? Handover.leave(part * 1000 + number, with: container)
            }
          }
        }
        group.addTask { container.add(child) }
      }
      container.receiversArrived()
      #expect(container.waitingHandovers == 0)
      #expect(Set(child.prepared.withLock { $0 }).count == 100)
    }
  }

  @Test func `H6 what became of a request is known, whoever asks at the same time`() async {
    for _ in 0..<500 {
      let receiver = Shared()
      receiver.ready.store(true, ordering: .releasing)
      let first = receiver.request(1).id
      await withTaskGroup(of: Void.self) { group in
        group.addTask { receiver.giveBack(1, to: first) }
        // Adding a request clears those away that have ended.
        group.addTask { for number in 2..<6 { _ = receiver.request(number) } }
        group.addTask { for _ in 0..<4 { receiver.cancelRequests(first) } }
      }
      let reports = Reports()
      Junctor.withDiagnostics(reports.add) { _ = receiver.giveBack(2, to: first) }
      #expect(reports.codes == [.resultTooLate])
    }
  }

  @Test func `H10 senders on several threads are all noted`() async {
    let receiver = Shared()
    receiver.ready.store(true, ordering: .releasing)
    let senders = (0..<3).map { _ in Container() }
    await withTaskGroup(of: Void.self) { group in
      for sender in senders {
        group.addTask { for number in 0..<200 { receiver.handOver(number, from: sender) } }
        group.addTask { for number in 0..<50 { receiver.handOver(number, from: Container()) } }
      }
    }
    let counts = senders.map { sender in
      receiver.handoverSlot.record.withLock { record in
        record.senders.first { $0.object.identity == ObjectIdentifier(sender) }?.count ?? 0
      }
    }
    // Others may push one out for a while; it is never counted twice at once.
    #expect(counts.allSatisfy { $0 <= 200 })
    #expect(
      receiver.handoverSlot.record.withLock { $0.senders.count } <= HandoverRecord.senderLimit)
  }
}
