import Dispatch
import JunctorChannels
import Testing

@Suite struct SnapshotTests {
  @Test func `C31 a dump shows channels, types and listeners in their order`() {
    let exchange = Exchange(label: "test")
    let owner = Owner()
    let channel = Channel<Int>("a.b", in: exchange)
    let queue = DispatchQueue(label: "work")
    let token = channel.listen(for: owner) { _, _ in }
    channel.listen(for: owner, priority: .high, on: .queue(queue), label: "first") { _, _ in }
    exchange.listen(matching: "a.*", for: owner) { _, _, _ in }
    let subscription = channel.listen { _ in }
    token.pause()
    let snapshot = exchange.snapshot()
    #expect(snapshot.channels.map(\.name) == ["a.b"])
    #expect(snapshot.channels.first?.messageType == "Swift.Int")
    let listeners = snapshot.channels.first?.listeners ?? []
    #expect(listeners.map(\.label) == ["first", nil, nil, nil])
    #expect(listeners.map(\.priority) == [1_000, 0, 0, 0])
    #expect(listeners.map(\.isPaused) == [false, true, false, false])
    #expect(listeners.map(\.pattern) == [nil, nil, "a.*", nil])
    #expect(listeners.map { $0.owner == nil } == [false, false, false, true])
    #expect(listeners.first?.place == "queue 'work'")
    #expect(exchange.dump().contains("'a.b' of Swift.Int"))
    #expect(exchange.dump().contains("'first'"))
    withExtendedLifetime(subscription) {}
  }

  @Test func `C31 the JSON escapes what it must`() {
    let exchange = Exchange(label: "\"\\\n\u{0}😀")
    let expected = #"{"label":"\"\\\u000a\u0000😀","channels":[]}"#
    #expect(exchange.dumpJSON() == expected)
  }

  @Test func `C31 the wiring shows who listens`() {
    let exchange = Exchange(label: "C31 wiring")
    let owner = Owner()
    Channel<Int>("wired", in: exchange).listen(for: owner, label: "mine") { _, _ in }
    let wiring = Wiring.snapshot()
    let home = wiring.nodes.first { $0.label == "C31 wiring" }
    let channel = wiring.nodes.first { $0.kind == .channel && $0.parent == home?.id }
    #expect(channel?.label == "wired")
    let edge = wiring.edges.first { $0.from == channel?.id }
    #expect(edge?.kind == .listens && edge?.label == "mine")
    #expect(wiring.nodes.first { $0.id == edge?.to }?.label == "Owner")
  }
}
