import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

/// A clock on which every time is over at once.
private final class HastyClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}

@Suite(.timeLimit(.minutes(1))) struct TeardownTests {
  let app = Services("app")
  let log = Log()

  // MARK: While a decorator runs

  @Test func `S14 what a decorator wraps while its key is registered anew is closed once`()
    async throws
  {
    app.provide((any Alpha).self) { [log] _ in Part("object", log) }
    _ = try app.require((any Alpha).self)
    let thread = decorateUntilTold()
    thread.entered.wait()
    app.override((any Alpha).self) { _ in Thing() }
    thread.gate.open()
    thread.join()
    try await app.close()
    #expect(log.lines == ["close wrapper", "close object"])
  }

  @Test func `S14 a value that a decorator wraps while its key is registered anew is closed once`()
    async throws
  {
    let entered = Gate()
    let gate = Gate()
    app.provide(Settings.self) { [log] _ in Settings("value", log) }
    _ = try app.require(Settings.self)
    app.decorate(Settings.self) { [log] _, _ in
      entered.open()
      gate.wait()
      return Settings("wrapper", log)
    }
    let thread = TestThread { [app] in _ = app[Settings.self] }
    entered.wait()
    app.remove(Settings.self)
    gate.open()
    thread.join()
    try await app.close()
    #expect(log.lines == ["close wrapper", "close value"])
  }

  @Test func `S14 what was given in is not closed, though its key is registered anew meanwhile`()
    async throws
  {
    app.set((any Alpha).self, to: Part("given in", log))
    let thread = decorateUntilTold()
    thread.entered.wait()
    app.override((any Alpha).self) { _ in Thing() }
    let closing = Task { [app] in try await app.close() }
    await until { app.isClosed }
    thread.gate.open()
    thread.join()
    try await closing.value
    #expect(log.lines == ["close wrapper"])
  }

  @Test(arguments: [false, true])
  func `S14 an object whose decorator outlasts the time limit is closed, whatever comes of that`(
    isFailing: Bool
  ) async throws {
    app.provide((any Alpha).self) { [log] _ in Part("object", log) }
    app.onClose((any Alpha).self) { [log] alpha in log.add("tear down \(alpha.label)") }
    _ = try app.require((any Alpha).self)
    try await closeWhileDecorating(isFailing: isFailing) {
      await until { !log.lines.isEmpty }
    }
    if !isFailing { await until { log.lines.count > 1 } }
    #expect(log.lines == ["tear down object"] + (isFailing ? [] : ["close wrapper"]))
  }

  @Test func `S14 what was given in is not closed, though its decorator outlasts the time limit`()
    async throws
  {
    app.set((any Alpha).self, to: Part("given in", log))
    try await closeWhileDecorating(isFailing: false) {}
    await until { !log.lines.isEmpty }
    #expect(log.lines == ["close wrapper"])
  }

  @Test func `S14 an object is started once, though its decorator runs meanwhile`() async throws {
    let entered = Counter()
    let gate = AsyncGate()
    app.provide((any Alpha).self) { [log] _ in Part("object", log) }
    app.contribute((any Beta).self) { [log] services async throws in
      // The object is there, and the set has started nothing yet.
      services.decorate((any Alpha).self) { [log] inner, _ async throws in
        entered.next()
        await gate.wait()
        return Part("wrapper", log, holding: inner)
      }
      Task.detached { try await services.resolve((any Alpha).self) }
      await until { entered.value == 1 }
      return Thing()
    }
    try await app.start()
    #expect(log.lines == ["start object"])
    await gate.open()
    _ = try await app.resolve((any Alpha).self)
    try await app.start()
    try await app.close()
    #expect(log.lines == ["start object", "start wrapper", "close wrapper", "close object"])
  }

  // MARK: onClose

  @Test func `S14 onClose counts for what exists once per scope, whenever it is said`()
    async throws
  {
    app.provide((any Alpha).self, lifetime: .scoped("request")) { _ in Thing("first") }
    app.provide((any Beta).self, lifetime: .scoped("request")) { [log] _ in Part("second", log) }
    app.onClose((any Alpha).self) { [log] alpha in log.add("tear down \(alpha.label)") }
    for _ in 0..<2 {
      let request = Services("request", alternate: app, scope: "request")
      _ = try request.require((any Alpha).self)
      _ = try request.require((any Beta).self)
      app.onClose((any Beta).self) { [log] beta in log.add("tear down \(beta.label)") }
      try await request.close()
    }
    #expect(log.lines.count == 4)
    try await app.close()
    #expect(
      log.lines == [
        "tear down second", "tear down first", "tear down second", "tear down first",
      ])
  }

  @Test func `S14 onClose counts for what exists once per scope when its set is closed first`()
    async throws
  {
    app.provide((any Alpha).self, lifetime: .scoped("request")) { _ in Thing("object") }
    app.onClose((any Alpha).self) { [log] alpha in log.add("tear down \(alpha.label)") }
    let request = Services("request", alternate: app, scope: "request")
    _ = try request.require((any Alpha).self)
    try await app.close()
    #expect(log.lines.isEmpty)
    try await request.close()
    #expect(log.lines == ["tear down object"])
  }

  @Test(arguments: [false, true])
  func `S14 onClose counts for what exists once per argument, whenever it is said`(
    isSaidLater: Bool
  ) async throws {
    func say() {
      app.onClose((any Alpha).self) { [log] alpha in log.add("tear down \(alpha.label)") }
    }
    app.provide((any Alpha).self, argument: Int.self, lifetime: .cached) { _, number in
      Thing("\(number)")
    }
    app.provide((any Alpha).self, argument: Bool.self, lifetime: .scoped("request")) { _, isIt in
      Thing("\(isIt)")
    }
    if !isSaidLater { say() }
    let request = Services("request", alternate: app, scope: "request")
    for number in 0..<2 { _ = try request.require((any Alpha).self, argument: number) }
    _ = try request.require((any Alpha).self, argument: true)
    if isSaidLater { say() }
    try await request.close()
    #expect(log.lines == ["tear down true"])
    try await app.close()
    #expect(log.lines == ["tear down true", "tear down 1", "tear down 0"])
  }

  @Test func `S14 a late object takes along how it is torn down, though all is let go then`()
    throws
  {
    let site = SourceSite(fileID: #fileID, line: #line)
    let slot = ServiceSlot(ServiceKey((any Alpha).self))
    var machine = ServiceMachine()
    _ = machine.define(ServiceDefinition(source: .sync { _, _ in nil }, site: site))
    _ = machine.shareTeardown()?.replace { _ in }
    let request = ServiceRequest(key: slot.key, asker: app, site: site)
    let action = machine.request(hasArgument: false, ability: .immediate) { work in
      ServiceBuild(slot, work, request: request, context: nil, isOfTask: false)
    }
    guard case .build(let build, _) = action else {
      Issue.record("nothing is built")
      return
    }
    machine.isClosed = true
    machine.isAbandoned = true
    let box = TypedBox<any Alpha>(Thing())
    let end = machine.finish(
      build, with: .built(box), ServiceLayers(box),
      record: ServiceRecord(dependencies: [], askedAt: site, duration: .zero), closed: Trouble())
    _ = machine.empty()
    #expect(end.orphans.map(\.teardown).map { $0 != nil } == [true])
    #expect(machine.teardown == nil)
  }

  // MARK: Another set's object

  @Test(arguments: [false, true])
  func `S14 an object of a set that is not behind is started and closed once by either`(
    isLenderFirst: Bool
  ) async throws {
    let other = Services("other")
    app.provide((any Alpha).self) { [log] _ in Part("object", log) }
    other.provide((any Beta).self) { [app] _ in
      try app.require((any Alpha).self) as? any Beta
    }
    let sets = isLenderFirst ? [app, other] : [other, app]
    for set in sets { try await set.start() }
    for set in sets { try await set.close() }
    #expect(log.lines == ["start object", "close object"])
  }

  @Test
  func `S14 an object stays its set's own, though its decorator asks for one that borrows it`()
    async throws
  {
    app.provide((any Alpha).self) { [log] _ in Part("object", log) }
    app.provide((any Beta).self) { services in
      try services.require((any Alpha).self) as? any Beta
    }
    _ = try app.require((any Beta).self)
    app.decorate((any Alpha).self) { inner, services in
      Thing("wrapper", holding: try services.require((any Beta).self))
    }
    #expect(try app.require((any Alpha).self).label == "wrapper")
    try await app.close()
    #expect(log.lines == ["close object"])
  }

  // MARK: Help

  /// Asks for what is decorated on a thread, whose decorator waits to be told.
  private func decorateUntilTold() -> (entered: Gate, gate: Gate, join: @Sendable () -> Void) {
    let entered = Gate()
    let gate = Gate()
    app.decorate((any Alpha).self) { [log] inner, _ in
      entered.open()
      gate.wait()
      return Part("wrapper", log, holding: inner)
    }
    let thread = TestThread { [app] in _ = app[(any Alpha).self] }
    return (entered, gate, { thread.join() })
  }

  /// Closes the set with a time limit that is over before the decorator is; then that goes on.
  private func closeWhileDecorating(isFailing: Bool, _ check: () async -> Void) async throws {
    let entered = Counter()
    let gate = AsyncGate()
    app.decorate((any Alpha).self) { [log] inner, _ async throws in
      entered.next()
      await gate.wait()
      if isFailing { throw Trouble() }
      return Part("wrapper", log, holding: inner)
    }
    let asking = Task { [app] in try await app.resolve((any Alpha).self) }
    await until { entered.value == 1 }
    let error = try await #require(throws: ServiceError.self) {
      try await app.close(within: .seconds(1), clock: HastyClock())
    }
    #expect(error.code == .closeFailed)
    await check()
    await gate.open()
    _ = await asking.result
  }
}

/// A value that notes when it is closed.
private struct Settings: ServiceClosing {
  let label: String
  let log: Log

  init(_ label: String, _ log: Log) {
    self.label = label
    self.log = log
  }

  func close() async throws { log.add("close \(label)") }
}
