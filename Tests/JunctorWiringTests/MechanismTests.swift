import Dispatch
import Junctor
import Synchronization
import Testing

@testable import JunctorCore

/// What the four mechanisms report: every kind of node and edge, and every state.
@Suite(.serialized)
struct MechanismTests {
  @Test func `W1 channels report who listens, who posts, how and how often`() async throws {
    Wiring.History.start()
    defer { Wiring.History.stop() }
    let exchange = Exchange(label: "W1 exchange")
    let channel = Channel<Int>("W1 channel", in: exchange)
    let (plain, paused, late) = (Part(), Part(), Part())
    let sender = Poster()
    channel.listen(for: plain, priority: .high, line: 11) { _, _ in }
    channel.listen(for: paused, line: 12) { _, _ in }.pause()
    let queue = DispatchQueue(label: "W1 queue")
    let gate = DispatchSemaphore(value: 0)
    queue.async { gate.wait() }
    channel.listen(for: late, on: .queue(queue), label: "late", line: 13) { _, _ in }
    let subscription = channel.listen { _ in }
    channel.post(1, from: sender, line: 21)
    channel.post(2, from: sender, line: 21)
    channel.post(3, line: 22)

    let seen = Seen(Wiring.snapshot())
    let home = try #require(seen.node("W1 exchange"))
    #expect(home.kind == .exchange)
    #expect(home.site?.fileID == "JunctorWiringTests/MechanismTests.swift")
    let node = try #require(seen.node("W1 channel"))
    #expect(node.kind == .channel)
    #expect(node.type == "Swift.Int")
    #expect(node.parent == home.id)
    #expect(node.counters == ["posted": 3, "called": 6, "queued": 3])
    #expect(node.times["longest"] ?? .zero > .zero)

    let listens = seen.edges(from: node, .listens)
    #expect(listens.map(\.site?.line).prefix(3) == [11, 12, 13])
    #expect(listens.map(\.priority) == [1_000, 0, 0, 0])
    #expect(listens.map(\.state) == [.alive, .paused, .pending(3), .alive])
    #expect(
      listens.map(\.isolation) == ["the poster", "the poster", "queue 'W1 queue'", "the poster"])
    #expect(listens.map(\.label) == [nil, nil, "late", nil])
    #expect(listens[0].counters == ["called": 3])
    #expect(listens[0].times["longest"] ?? .zero > .zero)
    #expect(listens[2].counters["accepted"] == 3)
    #expect(seen.node(listens[0].to)?.label == "Part")
    #expect(seen.node(listens[3].to)?.label == "subscription")

    let posts = seen.edges(to: node, .posts)
    #expect(posts.count == 2)
    let named = try #require(posts.first { $0.site?.line == 21 })
    #expect(seen.node(named.from)?.type == String(reflecting: Poster.self))
    #expect(named.counters == ["posted": 2])
    let unnamed = try #require(posts.first { $0.site?.line == 22 })
    #expect(seen.node(unnamed.from)?.label == "MechanismTests.swift")
    gate.signal()
    await withCheckedContinuation { done in queue.async { done.resume() } }
    withExtendedLifetime((plain, paused, late, sender, subscription)) {}
  }

  @Test func `W1 multicasts report their targets, priorities and calls`() throws {
    Wiring.History.start()
    defer { Wiring.History.stop() }
    let list = MulticastList<any Hearing>(label: "W1 multicast", line: 31)
    let (first, second) = (Ear(), Ear())
    list.add(second, line: 33)
    list.add(first, priority: 7, line: 32).registration.pause()
    list.forEach { $0.hear() }
    #expect(throws: Broken.self) {
      try list.forEach { (_: any Hearing) throws(Broken) in throw Broken() }
    }

    let seen = Seen(Wiring.snapshot())
    let node = try #require(seen.node("W1 multicast"))
    #expect(node.kind == .multicast)
    #expect(node.site?.line == 31)
    #expect(node.counters == ["calls": 2, "reached": 2, "failed": 1])
    #expect(node.times["longest"] ?? .zero > .zero)
    let edges = seen.edges(from: node, .delegates)
    #expect(edges.map(\.site?.line) == [32, 33])
    #expect(edges.map(\.priority) == [7, 0])
    #expect(edges.map(\.state) == [.paused, .alive])
    #expect(seen.node(edges[0].to)?.label == "Ear")
    withExtendedLifetime((first, second)) {}
  }

  @Test func `W1 receivers report who handed over, what waits and who awaits a result`() throws {
    let (receiver, sender) = (Screen(), Poster())
    receiver.handOver(1, from: sender, line: 41)
    let request = receiver.request(2, for: sender, line: 42) { _, _ in }
    receiver.isReady = false
    receiver.handOver(3)
    let seen = Seen(Wiring.snapshot())
    let node = try #require(seen.wiring.nodes.first { $0.label == "Screen" })
    #expect(node.kind == .receiver)
    #expect(node.state == .pending(1))
    #expect(node.counters == ["handovers": 2])
    let handed = try #require(seen.edges(to: node, .handedOver).first)
    #expect(handed.counters == ["handovers": 2])
    #expect(seen.node(handed.from)?.label == "Poster")
    let awaits = try #require(seen.edges(to: node, .awaitsResult).first)
    #expect(awaits.site?.line == 42)
    #expect(awaits.state == .pending(1))
    #expect(awaits.from == handed.from)
    withExtendedLifetime((receiver, request)) {}
  }

  @Test func `W1 sets report their services, what they needed, and what failed why`() throws {
    let app = Services("W1 app", line: 51)
    let screen = Services("W1 screen", alternate: app)
    app.provide((any Hearing).self, line: 52) { _ in Ear() }
    screen.provide(Poster.self) { services in
      _ = try services.require((any Hearing).self)
      return Poster()
    }
    screen.provide(Part.self) { _ in throw Broken() }
    screen.provide(Ear.self, lifetime: .transient) { _ in throw Broken() }
    screen.provide(Draft.self) { _ in Draft() }
    _ = try screen.require(Poster.self)
    #expect(throws: (any Error).self) { try screen.require(Part.self) }
    #expect(throws: (any Error).self) { try screen.require(Ear.self) }

    let seen = Seen(Wiring.snapshot())
    let home = try #require(seen.node("W1 app"))
    let front = try #require(seen.node("W1 screen"))
    #expect(home.kind == .serviceSet)
    #expect(home.site?.line == 51)
    #expect(seen.edges(from: front, .fallsBack).map(\.to) == [home.id])
    let provided = seen.edges(from: front, .provides).compactMap { seen.node($0.to) }
    #expect(provided.map(\.kind) == [.service, .service, .service, .service])
    #expect(provided.map(\.label) == ["Poster", "Part", "Ear", "Draft"])
    #expect(provided[0].state == .alive)
    #expect(provided[0].times["build"] != nil)
    #expect(provided[3].state == .paused)
    for failed in provided[1...2] {
      guard case .failed(let reason) = failed.state else {
        Issue.record("\(failed.label) is \(failed.state)")
        continue
      }
      #expect(reason.contains("it broke"))
    }
    let dependency = try #require(seen.edges(from: provided[0], .dependsOn).first)
    #expect(seen.node(dependency.to)?.label == "Hearing")
    #expect(seen.node(dependency.to)?.site?.line == 52)
    #expect(seen.node(dependency.to)?.parent == home.id)
    withExtendedLifetime(screen) {}
  }

  @Test func `W1 a provider that failed and works again is well again, whatever its lifetime`()
    throws
  {
    let works = Atomic(false)
    let set = Services("W1 again")
    for lifetime in [ServiceLifetime.cached, .transient] {
      works.store(false, ordering: .relaxed)
      set.provide(Part.self, lifetime: lifetime) { _ in
        guard works.load(ordering: .relaxed) else { throw Broken() }
        return Part()
      }
      #expect(throws: (any Error).self) { try set.require(Part.self) }
      #expect(throws: (any Error).self) { try set.require(Part.self) }
      func state() -> Wiring.State? {
        let seen = Seen(Wiring.snapshot())
        return seen.node("W1 again").flatMap { home in
          seen.wiring.nodes.first { $0.parent == home.id }?.state
        }
      }
      guard case .failed? = state() else {
        Issue.record("\(String(describing: state()))")
        continue
      }
      works.store(true, ordering: .relaxed)
      _ = try set.require(Part.self)
      #expect(state() == (lifetime == .cached ? .alive : .paused))
    }
  }
}

/// A snapshot, asked by label.
struct Seen {
  let wiring: Wiring
  init(_ wiring: Wiring) { self.wiring = wiring }

  func node(_ label: String) -> Wiring.Node? { wiring.nodes.first { $0.label == label } }
  func node(_ id: Wiring.NodeID) -> Wiring.Node? { wiring.nodes.first { $0.id == id } }
  func edges(from node: Wiring.Node, _ kind: Wiring.EdgeKind) -> [Wiring.Edge] {
    wiring.edges.filter { $0.from == node.id && $0.kind == kind }
  }
  func edges(to node: Wiring.Node, _ kind: Wiring.EdgeKind) -> [Wiring.Edge] {
    wiring.edges.filter { $0.to == node.id && $0.kind == kind }
  }
}

protocol Hearing: AnyObject, Sendable { func hear() }
final class Ear: Hearing { func hear() {} }
final class Part: Sendable {}
final class Poster: Sendable {}
struct Broken: Error, CustomStringConvertible { var description: String { "it broke" } }

struct Draft: Sendable {}

final class Screen: ResultProvider {
  typealias Result = String
  let handoverSlot = HandoverSlot<Int>()
  var isReady = true
  func prepare(with model: Int?) {}
}
