import Dispatch
import JunctorTesting
import Synchronization
import Testing

@testable import JunctorCore

/// Many threads at one list: what is walked is alive, what was removed is not called, nothing leaks.
@Suite struct OrderedListStressTests {
  /// Counts those alive.
  final class Tracked: Sendable {
    static let alive = Atomic<Int>(0)
    let isRemoved = Atomic<Bool>(false)

    init() { Self.alive.add(1, ordering: .relaxed) }

    deinit { Self.alive.subtract(1, ordering: .relaxed) }
  }

  @Test(.timeLimit(.minutes(10)))
  func `listening, cancelling, dying and walking from four threads`() async {
    let list = OrderedList()
    let calledAfterCancel = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var random = SplitMix(seed: UInt64(thread) + 1)
      var kept: [(registration: Registration, tracked: Tracked)] = []
      var owners: [Tracked] = []
      for _ in 0..<20_000 {
        switch random.next() % 8 {
        case 0, 1:
          let tracked = Tracked()
          let entry = TestEntry {
            if tracked.isRemoved.load(ordering: .acquiring) {
              calledAfterCancel.add(1, ordering: .relaxed)
            }
          }
          kept.append((list.add(entry, priority: Int(random.next() % 3)), tracked))
        case 2, 3:
          guard !kept.isEmpty else { continue }
          let index = Int(random.next() % UInt64(kept.count))
          let (registration, tracked) = kept.remove(at: index)
          registration.cancel()
          // Only this thread's own walks may be held to it: another's check may have passed before.
          list.walk { entry, _ in
            if entry.id == registration.entryID { calledAfterCancel.add(1, ordering: .relaxed) }
            return true
          }
          withExtendedLifetime(tracked) {}
        case 4:
          let owner = Tracked()
          if let entry = TestEntry(owner: owner) { list.add(entry) }
          owners.append(owner)
        case 5:
          if !owners.isEmpty { owners.remove(at: Int(random.next() % UInt64(owners.count))) }
        default:
          list.callAll()
        }
        if kept.count > 20 { kept.removeFirst(10).forEach { $0.registration.cancel() } }
        if owners.count > 20 { owners.removeFirst(10) }
      }
      for item in kept { item.registration.cancel() }
    }
    list.reclaim()
    #expect(calledAfterCancel.load(ordering: .relaxed) == 0)
    #expect(list.count == 0)
    #expect(list.isEmpty)
    // A sweep on another thread may hold what it has just taken out.
    while Tracked.alive.load(ordering: .acquiring) != 0 { await Task.yield() }
  }

  @Test func `an owner released while its list is walked elsewhere`() {
    let list = OrderedList()
    let rounds = 20_000
    let stop = Atomic<Bool>(false)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      if thread == 0 {
        for _ in 0..<rounds {
          let owner = Witness()
          if let entry = TestEntry(owner: owner) { list.add(entry) }
        }
        stop.store(true, ordering: .releasing)
      } else {
        while !stop.load(ordering: .acquiring) { list.callAll() }
      }
    }
    list.reclaim()
    #expect(list.count == 0)
  }
}

extension Array {
  @discardableResult
  fileprivate mutating func removeFirst(_ count: Int) -> ArraySlice<Element> {
    let taken = prefix(count)
    removeSubrange(..<count)
    return taken
  }
}
