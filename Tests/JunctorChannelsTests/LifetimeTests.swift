import JunctorChannels
import Synchronization
import Testing

@Suite struct LifetimeTests {
  @Test func `C18 the owner is held weakly and kept alive during its call`() {
    let channel = Channel<Int>("life", in: Exchange())
    let log = Log()
    let holder = Holder<Owner>(Owner { log.add("died") })
    if let owner = holder.value {
      channel.listen(for: owner) { me, _ in
        holder.value = nil
        log.add("called \(me.name)")
      }
      channel.listen(for: owner) { _, _ in log.add("never") }
    }
    channel.post(1)
    channel.post(2)
    #expect(log.events == ["called owner", "died"])
  }

  @Test func `C18 never called once the owner's deinit began`() {
    let channel = Channel<Int>("life", in: Exchange())
    let calls = Count()
    var owner: Owner? = Owner { channel.post(1) }
    if let owner { channel.listen(for: owner) { _, _ in calls.add() } }
    owner = nil
    #expect(calls.value == 0)
  }

  @Test func `C19 what a dead owner's closure captured goes without another post on the channel`() {
    let exchange = Exchange()
    let died = Count()
    let silent = Channel<Int>("silent", in: exchange)
    for _ in 0..<1_000 {
      let owner = Owner()
      let captured = Owner { died.add() }
      silent.listen(for: owner) { _, _ in withExtendedLifetime(captured) {} }
    }
    // Activity elsewhere.
    let other = Channel<Int>("other", in: Exchange())
    let owner = Owner()
    // Other tests of the process may have a hundred thousand lists in the sweeping at the same time.
    for _ in 0..<1_000_000 where died.value < 1_000 {
      other.listen(for: owner) { _, _ in }.cancel()
    }
    #expect(died.value == 1_000)
  }

  @Test func `C19 a bag in the owner releases its closures at once`() {
    final class Model: Sendable {
      let bag = SubscriptionBag()
    }
    let channel = Channel<Int>("bag", in: Exchange())
    let died = Count()
    var model: Model? = Model()
    if let model {
      let captured = Owner { died.add() }
      channel.listen(for: model) { _, _ in withExtendedLifetime(captured) {} }.store(in: model.bag)
    }
    #expect(died.value == 0)
    model = nil
    #expect(died.value == 1)
  }

  @Test func `C20 Foundation 3 a stale token never touches another listener`() {
    let channel = Channel<Int>("stale", in: Exchange())
    let calls = Count()
    let owner = Owner()
    let stale = channel.listen(for: owner) { _, _ in }
    stale.cancel()
    for _ in 0..<1_000 { channel.listen(for: owner) { _, _ in calls.add() } }
    stale.cancel()
    stale.pause()
    #expect(channel.post(1).called == 1_000)
    #expect(!stale.isActive)
  }

  @Test func `C20 cancelling from deinit, from inside and from another thread does no harm`() async
  {
    let channel = Channel<Int>("cancel", in: Exchange())
    let owner = Owner()
    let calls = Count()
    let inside = Holder<Registration>()
    inside.value = channel.listen(for: owner) { _, _ in
      inside.value?.cancel()
      calls.add()
    }
    let outside = channel.listen(for: owner) { _, _ in calls.add() }
    let late = Owner { outside.cancel() }
    withExtendedLifetime(late) { _ = channel.post(1) }
    await Task.detached { outside.cancel() }.value
    inside.value?.cancel()
    #expect(channel.post(2).called == 0)
    #expect(calls.value == 2)
  }

  @Test func `C21 listening for an owner that is being deallocated stores nothing`() {
    final class Late: Sendable {
      let channel: Channel<Int>
      init(_ channel: Channel<Int>) { self.channel = channel }
      deinit {
        let token = channel.listen(for: self) { _, _ in }
        #expect(!token.isActive)
      }
    }
    let exchange = Exchange()
    _ = Late(Channel("late", in: exchange))
    #expect(exchange.channelCount == 0)
  }

  @Test func `a subscription that goes ends its listening`() {
    let channel = Channel<Int>("subscription", in: Exchange())
    let calls = Count()
    do {
      let subscription = channel.listen { _ in calls.add() }
      channel.post(1)
      withExtendedLifetime(subscription) {}
    }
    channel.post(2)
    #expect(calls.value == 1)
    #expect(!channel.hasListeners)
  }

  @Test func `listeners of an owner are removed together, and only those`() {
    let channel = Channel<Int>("remove", in: Exchange())
    let mine = Owner()
    let other = Owner()
    for _ in 0..<3 { channel.listen(for: mine) { _, _ in } }
    channel.listen(for: other) { _, _ in }
    #expect(channel.removeListeners(of: mine) == 3)
    #expect(channel.post(1).called == 1)
    #expect(channel.removeAllListeners() == 1)
  }
}
