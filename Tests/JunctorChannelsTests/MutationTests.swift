import JunctorChannels
import Synchronization
import Testing

@Suite struct MutationTests {
  @Test func `C6 a plain listener has run when post returns, on the poster's thread`() {
    let channel = Channel<Int>("plain", in: Exchange())
    let owner = Owner()
    let seen = Holder<Int>()
    channel.listen(for: owner) { _, number in seen.value = number }
    let receipt = channel.post(7)
    #expect(seen.value == 7)
    #expect(receipt.called == 1 && receipt.queued == 0)
  }

  @Test func `C12 Foundation 2 a listener removed during a delivery is not called in it`() {
    let channel = Channel<Int>("snapshot", in: Exchange())
    let log = Log()
    let owner = Owner()
    let tokens = Holder<[Registration]>([])
    channel.listen(for: owner) { me, _ in
      log.add("a")
      for token in tokens.value ?? [] { token.cancel() }
      channel.listen(for: me) { _, _ in log.add("late") }
    }
    let second = channel.listen(for: owner) { _, _ in log.add("b") }
    tokens.value = [second]
    channel.listen(for: owner) { _, _ in log.add("c") }
    channel.post(1)
    #expect(log.events == ["a", "c"])
  }

  @Test
  func `C12 C24 C5 listeners with and without owners stand in one row, whatever one of them does`()
  {
    struct Failure: Error {}
    let channel = Channel<Int>(
      "row", in: Exchange(), options: ChannelOptions(errors: .rethrowAfterAll))
    let log = Log()
    let owner = Owner()
    let removed = Holder<Subscription>()
    let paused = Holder<Subscription>()
    let kept = [
      channel.listen { number in
        log.add("a\(number)")
        throw Failure()
      },
      channel.listen { number in
        log.add("b\(number)")
        removed.value = nil
        if number == 1 {
          paused.value?.registration.pause()
        } else {
          paused.value?.registration.resume()
        }
      },
    ]
    channel.listen(for: owner) { _, number in log.add("owner\(number)") }
    removed.value = channel.listen { number in log.add("removed\(number)") }
    paused.value = channel.listen { number in log.add("paused\(number)") }
    let last = channel.listen { number in
      log.add("z\(number)")
      throw Failure()
    }
    let first = channel.post(1)
    #expect(first.called == 4 && first.errors.count == 2)
    let second = channel.post(2)
    #expect(second.called == 5 && second.errors.count == 2)
    #expect(
      log.events == ["a1", "b1", "owner1", "z1", "a2", "b2", "owner2", "paused2", "z2"])
    withExtendedLifetime((kept, last)) {}
  }

  @Test func `C12 the live flag holds across nested posts`() {
    let channel = Channel<Int>("nested", in: Exchange())
    let log = Log()
    let owner = Owner()
    let victim = Holder<Registration>()
    channel.listen(for: owner) { _, depth in
      log.add("a\(depth)")
      if depth < 3 { channel.post(depth + 1) } else { victim.value?.cancel() }
    }
    victim.value = channel.listen(for: owner) { _, depth in log.add("b\(depth)") }
    channel.post(1)
    #expect(log.events == ["a1", "a2", "a3"])
  }

  @Test func `C13 a post from a listener is delivered when it returns, depth first`() {
    let channel = Channel<Int>("nested", in: Exchange())
    let log = Log()
    let owner = Owner()
    channel.listen(for: owner) { _, number in
      log.add("a\(number)")
      if number < 2 {
        let receipt = channel.post(number + 1)
        log.add("posted\(number + 1) to \(receipt.called)")
      }
    }
    channel.listen(for: owner) { _, number in log.add("b\(number)") }
    channel.post(1)
    #expect(log.events == ["a1", "a2", "b2", "posted2 to 2", "b1"])
  }

  @Test func `C13 a queued channel finishes one message for everyone first`() {
    let channel = Channel<Int>(
      "queued", in: Exchange(), options: ChannelOptions(order: .queued))
    let log = Log()
    let owner = Owner()
    channel.listen(for: owner) { _, number in
      log.add("a\(number)")
      if number < 3 { #expect(channel.post(number + 1).isDeferred) }
    }
    channel.listen(for: owner) { _, number in log.add("b\(number)") }
    #expect(!channel.post(1).isDeferred)
    #expect(log.events == ["a1", "b1", "a2", "b2", "a3", "b3"])
  }

  @Test func `C13 a queued channel nests a hundred thousand deep on a constant stack`() {
    let channel = Channel<Int>(
      "queued", in: Exchange(), options: ChannelOptions(order: .queued))
    let last = Holder<Int>()
    let owner = Owner()
    channel.listen(for: owner) { _, number in
      last.value = number
      if number < 100_000 { channel.post(number + 1) }
    }
    channel.post(1)
    #expect(last.value == 100_000)
  }

  @Test func `C14 a one-shot is removed before it is called`() {
    let channel = Channel<Int>("once", in: Exchange())
    let log = Log()
    let owner = Owner()
    let token = Holder<Registration>()
    token.value = channel.listen(for: owner, once: true) { _, number in
      log.add("\(number) \(token.value?.isActive ?? true)")
      channel.post(number + 1)
    }
    #expect(channel.post(1).called == 1)
    #expect(channel.post(2).called == 0)
    #expect(log.events == ["1 false"])
  }

  @Test func `C14 of many threads one gets the one-shot`() async {
    let exchange = Exchange()
    let calls = Count()
    for round in 0..<200 {
      let channel = Channel<Int>("once\(round)", in: exchange)
      let subscription = channel.listen(once: true) { _ in calls.add() }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { channel.post(1) } }
      }
      withExtendedLifetime(subscription) {}
    }
    #expect(calls.value == 200)
  }

  @Test(.timeLimit(.minutes(2)))
  func `C15 after cancel returned no call is started, on any thread`() async {
    let channel = Channel<Int>("cancel", in: Exchange())
    let stop = Flag()
    let posts = Count()
    async let poster: Void = Task.detached {
      while !stop.isSet {
        channel.post(1)
        posts.add()
      }
    }.value
    for _ in 0..<500 {
      let calls = Count()
      let token = channel.listen { _ in calls.add() }
      token.cancel()
      // This thread's posts come after it; the other's next but one as well.
      #expect(channel.post(2).called == 0)
      let begun = posts.value
      while posts.value < begun + 2 { await Task.yield() }
      let settled = calls.value
      while posts.value < begun + 4 { await Task.yield() }
      #expect(calls.value == settled)
    }
    stop.isSet = true
    await poster
  }
}

/// A flag that any thread may set.
final class Flag: Sendable {
  private let state = Atomic(false)

  var isSet: Bool {
    get { state.load(ordering: .acquiring) }
    set { state.store(newValue, ordering: .releasing) }
  }
}
