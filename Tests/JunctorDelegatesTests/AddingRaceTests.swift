import JunctorDelegates
import Synchronization
import Testing

private protocol Target: AnyObject, Sendable {
  func call(_ number: Int)
}

@Suite struct AddingRaceTests {
  /// Notes the greatest number that it was called with.
  private final class Noting: Target {
    let latest = Atomic<Int>(0)
    let isAdded = Atomic<Bool>(false)
    func call(_ number: Int) { latest.store(number, ordering: .relaxed) }
  }

  private final class Deaf: Target {
    func call(_ number: Int) {}
  }

  @Test(.timeLimit(.minutes(2)))
  func `D4 a removed target is not called again, whichever thread is still adding it`() async {
    let list = MulticastList<any Target>()
    // Placing beside one of many takes a while, in which the other thread comes.
    let others = (0..<300).map { _ in Deaf() }
    for other in others { list.add(other) }
    for _ in 0..<1_000 {
      let target = Noting()
      await withTaskGroup { group in
        group.addTask {
          list.add(target, before: others[150])
          target.isAdded.store(true, ordering: .releasing)
        }
        group.addTask {
          while !list.remove(target) { await Task.yield() }
          var rounds = 0
          while !target.isAdded.load(ordering: .acquiring) || rounds == 0 {
            list.forEach { $0.call(1) }
            rounds += 1
            await Task.yield()
          }
        }
      }
      #expect(target.latest.load(ordering: .relaxed) == 0)
      #expect(!list.contains(target))
    }
    #expect(list.count == others.count)
  }

  @Test func `D2 of many threads that add one target one does, and all get its token`() async {
    for _ in 0..<300 {
      let list = MulticastList<any Target>()
      let target = Noting()
      defer { withExtendedLifetime(target) {} }
      let additions = await withTaskGroup(of: MulticastAddition.self) { group in
        for _ in 0..<4 { group.addTask { list.add(target) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(additions.count { $0.outcome == .added } == 1)
      #expect(additions.count { $0.outcome == .alreadyThere } == 3)
      #expect(Set(additions.map(\.registration)).count == 1)
      #expect(additions.allSatisfy { $0.registration.isActive })
      #expect(list.count == 1)
      additions.first { $0.outcome == .alreadyThere }?.registration.cancel()
      #expect(list.isEmpty)
    }
  }
}
