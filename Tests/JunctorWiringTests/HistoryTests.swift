import Testing

@testable import JunctorCore

struct HistoryRingTests {
  @Test func `W3 a ring keeps the last events in order and counts those that are lost`() {
    var ring = HistoryRing()
    _ = ring.grow(to: 3)
    for number in 1...5 { _ = ring.put(record("\(number)")) }
    let all = ring.page(after: 0, limit: .max)
    #expect(all.events.map(\.label) == ["3", "4", "5"])
    #expect(all.events.map(\.number) == [3, 4, 5])
    #expect(all.missed == 2)
    #expect(all.last == 5)
    let some = ring.page(after: 3, limit: 1)
    #expect(some.events.map(\.label) == ["4"])
    #expect(some.missed == 0)
    #expect(some.last == 4)
    let none = ring.page(after: 5, limit: .max)
    #expect(none.events.isEmpty)
    #expect(none.missed == 0)
    #expect(none.last == 5)
    #expect(ring.page(after: .max, limit: .max).events.isEmpty)
    #expect(ring.page(after: 0, limit: 0).events.isEmpty)
  }

  @Test(arguments: [0, 1, 3, 4, 7, 20])
  func `W3 a ring that grows keeps what it held`(count: Int) {
    var ring = HistoryRing()
    _ = ring.grow(to: 4)
    for number in 0..<count { _ = ring.put(record("\(number)")) }
    let before = ring.page(after: 0, limit: .max)
    _ = ring.grow(to: 9)
    #expect(ring.page(after: 0, limit: .max) == before)
    for number in 0..<5 { _ = ring.put(record("later \(number)")) }
    let after = ring.page(after: 0, limit: .max)
    #expect(after.events.count == min(count, 4) + 5)
    #expect(after.events.prefix(before.events.count).elementsEqual(before.events))
    #expect(ring.grow(to: 2).isEmpty)
  }

  @Test func `W3 an emptied ring keeps nothing and goes on counting`() {
    var ring = HistoryRing()
    _ = ring.grow(to: 2)
    for number in 0..<3 { _ = ring.put(record("\(number)")) }
    #expect(ring.empty().map(\.subject.text).sorted() == ["1", "2"])
    #expect(ring.put(record("refused")).subject.text == "refused")
    #expect(ring.page(after: 0, limit: .max).events.isEmpty)
    _ = ring.grow(to: 2)
    _ = ring.put(record("new"))
    let page = ring.page(after: 0, limit: .max)
    #expect(page.events.map(\.label) == ["new"])
    #expect(page.events.map(\.number) == [4])
    #expect(page.missed == 3)
  }

  @Test func `W3 random operations agree with a plain list`() {
    var seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    func next(_ bound: UInt64) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % bound)
    }
    var ring = HistoryRing()
    var kept: [UInt64] = []
    var capacity = 0
    var last: UInt64 = 0
    for _ in 0..<100_000 {
      switch next(100) {
      case 0:
        let wanted = next(40) + 1
        _ = ring.grow(to: wanted)
        capacity = max(capacity, wanted)
      case 1:
        _ = ring.empty()
        kept = []
        capacity = 0
      case 2..<20:
        let after = UInt64(next(max(1, last)))
        let limit = next(50)
        let expected = Array(kept.filter { $0 > after }.prefix(limit))
        #expect(ring.page(after: after, limit: limit).events.map(\.number) == expected)
      default:
        _ = ring.put(record(""))
        guard capacity > 0 else { continue }
        last += 1
        kept.append(last)
        if kept.count > capacity { kept.removeFirst() }
      }
    }
  }

  private func record(_ label: String) -> HistoryRing.Record {
    HistoryRing.Record(kind: .post, subject: .name(label), site: nil, began: 0, ended: 1, count: 0)
  }
}

/// Other suites may record meanwhile, so each test looks at labels of its own.
@Suite(.serialized)
struct HistoryTests {
  @Test func `W3 events carry their kind, label, site, duration and count`() throws {
    Wiring.History.start(capacity: 100_000)
    defer { Wiring.History.stop() }
    let label = "event-\(Identifier.next())"
    let site = SourceSite()
    let began = WiringHistory.begin()
    #expect(began != 0)
    WiringHistory.record(.post, label, site: site, began: began, count: 3)
    WiringHistory.record(.drop, label)
    let events = Wiring.History.page().events.filter { $0.label == label }
    try #require(events.count == 2)
    #expect(events[0].kind == .post)
    #expect(events[0].site == site)
    #expect(events[0].count == 3)
    let duration = try #require(events[0].duration)
    #expect(duration >= .zero)
    #expect(events[0].time <= events[1].time)
    #expect(events[1].kind == .drop)
    #expect(events[1].duration == nil)
    #expect(events[1].number > events[0].number)
    #expect(events[0].description.contains("post '\(label)' → 3 in "))
    #expect(events[0].description.hasSuffix(" at \(site)"))
  }

  @Test func `W3 it is bounded, and whoever reads learns what was lost`() {
    Wiring.History.start(capacity: 10)
    defer { Wiring.History.stop() }
    let before = Wiring.History.last
    for _ in 0..<50_000 { WiringHistory.record(.delivery, "bounded") }
    let page = Wiring.History.page(after: before)
    #expect(UInt64(page.events.count) + page.missed >= 50_000)
    #expect(page.missed > 0)
  }

  @Test func `W3 from many threads no event is lost or doubled`() async {
    Wiring.History.start(capacity: 100_000)
    defer { Wiring.History.stop() }
    let label = "threads-\(Identifier.next())"
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<1_000 { WiringHistory.record(.call, label) }
        }
      }
      group.addTask {
        for _ in 0..<50 { _ = Wiring.History.page(limit: 10) }
      }
    }
    let numbers = Wiring.History.page().events.filter { $0.label == label }.map(\.number)
    #expect(numbers.count == 4_000)
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers).count == 4_000)
  }

  @Test func `W6 a history that nobody asked for measures and keeps nothing`() {
    // Whether it is on depends on who runs beside; what was begun while it was off is told by the 0.
    let began = WiringHistory.begin()
    #expect((began == 0) || WiringHistory.isOn)
    var ring = HistoryRing()
    #expect(ring.capacity == 0)
    let record = HistoryRing.Record(
      kind: .post, subject: .name("x"), site: nil, began: 0, ended: 1, count: 0)
    #expect(ring.put(record).ended == 1)
    #expect(ring.capacity == 0)
  }
}

extension HistoryRing {
  /// Puts a record in and returns the one that gave way, or itself where there is no room for any.
  fileprivate mutating func put(_ record: Record) -> Record {
    var changing = record
    append(&changing)
    return changing
  }
}
