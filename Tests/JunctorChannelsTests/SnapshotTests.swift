import Dispatch
import Foundation
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
    let expected = #"{"label":"\"\\\u000a\u0000😀","channels":[],"patterns":[],"taps":[]}"#
    #expect(exchange.dumpJSON() == expected)
  }

  @Test func `C31 patterns and taps are shown, whether or not a channel matches`() {
    let exchange = Exchange(label: "C31 patterns")
    let owner = Owner()
    let held = HeldQueue()
    let token = exchange.listen(
      matching: "a.*", for: owner, priority: .high, on: .queue(held.queue), label: "mine"
    ) { _, _, _ in }
    let tap = exchange.tap { _, _ in }
    Channel<Int>("a.b", in: exchange).post(1)
    token.pause()
    let snapshot = exchange.snapshot()
    // What waits keeps its channel.
    #expect(snapshot.channels.map(\.name) == ["a.b"])
    #expect(snapshot.patterns.map(\.pattern) == ["a.*"])
    #expect(snapshot.patterns.map(\.label) == ["mine"])
    #expect(snapshot.patterns.map(\.place) == ["queue 'held'"])
    #expect(snapshot.patterns.map(\.pending) == [1])
    #expect(snapshot.patterns.map(\.isPaused) == [true])
    #expect(snapshot.taps.count == 1)
    #expect(exchange.dump().contains("by 'a.*'") && exchange.dump().contains("taps"))
    let wiring = Wiring.snapshot()
    let home = wiring.nodes.first { $0.label == "C31 patterns" }
    let edges = wiring.edges.filter { $0.from == home?.id }
    #expect(edges.map(\.label) == ["a.*", "tap"])
    #expect(edges.first?.state == .paused)
    held.open()
    withExtendedLifetime(tap) {}
  }

  @Test func `C31 the JSON says what the snapshot says`() throws {
    let exchange = Exchange(label: "json")
    let owner = Owner()
    let channel = Channel<String>("a \"b\"", in: exchange)
    let held = HeldQueue()
    channel.listen(for: owner, priority: -7, on: .queue(held.queue), label: "l\u{1}") { _, _ in }
    channel.listen(for: owner) { _, _ in }.pause()
    channel.post("x")
    let root = try JSONSerialization.jsonObject(with: Data(exchange.dumpJSON().utf8))
    let channels = try #require((root as? [String: Any])?["channels"] as? [[String: Any]])
    #expect(channels.count == 1 && channels[0]["name"] as? String == "a \"b\"")
    #expect(channels[0]["messageType"] as? String == "Swift.String")
    let listeners = try #require(channels[0]["listeners"] as? [[String: Any]])
    #expect(listeners.map { $0["priority"] as? Int } == [0, -7])
    #expect(listeners.map { $0["isPaused"] as? Bool } == [true, false])
    #expect(listeners.map { $0["isAlive"] as? Bool } == [true, true])
    #expect(listeners.map { $0["pending"] as? Int } == [0, 1])
    #expect(listeners[1]["label"] as? String == "l\u{1}")
    #expect(listeners[1]["place"] as? String == "queue 'held'")
    #expect((listeners[1]["owner"] as? String)?.hasSuffix("Owner") == true)
    #expect((listeners[1]["site"] as? String)?.contains("SnapshotTests.swift:") == true)
    #expect((listeners[1]["counters"] as? [String: Int])?["accepted"] == 1)
    held.open()
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
