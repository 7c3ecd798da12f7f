import JunctorMacros
import Testing

@Suite struct IsolationTests {
  let log = Log()

  @Test @MainActor func `D8 a main-actor protocol gives a main-actor multicast`() async {
    let all = ScreenDelegateMulticast()
    let screen = Screen(log, all)
    all.add(screen)
    all.screenDidAppear()
    all.badge = 4
    #expect(screen.badge == 4)
    #expect(await all.refresh() == 4)
    #expect(log.lines == ["appeared"])
  }

  @Test @Database func `D8 a protocol of any global actor's gives a multicast of that actor's`()
    async
  {
    let all = StoreDelegateMulticast()
    let target = StoreTarget()
    defer { withExtendedLifetime(target) {} }
    all.add(target)
    all.didSave(3)
    #expect(target.saved == 3)
    #expect(await all.mayLeave() == true)
  }

  @Test @MainActor func `D4 a main-actor target removes itself from its deinit`() {
    let all = ScreenDelegateMulticast()
    do {
      let screen = Screen(log, all)
      all.add(screen)
    }
    #expect(log.lines == ["removed true"])
  }

  @Test func `D8 a Sendable protocol gives a Sendable multicast, used from many threads`() async {
    let all = SharedDelegateMulticast()
    let targets = (1...3).map { Shared($0, log) }
    defer { withExtendedLifetime(targets) {} }
    for target in targets { all.add(target) }
    await withTaskGroup { group in
      for number in 0..<10 { group.addTask { all.note("\(number)") } }
    }
    #expect(log.lines.count == 30)
    log.clear()
    await all.away()
    await all.onMain()
    #expect(log.lines == ["away 1", "away 2", "away 3", "main 1", "main 2", "main 3"])
  }

  @Test func `D12 concurrent calls are combined in the order of the targets`() async throws {
    let all = SharedDelegateMulticast()
    #expect(await all.gather(2).isEmpty)
    let targets = (1...5).map { Shared($0, log) }
    defer { withExtendedLifetime(targets) {} }
    for target in targets { all.add(target) }
    #expect(await all.gather(2) == [2, 4, 6, 8, 10])
    #expect(try await all.attempt() == 5)
    let bad = Shared(-1, log)
    defer { withExtendedLifetime(bad) {} }
    let worse = Shared(-2, log)
    defer { withExtendedLifetime(worse) {} }
    all.add(bad)
    all.add(worse)
    await #expect(throws: Mishap(number: -1)) { try await all.attempt() }
  }

  @Test func `D14 an inherited protocol's methods are forwarded through its own multicast`() throws
  {
    let all = TopDelegateMulticast()
    let top = Top(log)
    all.add(top)
    #expect(all.base() == 1)
    all.maybe()
    try all.middle()
    all.top()
    all.note("note")
    #expect(log.lines == ["maybe", "middle", "top", "note"])
  }

  @Test func `D13 primary associated types, nested and private protocols are carried over`() {
    let all = SourceMulticast<Int>()
    let source = IntSource()
    all.add(source)
    all.didReceive(3)
    all.didReceive(4)
    #expect(all.cached() == [3, 4])
    let sorters = SortedMulticast<Int, [Int]>()
    let sorter = Sorter()
    sorters.add(sorter)
    #expect(sorters.sort([1, 3, 2]) == 3)
    let objects = ObjectDelegateMulticast()
    let object = ObjectTarget()
    objects.add(object)
    #expect(objects.call() == 5)
    Outer.Inner.DelegateMulticast().call()
    hide(log)
    #expect(log.lines == ["hidden"])
  }
}
