import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

/// A clock whose time only passes when told to.
private final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  let sleeping = Counter()
  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Duration { .zero }
  private let gate = AsyncGate()

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    sleeping.next()
    await gate.wait()
    try Task.checkCancellation()
  }

  func pass() async { await gate.open() }
}

@Suite struct LifecycleTests {
  let app = Services("app")
  let log = Log()

  func provideAll(betaFails: Bool = false) {
    app.provide((any Alpha).self) { [log] services in
      Part("alpha", log, holding: try services.require((any Beta).self))
    }
    app.provide((any Beta).self) { [log] services in
      Part(
        "beta", log, holding: try services.require((any Gamma).self), startFails: betaFails)
    }
    app.provide((any Gamma).self) { [log] _ in Part("gamma", log) }
  }

  @Test func `S14 start goes in dependency order, close the other way round`() async throws {
    provideAll()
    try await app.start()
    #expect(log.lines == ["start gamma", "start beta", "start alpha"])
    try await app.close()
    #expect(log.lines.suffix(3) == ["close alpha", "close beta", "close gamma"])
  }

  @Test func `S14 a start that fails closes what had been started`() async throws {
    provideAll(betaFails: true)
    let error = try await #require(throws: ServiceError.self) { try await app.start() }
    #expect(error.code == .startFailed)
    #expect(error.cause as? Trouble == Trouble())
    #expect(log.lines == ["start gamma", "close gamma"])
    try await app.close()
    #expect(log.lines == ["start gamma", "close gamma", "close alpha", "close beta"])
  }

  @Test func `S14 starting twice starts each object once`() async throws {
    provideAll()
    try await app.start()
    try await app.start()
    #expect(log.lines.count == 3)
  }

  @Test func `S14 each object is closed once, even under several types`() async throws {
    app.provide(Part.self) { [log] _ in Part("part", log) }
    app.alias((any Alpha).self, to: Part.self) { $0 }
    app.provide((any Gamma).self) { [log] services in
      Part("user", log, holding: try services.require((any Alpha).self))
    }
    app.provide((any Beta).self) { services in try services.require(Part.self) }
    _ = try app.require((any Gamma).self)
    _ = try app.require((any Beta).self)
    try await app.close()
    #expect(log.lines == ["close user", "close part"])
  }

  @Test func `S14 what was given in by set is not closed unless owned or told how`() async throws {
    app.set((any Alpha).self, to: Part("guest", log))
    app.set((any Beta).self, to: Part("owned", log), owned: true)
    app.set((any Gamma).self, to: Part("told", log))
    app.onClose((any Gamma).self) { [log] in log.add("told to close \($0.label)") }
    try await app.close()
    #expect(log.lines == ["told to close told", "close owned"])
  }

  @Test func `S14 what was never built is not closed, and everything is let go`() async throws {
    let dead = Counter()
    provideAll()
    app.provide(Thing.self) { _ in Thing { dead.next() } }
    _ = app[Thing.self]
    try await app.close()
    #expect(log.lines.isEmpty)
    #expect(dead.value == 1)
  }

  @Test func `S14 errors are collected, and the others are closed all the same`() async throws {
    app.provide((any Alpha).self) { [log] _ in Part("alpha", log, closeFails: true) }
    app.provide((any Beta).self) { [log] _ in Part("beta", log, closeFails: true) }
    app.provide((any Gamma).self) { [log] _ in Part("gamma", log) }
    try await app.start()
    let error = try await #require(throws: ServiceError.self) { try await app.close() }
    #expect(error.code == .closeFailed)
    #expect(error.causes.count == 2)
    #expect(log.lines.suffix(3) == ["close gamma", "close beta", "close alpha"])
  }

  @Test func `S14 closing twice closes once`() async throws {
    provideAll()
    try await app.start()
    async let first: Void = app.close()
    async let second: Void = app.close()
    _ = try await (first, second)
    try await app.close()
    #expect(log.lines.count == 6)
  }

  @Test func `S14 using a closed set is a clear error, from the sets in front too`() async throws {
    provideAll()
    let child = Services("child", alternate: app)
    try await app.start()
    try await app.close()
    for set in [app, child] {
      let error = try #require(throws: ServiceError.self) { try set.require((any Alpha).self) }
      #expect(error.code == .closed)
      #expect(error.message.contains("'app' is closed"))
    }
    let diagnostics = Diagnostics()
    diagnostics.collect {
      #expect(app[(any Alpha).self] == nil)
      app.set((any Alpha).self, to: Thing())
    }
    #expect(diagnostics.codes == ["services.closed", "services.closed"])
    await #expect(throws: ServiceError.self) { try await app.resolve((any Beta).self) }
  }

  @Test func `S14 an object that takes too long is left behind when its time is over`() async throws
  {
    let clock = ManualClock()
    let gate = AsyncGate()
    app.set((any Alpha).self, to: Part("quick", log))
    app.onClose((any Alpha).self) { [log] _ in log.add("quick") }
    app.set((any Beta).self, to: Part("slow", log))
    app.onClose((any Beta).self) { _ in await gate.wait() }
    let closing = Task { try await app.close(within: .seconds(5), clock: clock) }
    while clock.sleeping.value < 1 { await Task.yield() }
    await clock.pass()
    let error = try await #require(throws: ServiceError.self) { try await closing.value }
    #expect(error.causes.contains { ($0 as? ServiceError)?.code == .timedOut })
    await gate.open()
  }

  @Test func `S14 a set takes a time limit of any length`() async throws {
    app.set((any Alpha).self, to: Part("last", log))
    // Long enough for the limit's own task to have begun to wait.
    app.onClose((any Alpha).self) { [log] _ in
      try await Task.sleep(for: .milliseconds(20))
      log.add("last")
    }
    try await app.close(within: .seconds(Int64.max))
    #expect(log.lines == ["last"])
  }

  @Test func `S14 closing while a provider runs: its object is torn down, the asker gets closed`()
    async throws
  {
    let entered = Gate()
    let gate = Gate()
    app.provide((any Alpha).self) { [log] _ in
      entered.open()
      gate.wait()
      return Part("late", log)
    }
    let result = Mutex<Result<any Alpha, any Error>?>(nil)
    let thread = TestThread { [app] in
      let found = Result { try app.require((any Alpha).self) }
      result.withLock { $0 = found }
    }
    entered.wait()
    let closing = Task { [app] in try await app.close() }
    while !app.isClosed { await Task.yield() }
    gate.open()
    try await closing.value
    thread.join()
    #expect(log.lines == ["close late"])
    #expect(throws: ServiceError.self) { try result.withLock { $0 }?.get() }
  }

  @Test
  func `S14 nobody who has seen the set closed lets an object out of it, however large it is`()
    async throws
  {
    for round in 0..<20 {
      let app = Services("app")
      // Closing comes to the service that is being built last, and takes its time until then.
      for index in 0..<1_000 { app.set(Int.self, name: ServiceName("\(index)"), to: index) }
      let entered = Gate()
      let gate = Gate()
      let log = Log()
      app.provide((any Alpha).self) { _ in
        entered.open()
        gate.wait()
        return Part("late", log)
      }
      let codes = Mutex<[ServiceError.Code?]>([])
      let threads = (0..<2).map { _ in
        TestThread {
          do {
            _ = try app.require((any Alpha).self)
            codes.withLock { $0.append(nil) }
          } catch {
            codes.withLock { $0.append((error as? ServiceError)?.code) }
          }
        }
      }
      entered.wait()
      let closing = Task { try await app.close() }
      while !app.isClosed { await Task.yield() }
      gate.open()
      try await closing.value
      for thread in threads { thread.join() }
      #expect(codes.withLock { $0 } == [.closed, .closed], "round \(round)")
      #expect(log.lines == ["close late"], "round \(round)")
    }
  }

  @Test func `S14 a provider that closes its own set does not hang`() async throws {
    app.provide((any Alpha).self) { [log] services in
      try await services.close()
      return Part("late", log)
    }
    let error = try await #require(throws: ServiceError.self) {
      try await app.resolve((any Alpha).self)
    }
    #expect(error.code == .closed)
    while log.lines.isEmpty { await Task.yield() }
    #expect(log.lines == ["close late"])
  }

  @Test func `S14 a wrapper is closed before what it wraps`() async throws {
    app.provide((any Alpha).self) { [log] _ in Part("inner", log) }
    app.decorate((any Alpha).self) { [log] inner, _ in Part("outer", log, holding: inner) }
    _ = app[(any Alpha).self]
    let child = Services("child", alternate: app)
    child.decorate((any Alpha).self) { [log] inner, _ in Part("child's", log, holding: inner) }
    _ = child[(any Alpha).self]
    try await child.close()
    #expect(log.lines == ["close child's"])
    try await app.close()
    #expect(log.lines == ["close child's", "close outer", "close inner"])
  }

  @Test func `S14 an object of another service that a provider gives back is closed with that one`()
    async throws
  {
    let log = Log()
    let app = Services("app")
    app.provide((any Alpha).self) { _ in Part("app's", log) }
    app.set((any Gamma).self, to: Part("given in", log))
    let child = Services("child", alternate: app)
    child.provide((any Beta).self) { services in
      try services.require((any Alpha).self) as? any Beta
    }
    child.provide((any Beta).self, name: "given in") { services in
      try services.require((any Gamma).self) as? any Beta
    }
    child.contribute((any Beta).self) { services in
      try services.require((any Alpha).self) as? any Beta
    }
    app.provide(Part.self) { services in try services.require((any Gamma).self) as? Part }
    _ = try child.require((any Beta).self)
    _ = try child.require((any Beta).self, name: "given in")
    #expect(try child.all((any Beta).self).count == 1)
    _ = try app.require(Part.self)
    try await child.start()
    try await child.close()
    #expect(log.lines.isEmpty)
    try await app.close()
    #expect(log.lines == ["close app's"])
  }

  @Test func `S14 an object from a set that is not behind the provider's is closed with its own`()
    async throws
  {
    let log = Log()
    let app = Services("app")
    app.provide((any Alpha).self) { services in
      let workshop = Services("workshop", alternate: services)
      workshop.provide((any Beta).self) { _ in Part("part", log) }
      return try workshop.require((any Beta).self) as? any Alpha
    }
    _ = try app.require((any Alpha).self)
    try await app.close()
    #expect(log.lines == ["close part"])
  }

  @Test
  func `S14 what was made for an argument and replaced is closed, though its successor has gone`()
    async throws
  {
    let log = Log()
    let app = Services("app")
    app.provide((any Alpha).self, argument: Int.self, lifetime: .cached) { _, number in
      Part("\(number)", log)
    }
    _ = try app.require((any Alpha).self, argument: 0)
    app.override((any Alpha).self, argument: Int.self, lifetime: .weak) { _, _ in Thing() }
    // The places of weak ones that have died are cleared away now and then.
    for number in 0..<200 { _ = try app.require((any Alpha).self, argument: number) }
    try await app.close()
    #expect(log.lines == ["close 0"])
  }
}
