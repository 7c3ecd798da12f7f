import JunctorDelegates
import JunctorTesting
import Synchronization
import Testing

@testable import JunctorDelegates

/// A target that many threads call.
private protocol Counting: AnyObject, Sendable {
  func count()
  /// Optional.
  func guess() -> Int
}

extension Counting {
  fileprivate func guess() -> Int {
    OptionalMethod.guess._noteDefault(of: self)
    return -1
  }
}

private final class Counter: Counting {
  let total = Atomic<Int>(0)
  func count() { total.wrappingAdd(1, ordering: .relaxed) }
  func guess() -> Int { 1 }
}

/// A target that takes itself out as it goes.
private final class Leaver: Counting {
  let list: MulticastList<any Counting>
  init(_ list: MulticastList<any Counting>) { self.list = list }
  deinit { list.remove(self) }
  func count() {}
}

private final class Relay: Counting, MulticastHolder {
  let targets = MulticastList<any Counting>()
  var multicastRegistry: MulticastRegistry { targets.registry }
  func count() { targets.forEach { $0.count() } }
  func guess() -> Int { targets.last(optional: .guess) { $0.guess() } ?? -1 }
}

@Suite struct StressTests {
  @Test func `D8 many threads add, remove, call, nest and die at once`() async {
    let list = MulticastList<any Counting>()
    let steady = Counter()
    list.add(steady)
    let relays = (0..<3).map { _ in Relay() }
    defer { withExtendedLifetime(relays) {} }
    let rounds = 300
    await withTaskGroup { group in
      for worker in 0..<6 {
        group.addTask {
          var random = SplitMix(seed: UInt64(worker))
          for _ in 0..<rounds {
            Self.work(list, steady, relays, &random)
          }
        }
      }
    }
    for relay in relays { list.remove(relay) }
    #expect(list.count == 1)
    let before = steady.total.load(ordering: .relaxed)
    list.forEach { $0.count() }
    #expect(steady.total.load(ordering: .relaxed) == before + 1)
    for relay in relays { relay.removeAll() }
  }

  private static func work(
    _ list: MulticastList<any Counting>, _ steady: Counter, _ relays: [Relay],
    _ random: inout SplitMix
  ) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      let counter = Counter()
      list.add(counter)
      list.forEach { $0.count() }
      list.remove(counter)
    case 1:
      list.add(Leaver(list), before: steady)
    case 2:
      let relay = relays[Int.random(in: 0..<relays.count, using: &random)]
      let other = relays[Int.random(in: 0..<relays.count, using: &random)]
      // Often refused as a cycle, by whichever thread comes second.
      Junctor.withDiagnostics({ _ in }) {
        _ = relay.targets.add(other)
        _ = list.add(relay)
      }
      relay.count()
      relay.remove(other)
    case 3:
      let token = list.add(Counter(), retaining: true).registration
      list.forEach { $0.count() }
      token.cancel()
    case 4:
      // The steady one answers, whoever takes the default beside it.
      #expect(list.last(optional: .guess) { $0.guess() } == 1)
    case 5:
      _ = list.count
      _ = list.targets
      _ = list.contains(steady)
    default:
      list.forEach { $0.count() }
    }
  }

  @Test func `D6 twenty thousand targets that come and go leave nothing behind`() {
    let list = MulticastList<any Counting>()
    for _ in 0..<10_000 {
      let leaver = Leaver(list)
      list.add(leaver)
      let counter = Counter()
      list.add(counter)
    }
    #expect(list.isEmpty)
    #expect(list.registry.list.count <= 40)
    #expect(list.registry.index.count <= 40)
  }
}
