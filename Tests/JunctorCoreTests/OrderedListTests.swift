import JunctorTesting
import Synchronization
import Testing

@testable import JunctorCore

@Suite struct OrderedListTests {
  @Test func `higher priority first, then registration, extremes included`() {
    let list = OrderedList()
    let log = Mutex<[Int]>([])
    for (index, priority) in [0, 5, 0, Int.min, Int.max, 5, -3].enumerated() {
      list.add(priority: priority) { log.withLock { $0.append(index) } }
    }
    list.callAll()
    #expect(log.withLock { $0 } == [4, 1, 5, 0, 2, 6, 3])
  }

  @Test func `the order survives every removal, for a hundred thousand`() {
    let list = OrderedList()
    var model: [(priority: Int, id: UInt64, token: Registration)] = []
    var random = SplitMix(seed: 11)
    for _ in 0..<100_000 {
      let priority = Int(random.next() % 7)
      let token = list.add(TestEntry(), priority: priority)
      model.append((priority, token.entryID, token))
    }
    for index in stride(from: model.count - 1, through: 0, by: -1) where random.next() % 3 == 0 {
      model[index].token.cancel()
      model.remove(at: index)
    }
    let expected = model.sorted { ($1.priority, $0.id) < ($0.priority, $1.id) }.map(\.id)
    #expect(list.callable() == expected)
    #expect(list.count == expected.count)
  }

  @Test func `a walk sees the list as it stood: removed ones are skipped, added ones wait`() {
    let list = OrderedList()
    // Its closures hold the list.
    defer { list.removeAll() }
    let log = Mutex<[String]>([])
    let tokens = Mutex<[Registration]>([])
    list.add {
      log.withLock { $0.append("a") }
      tokens.withLock { $0 }.forEach { $0.cancel() }
      list.add { log.withLock { $0.append("late") } }
    }
    let second = list.add { log.withLock { $0.append("b") } }
    tokens.withLock { $0 = [second] }
    list.add { log.withLock { $0.append("c") } }
    list.callAll()
    #expect(log.withLock { $0 } == ["a", "c"])
  }

  @Test func `an entry comes in only while a condition holds`() {
    let list = OrderedList()
    let entry = TestEntry()
    #expect(list.add(entry, priority: 0, while: { false }) == nil)
    #expect(list.count == 0 && list.isEmpty)
    var isOpen = true
    let registration = list.add(entry, priority: 0, while: { isOpen })
    list.excluding { isOpen = false }
    #expect(registration != nil)
    #expect(list.add(TestEntry(), priority: 0, while: { isOpen }) == nil)
    #expect(list.callable() == [entry.id])
  }

  @Test func `the flag holds across nested walks`() {
    let list = OrderedList()
    // Its closures hold the list.
    defer { list.removeAll() }
    let log = Mutex<[String]>([])
    let depth = Mutex(0)
    let victim = Mutex<Registration?>(nil)
    list.add {
      let level = depth.withLock { level in
        level += 1
        return level
      }
      log.withLock { $0.append("a\(level)") }
      if level < 3 { list.callAll() } else { victim.withLock { $0 }?.cancel() }
    }
    let token = list.add { log.withLock { $0.append("b") } }
    victim.withLock { $0 = token }
    list.callAll()
    #expect(log.withLock { $0 } == ["a1", "a2", "a3"])
  }

  @Test func `walks nested deeper than a thread's announcements still work`() {
    let list = OrderedList()
    // Its closures hold the list.
    defer { list.removeAll() }
    let depth = Mutex(0)
    list.add {
      let level = depth.withLock { level in
        level += 1
        return level
      }
      if level < 100 { list.callAll() }
    }
    list.callAll()
    #expect(depth.withLock { $0 } == 100)
  }

  @Test func `what a removal releases dies at once and outside the lock`() {
    let list = OrderedList()
    let died = Mutex(0)
    let token: Registration
    do {
      let witness = Witness {
        // Would deadlock if a lock of the list's were held.
        #expect(list.count == 0)
        died.withLock { $0 += 1 }
      }
      token = list.add { withExtendedLifetime(witness) {} }
    }
    list.callAll()
    #expect(died.withLock { $0 } == 0)
    token.cancel()
    #expect(died.withLock { $0 } == 1)
    token.cancel()
    #expect(!token.isActive)
  }

  @Test func `a closure that removes itself lives until its call ends, and no longer`() {
    let list = OrderedList()
    let died = Mutex(false)
    let token = Mutex<Registration?>(nil)
    do {
      let witness = Witness { died.withLock { $0 = true } }
      let registration = list.add {
        token.withLock { $0 }?.cancel()
        withExtendedLifetime(witness) { #expect(died.withLock { $0 } == false) }
      }
      token.withLock { $0 = registration }
    }
    list.callAll()
    #expect(died.withLock { $0 })
  }

  @Test func `a dead owner is not called, and its entry goes`() {
    let list = OrderedList()
    let calls = Mutex(0)
    var owner: Witness? = Witness()
    if let owner, let entry = TestEntry(owner: owner, call: { calls.withLock { $0 += 1 } }) {
      list.add(entry)
    }
    list.callAll()
    owner = nil
    list.callAll()
    #expect(calls.withLock { $0 } == 1)
    #expect(list.count == 0)
    #expect(list.isEmpty)
  }

  @Test func `an owner that dies in the walk is kept for its own call and skipped after it`() {
    let list = OrderedList()
    let log = Mutex<[String]>([])
    let holder = Mutex<Witness?>(Witness { log.withLock { $0.append("died") } })
    if let owner = holder.withLock({ $0 }) {
      let first = TestEntry(owner: owner) {
        let released = holder.withLock { $0.take() }
        withExtendedLifetime(released) {}
        log.withLock { $0.append("called") }
      }
      let second = TestEntry(owner: owner) { log.withLock { $0.append("never") } }
      if let first, let second {
        list.add(first)
        list.add(second)
      }
    }
    list.callAll()
    #expect(log.withLock { $0 } == ["called", "died"])
  }

  @Test func `an owner on its way out stores nothing`() {
    final class Late: Sendable {
      let list: OrderedList
      init(_ list: OrderedList) { self.list = list }
      deinit { #expect(TestEntry(owner: self) == nil) }
    }
    let list = OrderedList()
    _ = Late(list)
    #expect(list.count == 0)
  }

  @Test func `before and after place an entry beside its anchor, again and again`() {
    let list = OrderedList()
    let first = list.add(TestEntry())
    let last = list.add(TestEntry())
    var expected = [first.entryID, last.entryID]
    for round in 0..<200 {
      let side: ListSide = round % 2 == 0 ? .before : .after
      let placed = list.add(TestEntry(), side, of: last.entryID)
      #expect(placed.foundAnchor)
      let anchor = expected.firstIndex(of: last.entryID) ?? 0
      expected.insert(placed.registration.entryID, at: side == .before ? anchor : anchor + 1)
    }
    let behind = list.add(TestEntry())
    expected.append(behind.entryID)
    #expect(list.callable() == expected)
    behind.cancel()
    last.cancel()
    first.cancel()
    expected.removeAll { [first.entryID, last.entryID, behind.entryID].contains($0) }
    #expect(list.callable() == expected)
    let lost = list.add(TestEntry(), .before, of: last.entryID)
    #expect(!lost.foundAnchor)
    #expect(list.callable() == expected + [lost.registration.entryID])
  }

  @Test func `paused entries keep their place`() {
    let list = OrderedList()
    let first = list.add(TestEntry())
    let second = list.add(TestEntry())
    first.pause()
    #expect(list.callable() == [second.entryID])
    first.resume()
    #expect(list.callable() == [first.entryID, second.entryID])
  }

  @Test func `what throws ends the walk and leaves nothing announced`() {
    struct Stop: Error {}
    let list = OrderedList()
    let died = Mutex(false)
    let token: Registration
    do {
      let witness = Witness { died.withLock { $0 = true } }
      token = list.add { withExtendedLifetime(witness) {} }
    }
    #expect(throws: Stop.self) {
      try list.walk { _, _ throws(Stop) -> Bool in throw Stop() }
    }
    token.cancel()
    #expect(died.withLock { $0 })
  }
}
