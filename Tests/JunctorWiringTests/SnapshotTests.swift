import Dispatch
import Foundation
import Synchronization
import Testing

@testable import JunctorCore

struct SnapshotTests {
  @Test func `W1 sources report in the order in which they were added, and not after removal`() {
    let names = ["first", "second", "third"].map { $0 + "-\(Identifier.next())" }
    let sources = names.map { Source($0) }
    #expect(labels(among: names) == names)
    sources[1].leave()
    #expect(labels(among: names) == [names[0], names[2]])
    sources[0].leave()
    sources[2].leave()
    #expect(labels(among: names) == [])
  }

  @Test(.timeLimit(.minutes(5)))
  func `W1 a snapshot keeps neither sources nor objects alive`() async {
    weak var source: Source?
    weak var object: Tracked?
    let name = "kept-\(Identifier.next())"
    let wiring: Wiring
    do {
      let strongObject = Tracked()
      let strongSource = Source(name) { builder in _ = builder.node(for: strongObject) }
      source = strongSource
      object = strongObject
      wiring = Wiring.snapshot()
      strongSource.forget()
    }
    #expect(wiring.nodes.contains { $0.label == name })
    #expect(wiring.nodes.contains { $0.label == "Tracked" })
    // A snapshot that another test takes at this moment has hold of them until it is done.
    while source != nil || object != nil { await Task.yield() }
    #expect(!Wiring.snapshot().nodes.contains { $0.label == name })
  }

  @Test func `W1 a source may take snapshots and add and remove sources while it reports`() {
    let name = "reentrant-\(Identifier.next())"
    let depth = Atomic(0)
    let source = Source(name) { _ in
      guard depth.wrappingAdd(1, ordering: .relaxed).oldValue == 0 else { return }
      let another = Source(name + "-inner")
      #expect(labels(among: [name + "-inner"]) == [name + "-inner"])
      another.leave()
    }
    #expect(labels(among: [name]) == [name])
    #expect(depth.load(ordering: .relaxed) >= 2)
    source.leave()
  }

  @Test func `W1 an object that dies during a snapshot dies outside every lock`() {
    let name = "dying-\(Identifier.next())"
    let seen = Mutex(0)
    let last = Mutex<Dying?>(nil)
    let dying = Dying {
      // Would wait for ever if the registry's lock were held.
      let count = Wiring.snapshot().nodes.filter { $0.label == name }.count
      seen.withLock { $0 += count + 1 }
    }
    last.withLock { $0 = dying }
    let source = Source(name) { builder in
      let object = last.withLock { held in
        defer { held = nil }
        return held
      }
      if let object { _ = builder.node(for: object) }
    }
    func release(_ object: consuming Dying) {}
    release(dying)
    _ = Wiring.snapshot()
    source.leave()
    #expect(last.withLock { $0 == nil })
  }

  @Test func `W1 others add, remove and look on while one snapshot is held up`() async {
    let name = "slow-\(Identifier.next())"
    let gate = DispatchSemaphore(value: 0)
    let (entered, enter) = AsyncStream<Void>.makeStream()
    // Snapshots of other tests meet this source as well; only that of the thread below is held up.
    let source = Source(name) { _ in
      guard HeldUp.isHeldUp else { return }
      enter.yield()
      gate.wait()
    }
    let (found, finish) = AsyncStream<[String]>.makeStream()
    Thread.detachNewThread {
      finish.yield(HeldUp.$isHeldUp.withValue(true) { labels(among: [name]) })
    }
    for await _ in entered { break }
    // The slow source waits; the registry is free.
    for _ in 0..<100 { Source("other").leave() }
    #expect(labels(among: [name]) == [name])
    gate.signal()
    for await labels in found {
      #expect(labels == [name])
      break
    }
    source.leave()
  }

  @Test func `W1 one object is one node, however often and by whomever it is mentioned`() {
    var builder = WiringBuilder()
    let object = Tracked()
    let first = builder.node(for: object)
    let second = builder.node(for: object, kind: .receiver, label: "again")
    let other = builder.node(for: Tracked())
    builder.describe(first) { $0.kind = .receiver }
    builder.join(Wiring.Edge(from: first, to: other, kind: .listens))
    let wiring = builder.finish()
    #expect(first == second)
    #expect(first != other)
    #expect(wiring.nodes.map(\.kind) == [.receiver, .object])
    #expect(wiring.nodes.map(\.id) == [Wiring.NodeID(1), Wiring.NodeID(2)])
    #expect(wiring.edges.count == 1)
  }

  @Test func `W1 a new object at a dead one's address is another node`() {
    var builder = WiringBuilder()
    // Each dies at once but for the builder, which keeps its address taken until the snapshot is finished.
    let ids = (0..<100).map { _ in builder.node(for: Tracked()) }
    #expect(Set(ids).count == 100)
  }

  @Test func `W1 snapshots from many threads while sources come and go`() async {
    let name = "stress-\(Identifier.next())"
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<500 { Source(name).leave() }
          for _ in 0..<500 { Source(name).forget() }
        }
        group.addTask {
          for _ in 0..<100 { _ = Wiring.snapshot() }
        }
      }
    }
    #expect(labels(among: [name]) == [])
  }

  @Test func `W6 nothing is kept for a source that has gone`() {
    let name = "gone-\(Identifier.next())"
    for _ in 0..<1000 { Source(name).forget() }
    #expect(labels(among: [name]) == [])
  }
}

private func labels(among names: [String]) -> [String] {
  Wiring.snapshot().nodes.map(\.label).filter(names.contains)
}

private final class Tracked: Sendable {}

private final class Dying: Sendable {
  private let farewell: @Sendable () -> Void
  init(_ farewell: @escaping @Sendable () -> Void) { self.farewell = farewell }
  deinit { farewell() }
}

/// Tells the snapshot that is to be held up from those of other tests.
private enum HeldUp {
  @TaskLocal static var isHeldUp = false
}

/// A source with one node.
private final class Source: WiringSource {
  private let name: String
  private let more: Mutex<(@Sendable (inout WiringBuilder) -> Void)?>
  private let id = Mutex<UInt64>(0)

  @discardableResult
  init(_ name: String, more: (@Sendable (inout WiringBuilder) -> Void)? = nil) {
    self.name = name
    self.more = Mutex(more)
    let id = WiringRegistry.add(self)
    self.id.withLock { $0 = id }
  }

  deinit { leave() }

  func leave() { WiringRegistry.remove(id.withLock { $0 }) }

  /// Lets go of what it captured; what is left to do is the deinitialiser's.
  func forget() {
    let old = more.withLock { more in
      defer { more = nil }
      return more
    }
    _ = old
  }

  func report(to builder: inout WiringBuilder) {
    _ = builder.add(.exchange, label: name)
    more.withLock { $0 }?(&builder)
  }
}
