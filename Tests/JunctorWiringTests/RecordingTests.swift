import Dispatch
import Junctor
import Synchronization
import Testing

@testable import JunctorCore

/// What the mechanisms write into the history.
@Suite(.serialized)
struct RecordingTests {
  @Test func `W3 a post and its deliveries are recorded with sites, durations and counts`() throws {
    let channel = Channel<Int>(name("post"), in: Exchange())
    let owner = Part()
    channel.listen(for: owner, line: 1) { _, _ in }
    let subscription = channel.listen(line: 2) { _ in }
    let events = recorded(channel.name) { channel.post(1, line: 3) }
    #expect(events.map(\.kind) == [.delivery, .delivery, .post])
    #expect(events.map(\.site?.line) == [1, 2, 3])
    #expect(events.map(\.count) == [1, 1, 2])
    let (first, second, post) = (events[0], events[1], events[2])
    let sum = try #require(first.duration) + #require(second.duration)
    #expect(try #require(post.duration) >= sum)
    #expect(first.time <= second.time)
    #expect(second.time <= post.time)
    withExtendedLifetime((owner, subscription)) {}
  }

  @Test func `W3 a post that nobody hears is a post and a drop`() {
    let channel = Channel<Int>(name("unheard"), in: Exchange())
    let events = recorded(channel.name) { channel.post(1, line: 3) }
    #expect(events.map(\.kind) == [.post, .drop])
    #expect(events.map(\.count) == [0, 0])
    #expect(events.map(\.site?.line) == [3, 3])
  }

  @Test func `W3 a queued delivery is recorded when it comes, and what found no room as a drop`()
    async
  {
    let channel = Channel<Int>(name("queued"), in: Exchange())
    let (owner, queue) = (Part(), DispatchQueue(label: "W3"))
    let gate = DispatchSemaphore(value: 0)
    queue.async { gate.wait() }
    channel.listen(for: owner, on: .queue(queue), buffer: .dropNewest(1), line: 4) { _, _ in }
    let events = await recordedLater(channel.name) {
      channel.post(1, line: 5)
      channel.post(2, line: 6)
      gate.signal()
      await withCheckedContinuation { done in queue.async { done.resume() } }
    }
    #expect(events.map(\.kind) == [.post, .drop, .post, .delivery])
    #expect(events.map(\.site?.line) == [5, 4, 6, 4])
    withExtendedLifetime(owner) {}
  }

  @Test func `W3 a sent message, a local post, and what replay keeps are recorded as well`()
    async throws
  {
    let exchange = Exchange()
    let sent = Channel<Int>(name("sent"), in: exchange)
    let owner = Part()
    sent.listen(for: owner) { _, _ in }
    let sending = await recordedLater(sent.name) { _ = try? await sent.send(1) }
    #expect(sending.map(\.kind) == [.delivery, .post])

    let local = LocalChannel<Int>(name("local"))
    local.listen(for: owner) { _, _ in }
    #expect(recorded(local.name) { local.post(1) }.map(\.kind) == [.delivery, .post])

    let kept = Channel<Int>(name("kept"), in: exchange, options: .init(replay: .last(1)))
    let replaying = recorded(kept.name) {
      kept.post(1)
      kept.listen(for: owner) { _, _ in }
    }
    #expect(replaying.map(\.kind) == [.post, .drop, .delivery])
    withExtendedLifetime(owner) {}
  }

  @Test func `W3 a listener that throws and one that leaves are recorded`() {
    let channel = Channel<Int>(name("throws"), in: Exchange())
    let owner = Part()
    let events = Junctor.withDiagnostics({ _ in }) {
      recorded(channel.name) {
        let token = channel.listen(for: owner, line: 8) { _, _ in throw Broken() }
        channel.post(1)
        token.cancel()
      }
    }
    #expect(events.map(\.kind) == [.failure, .delivery, .post, .close])
    #expect(events.map(\.site?.line).last == 8)
    withExtendedLifetime(owner) {}
  }

  @Test func `W3 a request is recorded with its answer`() async throws {
    let channel = RequestChannel<Int, Int>(name("asked"), in: Exchange())
    let owner = Part()
    channel.answer(for: owner) { _, question in question + 1 }
    let events = await recordedLater(channel.name) {
      _ = try? await channel.request(1, line: 9)
    }
    #expect(events.map(\.kind).contains(.result))
    #expect(events.first { $0.kind == .result }?.site?.line == 9)
    #expect(events.first { $0.kind == .result }?.duration != nil)
    withExtendedLifetime(owner) {}
  }

  @Test func `W3 calls of a multicast are recorded with the method, whichever way they are made`()
    async
  {
    let list = MulticastList<any Hearing>(label: name("calls"), line: 10)
    let (first, second) = (Ear(), Ear())
    list.add(first)
    list.add(second)
    let events = await recordedLater(list.registry.label) {
      list.forEach(function: "plain()") { $0.hear() }
      _ = list.all(function: "all()") { _ in 1 }
      await list.forEach(function: "async()") { (ear: any Hearing) async in ear.hear() }
      _ = await list.concurrently(function: "together()") { $0.hear() }
      list.remove(first)
      list.removeAll()
      list.forEach(function: "nobody()") { $0.hear() }
    }
    let calls = events.filter { $0.kind == .call }
    #expect(
      calls.map { $0.label.split(separator: ".").last ?? "" }
        == ["plain()", "all()", "async()", "together()", "nobody()"])
    #expect(calls.map(\.count) == [2, 2, 2, 2, 0])
    #expect(calls.allSatisfy { $0.duration != nil && $0.site?.line == 10 })
    #expect(events.contains { $0.kind == .close })
    withExtendedLifetime((first, second)) {}
  }

  @Test func `W3 an asynchronous call that a target stops is recorded as failed`() async {
    let list = MulticastList<any Hearing>(label: name("stopped"))
    let (first, second) = (Ear(), Ear())
    list.add(first)
    list.add(second)
    let events = await recordedLater(list.registry.label) {
      try? await list.forEach(onError: .stop) { (_: any Hearing) async throws(Broken) in
        throw Broken()
      }
    }
    #expect(events.map(\.kind) == [.call, .failure])
    #expect(events.map(\.count) == [1, 0])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `W3 handovers and their results are recorded`() {
    let events = recorded(nil) {
      let receiver = HistoryScreen()
      receiver.handOver(1, line: 61)
      receiver.isReady = false
      receiver.handOver(2, line: 62)
      receiver.handOver(3, line: 63)
      receiver.isReady = true
      receiver.becomeReady()
      let owner = Part()
      receiver.request(4, for: owner, line: 64) { _, _ in }
      receiver.giveBack(HistoryResult())
      receiver.request(5, for: owner, line: 65) { _, _ in }
      receiver.cancelRequests()
    }.filter { ["HistoryScreen", "HistoryResult"].contains($0.label) }
    #expect(
      events.map(\.kind) == [
        .handover, .drop, .handover, .handover, .result, .handover, .close,
      ])
    #expect(events.map(\.site?.line) == [61, 62, 63, 64, 64, 65, 65])
    #expect(events.filter { $0.kind == .handover }.allSatisfy { $0.duration != nil })
    #expect(events.first { $0.kind == .result }?.duration != nil)
  }

  @Test func `W3 receivers made before the history are recorded, and no longer after it`() {
    let receiver = HistoryScreen()
    receiver.handOver(0)
    receiver.handOver(0)
    let events = recorded("HistoryScreen") {
      receiver.handOver(1, line: 71)
      receiver.handOver(2, line: 72)
    }
    #expect(events.map(\.site?.line) == [71, 72])
    #expect(recorded("HistoryScreen") {}.isEmpty)
    receiver.handOver(3)
    #expect(receiver.count == 5)
  }

  @Test
  func `W3 builds, failures and closing are recorded, of transients and asynchronous ones too`()
    async throws
  {
    let events = await recordedLater(nil) {
      let set = Services("W3 set", line: 80)
      set.provide(HistoryPart.self) { _ in HistoryPart() }
      set.provide(HistoryShort.self, lifetime: .transient, line: 88) { _ in HistoryShort() }
      set.provide(HistoryLate.self) { _ async in HistoryLate() }
      set.provide(HistoryBad.self) { _ in throw Broken() }
      _ = try? set.require(HistoryPart.self, line: 81)
      _ = try? set.require(HistoryPart.self, line: 82)
      _ = try? set.require(HistoryShort.self, line: 83)
      _ = try? set.require(HistoryShort.self, line: 84)
      _ = try? await set.resolve(HistoryLate.self, line: 85)
      _ = try? set.require(HistoryBad.self, line: 86)
      _ = try? set.require(HistoryMissing.self, line: 87)
      try? await set.close()
    }.filter { $0.label.hasPrefix("History") || $0.label == "W3 set" }
    #expect(
      events.map(\.kind) == [.build, .build, .build, .build, .failure, .failure, .close])
    // A transient is made the quick way, which knows where it was registered, not where it was asked for.
    #expect(events.map(\.site?.line) == [81, 88, 88, 85, 86, 87, 80])
    #expect(events.prefix(4).allSatisfy { $0.duration != nil })
  }

  @Test func `W6 when the history ends, nothing of it is left in the mechanisms`() {
    let exchange = Exchange()
    let channel = Channel<Int>(name("after"), in: exchange)
    let owner = Part()
    channel.listen(for: owner) { _, _ in }
    let list = MulticastList<any Hearing>(label: name("after"))
    let ear = Ear()
    list.add(ear)
    _ = recorded(nil) {
      channel.post(1)
      list.forEach { $0.hear() }
    }
    guard !Wiring.History.isOn else { return }
    let seen = Seen(Wiring.snapshot())
    #expect(seen.node(channel.name)?.counters == [:])
    #expect(seen.node(list.registry.label)?.counters == [:])
    #expect(channel.post(2).called == 1)
    #expect(list.last { _ in 3 } == 3)
    withExtendedLifetime((owner, ear)) {}
  }

  @Test func `W3 the history begins and ends while others post, call and hand over`() async {
    let exchange = Exchange()
    let channel = Channel<Int>(name("meanwhile"), in: exchange)
    let list = MulticastList<any Hearing>(label: name("meanwhile"))
    let (owner, ear, set) = (Part(), Ear(), Services("meanwhile"))
    channel.listen(for: owner) { _, _ in }
    list.add(ear)
    set.provide(HistoryShort.self, lifetime: .transient) { _ in HistoryShort() }
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<2 {
        group.addTask {
          var missing = 0
          for number in 0..<20_000 {
            if channel.post(number).called != 1 { missing += 1 }
            if list.all(function: "call()", { _ in 1 }) != [1] { missing += 1 }
            if (try? set.require(HistoryShort.self)) == nil { missing += 1 }
            if number.isMultiple(of: 64) {
              let own = Channel<Int>("own", in: Exchange())
              if own.post(1).called != 0 { missing += 1 }
            }
          }
          return missing
        }
      }
      group.addTask {
        for _ in 0..<2_000 {
          Wiring.History.start(capacity: 16)
          _ = Wiring.History.page()
          Wiring.History.stop()
        }
        return 0
      }
      for await missing in group { #expect(missing == 0) }
    }
    withExtendedLifetime((owner, ear)) {}
  }

  // MARK: - Recording

  /// A name that no other test's events have.
  private func name(_ word: String) -> String { "\(word)-\(Identifier.next())" }

  /// The events of a name, or all, that an operation leads to.
  private func recorded(_ name: String?, _ operation: () -> Void) -> [Wiring.Event] {
    Wiring.History.start(capacity: 100_000)
    defer { Wiring.History.stop() }
    let last = Wiring.History.last
    operation()
    return events(name, after: last)
  }

  private func recordedLater(
    _ name: String?, _ operation: () async -> Void
  ) async -> [Wiring.Event] {
    Wiring.History.start(capacity: 100_000)
    defer { Wiring.History.stop() }
    let last = Wiring.History.last
    await operation()
    return events(name, after: last)
  }

  private func events(_ name: String?, after last: UInt64) -> [Wiring.Event] {
    Wiring.History.page(after: last).events.filter { event in
      name.map { event.label == $0 || event.label.hasPrefix("\($0).") } ?? true
    }
  }
}

private final class HistoryPart: Sendable {}
private final class HistoryShort: Sendable {}
private final class HistoryLate: Sendable {}
private final class HistoryBad: Sendable {}
private final class HistoryMissing: Sendable {}
struct HistoryResult: Sendable {}

final class HistoryScreen: ResultProvider {
  typealias Result = HistoryResult
  let handoverSlot = HandoverSlot<Int>()
  var isReady = true
  var count = 0
  func prepare(with model: Int?) { count += 1 }
}
