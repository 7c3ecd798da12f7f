import Dispatch
import Foundation
import Junctor
import JunctorWiring
import Synchronization
import Testing

@testable import JunctorCore

/// What a snapshot must not do: wait, hold others up, run code of the user's under a lock, or keep anything.
@Suite(.serialized)
struct SnapshotAttackTests {
  @Test(.timeLimit(.minutes(5)))
  func `W1 posts, calls, handovers, look-ups and registrations go on while a snapshot is held up`()
    async throws
  {
    let scene = Scene()
    let gate = DispatchSemaphore(value: 0)
    let (entered, enter) = AsyncStream<Void>.makeStream()
    let source = HoldingSource {
      enter.yield()
      gate.wait()
    }
    let (done, finish) = AsyncStream<Wiring>.makeStream()
    Thread.detachNewThread {
      finish.yield(HoldingSource.$holds.withValue(true) { Wiring.snapshot() })
    }
    for await _ in entered { break }
    // The snapshot stands in the middle of its work; nothing here waits for it.
    for number in 0..<100 {
      #expect(scene.channel.post(number).called == 1)
      #expect(scene.list.last { _ in 1 } == 1)
      scene.receiver.handOver(number)
      #expect(try scene.set.require(Loud.self) === scene.loud)
      let owner = Part()
      scene.channel.listen(for: owner) { _, _ in }.cancel()
      _ = Wiring.snapshot()
      withExtendedLifetime(owner) {}
    }
    gate.signal()
    for await wiring in done {
      #expect(wiring.nodes.contains { $0.label == scene.channel.name })
      break
    }
    source.leave()
  }

  @Test func `W1 neither a snapshot nor a rendering asks an object for its description`() throws {
    Wiring.History.start()
    defer { Wiring.History.stop() }
    let scene = Scene()
    scene.channel.post(1, from: scene.loud)
    scene.receiver.handOver(1, from: scene.loud)
    let before = Loud.asked.load(ordering: .relaxed)
    let wiring = Wiring.snapshot()
    _ = [wiring.text(), wiring.json(), wiring.dot(), wiring.mermaid()]
    _ = Wiring.History.page().events.map(\.description)
    #expect(Loud.asked.load(ordering: .relaxed) == before)
    #expect(wiring.nodes.contains { $0.label == "Loud" && $0.kind == .object })
  }

  @Test(.timeLimit(.minutes(5)))
  func `W1 what an error says of itself is asked for with no lock held`() {
    let set = Services("W1 chatty")
    set.provide(Part.self) { _ in
      throw ChattyError {
        // Each of these would wait for ever if a lock of the set's, the slot's or the wiring's were held.
        _ = Wiring.snapshot()
        set.set(Int.self, to: 1)
        _ = set[String.self]
        return "chatty"
      }
    }
    #expect(throws: (any Error).self) { try set.require(Part.self) }
    let node = Wiring.snapshot().nodes.first { node in
      if case .failed(let reason) = node.state { reason.contains("chatty") } else { false }
    }
    #expect(node?.label == "Part")
  }

  @Test func `W1 a snapshot keeps nothing alive that it shows`() throws {
    Wiring.History.start()
    defer { Wiring.History.stop() }
    weak var loud: Loud?
    weak var receiver: Screen?
    weak var set: Services?
    var wiring = Wiring()
    do {
      let scene = Scene()
      loud = scene.loud
      receiver = scene.receiver
      set = scene.set
      scene.channel.post(1, from: scene.loud)
      scene.receiver.handOver(1, from: scene.loud)
      scene.list.forEach { $0.hear() }
      wiring = Wiring.snapshot()
      withExtendedLifetime(scene) {}
    }
    #expect(wiring.nodes.contains { $0.label == "Loud" })
    #expect(loud == nil)
    #expect(receiver == nil)
    #expect(set == nil)
    // Neither do those who posted while the history was on.
    #expect(!Wiring.snapshot().nodes.contains { $0.label == "Loud" })
  }

  @Test func `W1 owners that die during snapshots die on their own threads`() {
    let main = ObjectIdentifier(Thread.current)
    let elsewhere = Atomic(0)
    let exchange = Exchange()
    let channel = Channel<Int>("W1 confined", in: exchange)
    let list = MulticastList<any Hearing>(label: "W1 confined")
    let isOver = Atomic(false)
    let watcher = Thread {
      while !isOver.load(ordering: .relaxed) { _ = Wiring.snapshot() }
    }
    watcher.start()
    for number in 0..<500 {
      let owner = Confined {
        if ObjectIdentifier(Thread.current) != main { elsewhere.add(1, ordering: .relaxed) }
      }
      channel.listen(for: owner) { _, _ in }
      list.add(owner)
      channel.post(number)
    }
    isOver.store(true, ordering: .relaxed)
    #expect(elsewhere.load(ordering: .relaxed) == 0)
  }
}

/// One of everything, with one object that minds being described.
private final class Scene {
  let loud = Loud()
  let channel = Channel<Int>("W1 attack \(Identifier.next())", in: Exchange(label: "W1 attack"))
  let list = MulticastList<any Hearing>(label: "W1 attack")
  let set = Services("W1 attack")
  let receiver = Screen()

  init() {
    channel.listen(for: loud) { _, _ in }
    list.add(loud)
    set.set(Loud.self, to: loud)
  }
}

/// Counts how often somebody asks what it is.
private final class Loud: Hearing, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  static let asked = Atomic(0)
  var description: String { Self.answer() }
  var debugDescription: String { Self.answer() }
  var customMirror: Mirror {
    _ = Self.answer()
    return Mirror(self, children: [])
  }
  func hear() {}

  private static func answer() -> String {
    asked.add(1, ordering: .relaxed)
    return "described"
  }
}

private final class Confined: Hearing {
  private let farewell: @Sendable () -> Void
  init(_ farewell: @escaping @Sendable () -> Void) { self.farewell = farewell }
  func hear() {}
  deinit { farewell() }
}

private struct ChattyError: Error, CustomStringConvertible {
  let say: @Sendable () -> String
  var description: String { say() }
}

/// A source in which the snapshots that are meant to are held up.
private final class HoldingSource: WiringSource {
  @TaskLocal static var holds = false
  private let hold: @Sendable () -> Void
  private let id = Mutex<UInt64>(0)

  init(_ hold: @escaping @Sendable () -> Void) {
    self.hold = hold
    let number = WiringRegistry.add(self)
    id.withLock { $0 = number }
  }

  func leave() { WiringRegistry.remove(id.withLock { $0 }) }

  func report(to builder: inout WiringBuilder) { if Self.holds { hold() } }
}
