import JunctorCore
import Synchronization
import Testing

@testable import JunctorHandover

@Suite struct `H2 where the model lives` {
  @Test func `H2 a stored slot goes with its receiver`() {
    let log = Log()
    var receiver: Stored<Tracked>? = Stored()
    receiver?.handOver(Tracked("model", log))
    receiver?.prepared = []
    #expect(log.all.isEmpty)
    receiver = nil
    #expect(log.all == ["model gone"])
  }

  @Test func `H2 the table lets go soon after its receiver is gone`() {
    let log = Log()
    var receiver: Tabled<Tracked>? = Tabled()
    receiver?.handOver(Tracked("model", log))
    receiver?.prepared = []
    receiver = nil
    // Another test's activity may have taken the entry out a moment ago, and let go of it a moment from now.
    for _ in 0..<1_000_000 where log.all.isEmpty { HandoverTable.sweep() }
    #expect(log.all == ["model gone"])
  }

  @Test func `H2 the table lets go without being asked as others come and go`() {
    let log = Log()
    var receiver: Tabled<Tracked>? = Tabled()
    receiver?.handOver(Tracked("model", log))
    receiver?.prepared = []
    receiver = nil
    for number in 0..<20_000 where log.all.isEmpty {
      Tabled<Int>().handOver(number)
    }
    #expect(log.all == ["model gone"])
  }

  @Test func `H2 a new receiver never sees what was handed to a dead one at its address`() {
    for number in 0..<10_000 {
      let receiver = Tabled<Int>()
      #expect(receiver.model == nil)
      #expect(!receiver.wasHandedOver)
      receiver.handOver(number)
      #expect(receiver.model == number)
    }
  }

  @Test func `H2 the table stays small while receivers come and go`() {
    for number in 0..<50_000 { Tabled<Int>().handOver(number) }
    #expect(HandoverTable.count < 10_000)
  }

  @Test func `H2 models of every kind keep their identity and type`() {
    let object = Dog()
    let first = Stored<Dog>()
    first.handOver(object)
    #expect(first.model === object)

    let function = Stored<(Int) -> Int>()
    function.handOver { $0 + 1 }
    #expect(function.model?(1) == 2)

    let tuple = Stored<(Int, String)>()
    tuple.handOver((1, "x"))
    #expect(tuple.model?.0 == 1)
    #expect(tuple.model?.1 == "x")

    let existential = Stored<any Named>()
    existential.handOver(object)
    #expect((existential.model as? Dog) === object)

    actor Counter {}
    let counter = Counter()
    let isolated = Stored<Counter>()
    isolated.handOver(counter)
    #expect(isolated.model === counter)

    let optional = Stored<Int?>()
    optional.handOver(.some(nil))
    #expect(optional.prepared == [.some(nil)])
    optional.handOver(nil)
    #expect(optional.prepared == [.some(nil), nil])
  }

  @Test func `H2 nothing handed over is different from nil handed over`() {
    let receiver = Stored<Int>()
    #expect(!receiver.wasHandedOver)
    receiver.handOver(nil)
    #expect(receiver.wasHandedOver)
    #expect(receiver.prepared == [nil])
  }

  @Test func `H2 a receiver of several threads is prepared once per handover`() async {
    final class Shared: DataReceiver, Sendable {
      let sum = Mutex((0, 0))
      func prepare(with model: Int?) {
        sum.withLock { $0 = ($0.0 + 1, $0.1 + (model ?? 0)) }
      }
    }
    let receiver = Shared()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for number in 1...1000 { receiver.handOver(number) } }
      }
    }
    #expect(receiver.sum.withLock { $0.0 } == 4000)
    #expect(receiver.sum.withLock { $0.1 } == 4 * 500_500)
  }

  @Test func `H2 a shared slot held by the receiver serves several threads`() async {
    final class Shared: DataReceiver, Sendable {
      private let slot = SharedHandoverSlot<Int>()
      var handoverSlot: HandoverSlot<Int> { slot.base }
      let count = Atomic<Int>(0)
      func prepare(with model: Int?) { count.wrappingAdd(1, ordering: .relaxed) }
    }
    let receiver = Shared()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for number in 1...1000 { receiver.handOver(number) } }
      }
    }
    #expect(receiver.count.load(ordering: .relaxed) == 4000)
  }

  @Test
  func `H2 a receiver of several threads that declares its model is asked to set it each time`() {
    final class Shared: DataReceiver, Sendable {
      let set = Mutex<[Int?]>([])
      let sizes = Mutex<[Int]>([])
      var model: Int? {
        get { set.withLock { $0.last ?? nil } }
        set { set.withLock { $0.append(newValue) } }
      }
      func prepare(with model: Int?) { sizes.withLock { $0.append(set.withLock { $0.count }) } }
    }
    let receiver = Shared()
    for number in 1...3 { receiver.handOver(number) }
    #expect(receiver.set.withLock { $0 } == [1, 2, 3])
    #expect(receiver.sizes.withLock { $0 } == [1, 2, 3])
  }

  @Test func `H2 what is handed over is the model before the receiver is prepared, however often`()
  {
    final class Shared: DataReceiver, Sendable {
      let seen = Mutex<[Int?]>([])
      func prepare(with model: Int?) {
        let kept = self.model
        seen.withLock { $0.append(kept) }
      }
    }
    let (receiver, other) = (Shared(), Shared())
    for number in 1...3 {
      receiver.handOver(number)
      other.handOver(-number)
    }
    receiver.handOver(nil)
    #expect(receiver.seen.withLock { $0 } == [1, 2, 3, nil])
    #expect(other.seen.withLock { $0 } == [-1, -2, -3])
    #expect(receiver.model == nil && other.model == -3)
  }
}
