import Synchronization
import Testing

@testable import JunctorDelegates

@Suite struct CircleTests {
  let log = Log()

  /// Two forwarders that hold each other, with a leaf each.
  private func circle() -> ([Mirror], [Ear]) {
    let mirrors = [Mirror(), Mirror()]
    let ears = [Ear("0", log), Ear("1", log)]
    for index in 0..<2 {
      mirrors[index].targets.add(ears[index])
      mirrors[index].targets.add(mirrors[1 - index])
    }
    return (mirrors, ears)
  }

  @Test func `D15 a circle of forwarders that nobody knew ends and is reported once per call`() {
    let (mirrors, ears) = circle()
    defer { withExtendedLifetime((mirrors, ears)) {} }
    for _ in 0..<2 {
      log.clear()
      #expect(reports { mirrors[0].hear("x") } == ["delegates.circle"])
      #expect(log.lines.contains("0 x") && log.lines.contains("1 x"))
      #expect(log.lines.count < 1_000)
    }
    log.clear()
    mirrors[1].targets.remove(mirrors[0])
    #expect(reports { mirrors[0].hear("y") }.isEmpty)
    #expect(log.lines == ["0 y", "1 y"])
  }

  @Test func `D15 a forwarder that holds itself ends`() {
    let mirror = Mirror()
    defer { withExtendedLifetime(mirror) {} }
    mirror.targets.add(mirror)
    let codes = reports { #expect(mirror.answer() == -1) }
    #expect(codes == ["delegates.circle"])
  }

  @Test func `D15 circles with many branches end soon`() {
    let mirrors = (0..<4).map { _ in Mirror() }
    defer { withExtendedLifetime(mirrors) {} }
    let ear = Ear("a", log)
    defer { withExtendedLifetime(ear) {} }
    for mirror in mirrors {
      for other in mirrors { mirror.targets.add(other) }
      mirror.targets.add(ear)
    }
    #expect(reports { mirrors[0].hear("x") } == ["delegates.circle"])
    #expect(log.lines.count < 10_000)
  }

  @Test func `D15 a call that is not answered because of a circle found nobody else`() {
    let (mirrors, ears) = circle()
    defer { withExtendedLifetime((mirrors, ears)) {} }
    for ear in ears { mirrors.forEach { $0.targets.remove(ear) } }
    let told = Log()
    for mirror in mirrors { mirror.targets.registry.watchUnreachedCalls { told($0.method) } }
    let codes = reports { #expect(mirrors[0].answer() == -1) }
    #expect(codes == ["delegates.circle"])
    #expect(told.lines.isEmpty)
  }

  @Test func `D15 calls that come to an end by themselves are left alone`() {
    let mirror = Mirror()
    let ear = Ear("a", log)
    defer { withExtendedLifetime((mirror, ear)) {} }
    mirror.targets.add(ear)
    var depth = 0
    ear.then = { [unowned mirror] in
      depth += 1
      if depth < 150 { mirror.hear("") }
    }
    #expect(reports { mirror.hear("") }.isEmpty)
    #expect(depth == 150)
  }

  @Test func `D15 a long chain without a circle is no circle`() {
    let mirrors = (0..<240).map { _ in Mirror() }
    let ear = Ear("a", log, value: 7)
    defer { withExtendedLifetime((mirrors, ear)) {} }
    for index in 0..<239 { mirrors[index].targets.add(mirrors[index + 1]) }
    mirrors[239].targets.add(ear)
    let codes = reports { #expect(mirrors[0].answer() == 7) }
    #expect(codes.isEmpty)
  }

  // MARK: - With suspensions

  @Test func `D15 a circle of asynchronous forwarders ends and is reported once per list`() async {
    let log = log
    let targets = (0..<2).map { _ in MulticastList<any Later>() }
    let mirrors = targets.map { LaterMirror($0) }
    let leaf = LaterLeaf(log)
    defer { withExtendedLifetime((mirrors, leaf)) {} }
    for index in 0..<2 {
      targets[index].add(leaf)
      targets[index].add(mirrors[1 - index])
      targets[index].add(mirrors[index])
    }
    let codes = Log()
    await Junctor.withDiagnostics({ codes($0.code.rawValue) }) { await mirrors[0].call() }
    #expect(!codes.lines.isEmpty)
    #expect(codes.lines.allSatisfy { $0 == "delegates.circle" })
    #expect(log.lines.count < 100_000)
    #expect(targets.allSatisfy { $0.registry.suspended.count == 0 })
  }

  @Test func `D15 a circle of calls to all at once ends`() async {
    let log = log
    let targets = (0..<2).map { _ in MulticastList<any Later>() }
    let mirrors = targets.map { CrowdMirror($0) }
    let leaf = LaterLeaf(log)
    defer { withExtendedLifetime((mirrors, leaf)) {} }
    for index in 0..<2 {
      targets[index].add(leaf)
      targets[index].add(mirrors[1 - index])
    }
    let codes = Log()
    await Junctor.withDiagnostics({ codes($0.code.rawValue) }) { await mirrors[0].call() }
    #expect(codes.lines == ["delegates.circle"])
    #expect(log.lines.count < 100)
  }

  @Test func `D15 tasks that outlive the calls that began them are in no circle`() async {
    let list = MulticastList<any Later>()
    let relay = Baton(list, rounds: 10)
    defer { withExtendedLifetime(relay) {} }
    list.add(relay)
    let codes = Log()
    await Junctor.withDiagnostics({ codes($0.code.rawValue) }) {
      await withCheckedContinuation { done in
        Task { await relay.round { done.resume() } }
      }
    }
    #expect(codes.lines.isEmpty)
    #expect(relay.reached == Array(repeating: 1, count: 10))
    #expect(relay.kept == Array(repeating: 1, count: 10))
  }

  @Test func `D15 many tasks may be in one call at the same time`() async {
    let list = MulticastList<any Later>()
    let gate = Gate(opensAt: 300)
    let waiter = LaterWaiter(gate)
    defer { withExtendedLifetime(waiter) {} }
    list.add(waiter)
    let codes = Log()
    await Junctor.withDiagnostics({ codes($0.code.rawValue) }) {
      await withTaskGroup { group in
        for _ in 0..<300 { group.addTask { await list.forEach { await $0.call() } } }
      }
    }
    #expect(codes.lines.isEmpty)
    #expect(gate.count == 300)
  }
}

/// A delegate whose method suspends.
protocol Later: AnyObject, Sendable {
  func call() async
}

final class LaterLeaf: Later {
  let log: Log
  init(_ log: Log) { self.log = log }
  func call() async {
    await Task.yield()
    log("leaf")
  }
}

final class LaterMirror: Later {
  let targets: MulticastList<any Later>
  init(_ targets: MulticastList<any Later>) { self.targets = targets }
  func call() async { await targets.forEach { await $0.call() } }
}

final class CrowdMirror: Later {
  let targets: MulticastList<any Later>
  init(_ targets: MulticastList<any Later>) { self.targets = targets }
  func call() async { _ = await targets.concurrently { await $0.call() } }
}

/// Begins each round in a task of the one before, which it first lets end.
final class Baton: Later {
  private struct State {
    var reached: [Int] = []
    var kept: [Int] = []
    var gate = Gate(opensAt: 2)
    var atEnd: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())
  private let list: MulticastList<any Later>
  private let rounds: Int

  init(_ list: MulticastList<any Later>, rounds: Int) {
    self.list = list
    self.rounds = rounds
  }

  /// How many targets each round reached.
  var reached: [Int] { state.withLock { $0.reached } }
  /// How many calls each round's lineage kept.
  var kept: [Int] { state.withLock { $0.kept } }

  func round(atEnd: @escaping @Sendable () -> Void) async {
    let gate = Gate(opensAt: 2)
    state.withLock { ($0.gate, $0.atEnd) = (gate, atEnd) }
    let answers = await list.concurrently { await $0.call() }
    let isLast = state.withLock { state in
      state.reached.append(answers.count)
      return state.reached.count == rounds || answers.isEmpty
    }
    if isLast { atEnd() } else { await gate.pass() }
  }

  func call() async {
    let (gate, atEnd, isLast) = state.withLock { state in
      state.kept.append(CallLineage.current?.count ?? 0)
      return (state.gate, state.atEnd, state.reached.count == rounds - 1)
    }
    guard !isLast, let atEnd else { return }
    Task {
      await gate.pass()
      await round(atEnd: atEnd)
    }
  }
}

final class LaterWaiter: Later {
  let gate: Gate
  init(_ gate: Gate) { self.gate = gate }
  func call() async { await gate.pass() }
}

/// Lets nobody through before all have come.
final class Gate: Sendable {
  private struct State {
    var count = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())
  private let size: Int

  init(opensAt size: Int) { self.size = size }

  var count: Int { state.withLock { $0.count } }

  func pass() async {
    await withCheckedContinuation { continuation in
      let through = state.withLock { state in
        state.count += 1
        state.waiting.append(continuation)
        guard state.count >= size else { return [CheckedContinuation<Void, Never>]() }
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in through { continuation.resume() }
    }
  }
}
