import JunctorChannels
import Testing

@Suite struct SenderTests {
  @Test func `C22 the real sender reaches the listener, weakly known`() {
    let channel = Channel<Int>("sender", in: Exchange())
    let owner = Owner()
    let kept = Holder<Envelope>()
    channel.listen(for: owner) { _, _, envelope in kept.value = envelope }
    var sender: Owner? = Owner("sender")
    if let sender {
      channel.post(1, from: sender)
      #expect(kept.value?.sender?.is(sender) == true)
      #expect(kept.value?.sender?.as(Owner.self)?.name == "sender")
      #expect(kept.value?.sender?.as(Holder<Int>.self) == nil)
    }
    #expect(kept.value?.channelName == "sender")
    #expect(kept.value?.site.fileID.hasSuffix("SenderTests.swift") == true)
    sender = nil
    #expect(kept.value?.sender?.isAlive == false)
    #expect(kept.value?.sender?.as(Owner.self) == nil)
    channel.post(2)
    #expect(kept.value?.sender == nil)
  }

  @Test func `C22 a filter by sender hears that sender alone`() {
    let channel = Channel<Int>("sender", in: Exchange())
    let owner = Owner()
    let log = Log()
    let wanted = Owner("wanted")
    channel.listen(for: owner, from: wanted) { _, number in log.add("\(number)") }
    channel.post(1)
    channel.post(2, from: owner)
    #expect(channel.post(3, from: wanted).called == 1)
    #expect(log.events == ["3"])
  }

  @Test func `C22 Foundation 4 a new object at a dead sender's address is not taken for it`() {
    let channel = Channel<Int>("sender", in: Exchange())
    let owner = Owner()
    let calls = Count()
    for _ in 0..<1_000 {
      do {
        let sender = Owner()
        channel.listen(for: owner, from: sender) { _, _ in calls.add() }
      }
      let newcomer = Owner()
      channel.post(1, from: newcomer)
    }
    #expect(calls.value == 0)
    // Their reason to listen has gone, and they with it.
    #expect(!channel.hasListeners)
  }

  @Test func `C22 waiting for a sender on its way out stores nothing`() {
    final class Late: Sendable {
      let channel: Channel<Int>
      let owner: Owner
      init(_ channel: Channel<Int>, _ owner: Owner) {
        self.channel = channel
        self.owner = owner
      }
      deinit { #expect(!channel.listen(for: owner, from: self) { _, _ in }.isActive) }
    }
    let channel = Channel<Int>("sender", in: Exchange())
    _ = Late(channel, Owner())
    #expect(!channel.hasListeners)
  }
}
