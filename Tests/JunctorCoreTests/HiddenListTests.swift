import Synchronization
import Testing

@testable import JunctorCore

@Suite struct HiddenListTests {
  @Test func `W6 a hidden list seems empty, and is whole for those who ask further`() {
    let list = OrderedList()
    for priority in 0..<3 { list.add(TestEntry(), priority: priority) }
    #expect(seen(list) == [2, 1, 0])
    list.hide { false }
    #expect(!list.wasEverHidden)
    list.hide { true }
    #expect(list.isEmpty)
    #expect(list.isHidden)
    #expect(seen(list).isEmpty)
    #expect(seen(list, evenIfHidden: true) == [2, 1, 0])
    #expect(list.hold().count == 3)
    #expect(list.count == 3)
    #expect(list.wasEverHidden)
    list.hide { false }
    #expect(!list.isHidden)
    #expect(list.wasEverHidden)
    #expect(seen(list) == [2, 1, 0])
  }

  @Test func `W6 what changes while a list is hidden is seen at once by those who ask further`() {
    let list = OrderedList()
    list.hide { true }
    #expect(seen(list, evenIfHidden: true).isEmpty)
    let registration = list.add(TestEntry(), priority: 5)
    #expect(seen(list, evenIfHidden: true) == [5])
    list.add(TestEntry(), priority: 9)
    #expect(seen(list, evenIfHidden: true) == [9, 5])
    #expect(seen(list).isEmpty)
    registration.cancel()
    #expect(seen(list, evenIfHidden: true) == [9])
    list.hide { true }
    list.hide { false }
    #expect(seen(list) == [9])
    list.removeAll()
    #expect(list.isEmpty)
    list.hide { true }
    list.hide { false }
    #expect(list.isEmpty)
  }

  @Test func `W6 a walk that is under way when the list is hidden goes on to its end`() {
    let list = OrderedList()
    for priority in 0..<3 { list.add(TestEntry(), priority: priority) }
    var count = 0
    list.walk { _, _ in
      if count == 0 { list.hide { true } }
      if count == 1 { list.hide { false } }
      count += 1
      return true
    }
    #expect(count == 3)
  }

  @Test func `W6 entries that only a hidden list held die when they are removed`() {
    let list = OrderedList()
    weak var entry: TestEntry?
    list.hide { true }
    do {
      let made = TestEntry()
      entry = made
      list.add(made, priority: 1)
    }
    #expect(seen(list, evenIfHidden: true).count == 1)
    #expect(entry != nil)
    list.removeAll()
    #expect(entry == nil)
  }

  @Test func `W6 a list is hidden and shown while others walk and change it`() async {
    let list = OrderedList()
    let kept = (0..<4).map { list.add(TestEntry(), priority: $0).entryID }
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<2 {
        group.addTask {
          var wrong = 0
          for _ in 0..<2_000 {
            var order: [UInt64] = []
            list.walk(evenIfHidden: true) { entry, _ in
              order.append(entry.id)
              return true
            }
            if order.filter(kept.contains) != kept.reversed() { wrong += 1 }
          }
          return wrong
        }
      }
      group.addTask {
        for number in 0..<2_000 {
          list.hide { number.isMultiple(of: 2) }
          list.add(TestEntry(), priority: 100).cancel()
        }
        return 0
      }
      for await wrong in group { #expect(wrong == 0) }
    }
  }

  /// The priorities of those whom a walk meets, in order.
  private func seen(_ list: OrderedList, evenIfHidden: Bool = false) -> [Int] {
    let priorities = Dictionary(
      uniqueKeysWithValues: list.placedEntries().map { ($0.entry.id, $0.priority) })
    var found: [Int] = []
    list.walk(evenIfHidden: evenIfHidden) { entry, _ in
      found.append(priorities[entry.id] ?? -1)
      return true
    }
    return found
  }
}
