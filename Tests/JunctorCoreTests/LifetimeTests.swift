import Synchronization
import Testing

@testable import JunctorCore

@Suite struct LifetimeTests {
  @Test func `a subscription ends its registration when it goes`() {
    let list = OrderedList()
    var subscription: Subscription? = Subscription(list.add(TestEntry()))
    #expect(subscription?.isActive == true)
    subscription = nil
    #expect(list.isEmpty)
  }

  @Test func `a bag ends what it keeps, also from the deinitialiser of its holder`() {
    final class Holder {
      let bag = SubscriptionBag()
    }
    let list = OrderedList()
    var holder: Holder? = Holder()
    if let bag = holder?.bag {
      Subscription(list.add(TestEntry())).store(in: bag)
      list.add(TestEntry()).store(in: bag)
      #expect(bag.count == 2)
    }
    #expect(list.count == 2)
    holder = nil
    #expect(list.isEmpty)
  }

  @Test func `a bag forgets what has ended`() {
    let bag = SubscriptionBag()
    let list = OrderedList()
    for _ in 0..<100_000 {
      let registration = list.add(TestEntry())
      registration.store(in: bag)
      registration.cancel()
    }
    #expect(bag.count <= 64)
    bag.cancelAll()
    #expect(bag.count == 0)
  }

  @Test func `a token does nothing once its registration has ended, whatever came since`() {
    let list = OrderedList()
    let stale = list.add(TestEntry())
    stale.cancel()
    let others = (0..<1_000).map { _ in list.add(TestEntry()) }
    for _ in 0..<100 { stale.cancel() }
    stale.pause()
    #expect(!stale.isActive)
    #expect(list.count == 1_000)
    #expect(Set(others).count == 1_000)
    #expect(!Registration().isActive)
    Registration().cancel()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a token keeps neither owner nor closure`() async {
    let list = OrderedList()
    let died = Mutex(0)
    var owner: Witness? = Witness { died.withLock { $0 += 1 } }
    var token: Registration?
    if let owner {
      let captured = Witness { died.withLock { $0 += 1 } }
      if let entry = TestEntry(owner: owner, call: { withExtendedLifetime(captured) {} }) {
        token = list.add(entry)
      }
    }
    owner = nil
    #expect(died.withLock { $0 } == 1)
    #expect(token?.isActive == false)
    list.reclaim()
    // A sweep on another thread may have taken the entry just before, and lets it die in a moment.
    while died.withLock({ $0 }) < 2 { await Task.yield() }
  }

  @Test func `dead entries go without another call on their list`() {
    let abandoned = OrderedList()
    for _ in 0..<1_000 {
      if let entry = TestEntry(owner: Witness()) { abandoned.add(entry) }
    }
    // Activity on quite another list.
    let busy = OrderedList()
    let owner = Witness()
    defer { withExtendedLifetime(owner) {} }
    var rounds = 0
    while abandoned.count > 0, rounds < 1_000_000 {
      if let entry = TestEntry(owner: owner) { busy.add(entry).cancel() }
      rounds += 1
    }
    #expect(abandoned.count == 0)
  }

  @Test
  func
    `what is dead stays in proportion, over a hundred thousand short lives on lists of their own`()
  {
    var lists: [OrderedList] = []
    for _ in 0..<100_000 {
      let list = OrderedList()
      if let entry = TestEntry(owner: Witness()) { list.add(entry) }
      lists.append(list)
    }
    let dead = lists.reduce(0) { $0 + $1.count }
    // Other tests sweep and register at the same time: the proportion, not the number, is the promise.
    #expect(dead < 60_000)
  }

  @Test func `lists leave the sweeping when they go`() {
    let before = Reclaimer.memberCount
    do {
      let lists = (0..<500).map { _ in OrderedList() }
      defer { withExtendedLifetime(lists) {} }
      let owner = Witness()
      defer { withExtendedLifetime(owner) {} }
      for list in lists { if let entry = TestEntry(owner: owner) { list.add(entry) } }
      #expect(Reclaimer.memberCount >= 500)
    }
    #expect(Reclaimer.memberCount < before + 500)
  }
}
