import JunctorCore
import Synchronization
import Testing

@testable import JunctorChannels

/// What is counted of a topic while the history is on.
struct RecordedTrafficTests {
  @Test func `W6 what was counted of a pattern's listener is forgotten when it ends`() throws {
    let exchange = Exchange()
    let channel = Channel<Int>("traffic.one", in: exchange)
    let topic = channel.topic
    topic.set(.recorded, true)
    let subscription = exchange.listen(matching: "traffic.*", of: Int.self) { _, _ in }
    let deputy = try #require(topic.list.entries().first as? ChannelEntry<Int>)
    Wiring.History.start()
    defer { Wiring.History.stop() }
    topic.noteDelivery(to: deputy, began: WiringHistory.now())
    let times = topic.traffic.byListener.values.map(\.times)
    #expect(times == [1])
    subscription.cancel()
    let counted = topic.traffic.byListener
    #expect(counted.isEmpty)
    // One that was under way when it ended.
    topic.noteDelivery(to: deputy, began: WiringHistory.now())
    let countedLate = topic.traffic.byListener
    #expect(countedLate.isEmpty)
  }

  @Test func `W6 a post that ends after the history does not bring the counts back`() {
    let exchange = Exchange()
    // In no exchange's list, so that no other test's history is on for it.
    let topic = Topic(
      name: "traffic.late", exchange: exchange, kind: TopicKind(Int.self), flags: [.recorded],
      site: SourceSite(fileID: #fileID, line: #line))
    Wiring.History.start()
    defer { Wiring.History.stop() }
    let post = {
      topic.notePost(Receipt(), from: nil, at: topic.site, began: WiringHistory.now())
    }
    post()
    let times = topic.traffic.posts.times
    #expect(times == 1)
    topic.set(.recorded, false)
    topic.forgetTraffic()
    post()
    let isGone = topic.traffic.posts.times == 0
    #expect(isGone)
  }

  @Test func `W3 senders at one place are told apart`() {
    var traffic = TopicTraffic()
    let site = SourceSite(fileID: #fileID, line: #line)
    let senders = [Sender(), Sender()]
    for sender in [senders[0], senders[1], senders[0], nil] {
      let old = traffic.note(Receipt(), from: sender, at: site, took: 1)
      _ = old
    }
    #expect(traffic.posters.map(\.count.times).sorted() == [1, 1, 2])
    withExtendedLifetime(senders) {}
  }

  private final class Sender {}

  @Test func `W1 W3 a misspelled name that nobody holds is seen while the history is on`() throws {
    let exchange = Exchange(label: "misspelled")
    func channels() -> [Wiring.Node] {
      let wiring = Wiring.snapshot()
      let home = wiring.nodes.first { $0.kind == .exchange && $0.label == "misspelled" }
      return wiring.nodes.filter { $0.kind == .channel && $0.parent == home?.id }
    }
    let subscription = exchange.listen(to: "reader.theme") { _ in }
    exchange.post(["name": "dark"], to: "reader.them")
    #expect(channels().map(\.label) == ["reader.theme"])
    Wiring.History.start()
    for _ in 0..<2 { exchange.post(["name": "dark"], to: "reader.them") }
    let seen = try #require(channels().first { $0.label == "reader.them" })
    #expect(seen.counters == ["posted": 2, "unheard": 2])
    // Once it is there again there is one of it.
    let channel = Channel<[String: any Sendable]>("reader.them", in: exchange)
    channel.post([:])
    #expect(channels().filter { $0.label == "reader.them" }.map { $0.counters["posted"] } == [3])
    // What is remembered is bounded, and forgotten with the history.
    for number in 0..<1_000 { exchange.post([:], to: "name \(number)") }
    #expect(channels().count <= 258)
    Wiring.History.stop()
    #expect(channels().map(\.label) == ["reader.them", "reader.theme"])
    withExtendedLifetime((subscription, channel)) {}
  }
}
