import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

/// A service that can be started and has nothing to give back.
private final class Starter: Alpha, Beta, ServiceStarting {
  let label: String
  private let onStart: @Sendable () async throws -> Void

  init(_ label: String, _ onStart: @escaping @Sendable () async throws -> Void) {
    self.label = label
    self.onStart = onStart
  }

  func start() async throws { try await onStart() }
}

/// A service that is no object.
private struct Settings: ServiceStarting, ServiceClosing {
  let log: Log
  func start() async throws { log.add("start") }
  func close() async throws { log.add("close") }
}

@Suite struct StartTests {
  let app = Services("app")
  let log = Log()

  @Test func `S14 two starts at once start each object once, and both wait for that`() async throws
  {
    let gate = AsyncGate()
    app.provide((any Alpha).self) { [log] _ in
      Starter("alpha") {
        log.add("begin")
        await gate.wait()
        log.add("end")
      }
    }
    let first = Task { [app, log] in
      try await app.start()
      log.add("started")
    }
    await until { log.lines == ["begin"] }
    let second = Task { [app, log] in
      try await app.start()
      log.add("started")
    }
    let starting = try #require(app.state.withLock { $0.starting })
    await until { WaitGraph.waiters(of: starting) == 1 }
    await gate.open()
    try await first.value
    try await second.value
    #expect(log.lines == ["begin", "end", "started", "started"])
  }

  @Test func `S14 who joins a start that fails gets the same error`() async throws {
    let gate = AsyncGate()
    let counter = Counter()
    app.provide((any Alpha).self) { _ in
      Starter("alpha") {
        counter.next()
        await gate.wait()
        throw Trouble()
      }
    }
    let first = Task { [app] in try await app.start() }
    await until { counter.value == 1 }
    let second = Task { [app] in try await app.start() }
    let starting = try #require(app.state.withLock { $0.starting })
    await until { WaitGraph.waiters(of: starting) == 1 }
    await gate.open()
    for task in [first, second] {
      let error = try await #require(throws: ServiceError.self) { try await task.value }
      #expect(error.code == .startFailed)
    }
    #expect(counter.value == 1)
  }

  @Test func `S14 who joins a start that is cancelled starts the set itself`() async throws {
    let counter = Counter()
    let gate = AsyncGate()
    app.provide((any Alpha).self) { _ in
      Starter("alpha") {
        if counter.next() > 1 { return }
        await gate.wait()
        try Task.checkCancellation()
      }
    }
    let first = Task { [app] in try await app.start() }
    await until { counter.value == 1 }
    let second = Task { [app] in try await app.start() }
    let starting = try #require(app.state.withLock { $0.starting })
    await until { WaitGraph.waiters(of: starting) == 1 }
    first.cancel()
    await gate.open()
    await #expect(throws: ServiceError.self) { try await first.value }
    try await second.value
    #expect(counter.value == 2)
  }

  @Test func `S14 a start goes no further when the set is closed, and closing waits for it`()
    async throws
  {
    let gate = AsyncGate()
    app.provide((any Beta).self) { [log] _ in
      Starter("beta") {
        log.add("begin beta")
        await gate.wait()
        log.add("end beta")
      }
    }
    app.provide((any Alpha).self) { [log] services in
      Part("alpha", log, holding: try services.require((any Beta).self))
    }
    let starting = Task { [app] in try await app.start() }
    await until { log.lines == ["begin beta"] }
    let closing = Task { [app] in try await app.close() }
    await until { app.isClosed }
    await gate.open()
    let error = try await #require(throws: ServiceError.self) { try await starting.value }
    #expect(error.code == .closed)
    try await closing.value
    #expect(log.lines == ["begin beta", "end beta", "close alpha"])
    let later = try await #require(throws: ServiceError.self) { try await app.start() }
    #expect(later.code == .closed)
    #expect(log.lines.count == 3)
  }

  @Test func `S14 what takes the place of a started object is started, wherever it comes to lie`()
    async throws
  {
    let counter = Counter()
    for _ in 0..<200 {
      // The last one is dead, and this one may get its memory.
      app.override((any Alpha).self) { _ in Starter("alpha") { counter.next() } }
      try await app.start()
    }
    #expect(counter.value == 200)
  }

  @Test func `S14 a value is started once and closed once, however often the set is started`()
    async throws
  {
    app.provide(Settings.self) { [log] _ in Settings(log: log) }
    try await app.start()
    try await app.start()
    try await app.close()
    #expect(log.lines == ["start", "close"])
  }

  @Test func `S14 an object under several types is started once, also when it is found anew`()
    async throws
  {
    let counter = Counter()
    let object = Starter("one") { counter.next() }
    app.provide((any Alpha).self) { _ in object }
    try await app.start()
    app.provide((any Beta).self) { _ in object }
    try await app.start()
    #expect(counter.value == 1)
  }

  @Test func `S14 a service that starts its own set while that starts hears so`() async throws {
    app.provide((any Alpha).self) { services in
      Starter("alpha") { [weak services] in try await services?.start() }
    }
    let error = try await #require(throws: ServiceError.self) { try await app.start() }
    #expect(error.code == .startFailed)
    #expect((error.cause as? ServiceError)?.code == .cycle)
  }

  @Test func `S14 a service that closes its set while that starts does not hang`() async throws {
    app.provide((any Alpha).self) { [log] services in
      Starter("alpha") { [weak services] in
        try await services?.close()
        log.add("closed")
      }
    }
    app.provide((any Beta).self) { [log] _ in Part("beta", log) }
    let error = try await #require(throws: ServiceError.self) { try await app.start() }
    #expect(error.code == .closed)
    try await app.close()
    #expect(log.lines.filter { $0 == "close beta" }.count == 1)
    #expect(!log.lines.contains("start beta"))
  }
}
