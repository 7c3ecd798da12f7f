import JunctorCore
import Synchronization
import Testing

@testable import JunctorChannels

/// What is kept for the first listener, as one joins while a post is on its way.
@Suite struct ReplayStoreTests {
  @Test func `C28 what the first who joined has taken is not held up for the next`() {
    let store = ReplayStore<Int>(
      .untilFirstListener, site: SourceSite(fileID: #fileID, line: #line))
    let context = PostContext(name: "kept", sender: nil, site: SourceSite())
    // A post has begun, and has not come to the listeners: one joins, hears it and goes, and the next one joins.
    store.append(1, context)
    let first = store.join { _ in true }
    #expect(first.items.map(\.message) == [1])
    context.markHeard()
    let taken = context.isTaken.load(ordering: .relaxed)
    let next = ReplayGate<Int>(isOnce: false)
    #expect(next.admit(1, context, isTaken: taken) == .pass)
    let (items, cutoff) = store.join { _ in true }
    let (begun, more) = (next.begin(items, cutoff), next.next())
    #expect(begun.isEmpty && more == nil)
  }

  @Test func `C28 what was taken and put back is held up for the next again`() {
    let store = ReplayStore<Int>(.untilFirstListener, site: SourceSite())
    let context = PostContext(name: "kept", sender: nil, site: SourceSite())
    store.append(1, context)
    store.putBack(store.join { _ in true }.items)
    let wasTaken = context.isTaken.load(ordering: .relaxed)
    #expect(!wasTaken)
    let (item, _) = store.joinOnce(from: 0) { _ in true }
    let isTaken = context.isTaken.load(ordering: .relaxed)
    #expect(item?.message == 1 && isTaken)
    let (next, cutoff) = store.joinOnce(from: 0) { _ in true }
    #expect(next == nil && cutoff == 1)
  }

  @Test(arguments: [true, false])
  func
    `C28 C30 a pattern that is new to a channel leaves what the first has taken, one that is not takes it`(
      isNew: Bool
    ) throws
  {
    let exchange = Exchange()
    let channel = Channel<Int>(
      "a.1", in: exchange, options: ChannelOptions(replay: .untilFirstListener))
    let topic = channel.topic
    let maker = TypedDeputy<Int>(StoredEnvelopeHandler { _, _, _ in }, nil, ListenerOptions())
    let pattern = PatternEntry(
      "a.*", in: exchange, ListenerOptions(), site: SourceSite(), deputy: maker)
    let deputy = try #require(maker.deputy(of: pattern, in: topic) as? ChannelEntry<Int>)
    let extras = try #require(deputy.extras)
    let gate = try #require(extras.gate)
    let store = try #require(topic.replay.withLock { $0 } as? ReplayStore<Int>)
    if !isNew { _ = store.noteListener(pattern.id) {} }

    // A post has begun. Another listener joins and takes the message; then the deputy's joining begins; then the post comes
    // to the deputy.
    let context = PostContext(name: "a.1", sender: nil, site: SourceSite())
    store.append(1, context)
    #expect(store.join { _ in true }.items.map(\.message) == [1])
    let isNoted = store.noteListener(pattern.id) { gate.noteFirstOfPattern() }
    #expect(isNoted == isNew)
    var receipt = Receipt()
    let isDelivered = deputy.admit(1, nil, context, of: topic, extras, &receipt)
    let cutoff = isNew ? store.join { _ in true }.cutoff : 0
    var given = gate.begin([], cutoff).map(\.message)
    while let item = gate.next() { given.append(item.message) }
    #expect(!isDelivered)
    #expect(given == (isNew ? [] : [1]))
  }
}
