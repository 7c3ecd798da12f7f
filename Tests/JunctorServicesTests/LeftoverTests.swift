import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

/// A container of another make that starts a task when it is asked first, and gives a thing.
private final class Forking: ServicesProvider {
  let thing = Thing("foreign")
  private let isFirst = Atomic<Bool>(true)
  private let work: @Sendable () async -> Void

  init(_ work: @escaping @Sendable () async -> Void) { self.work = work }

  func service<P: Sendable>(_ type: P.Type, name: ServiceName?) throws -> P? {
    if isFirst.exchange(false, ordering: .relaxed) { Task { [work] in await work() } }
    return thing as? P
  }
}

/// Yields until something is so, for twenty seconds at most.
private func comes(_ condition: () -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(20)
  while !condition(), ContinuousClock.now < end { await Task.yield() }
  return condition()
}

@Suite struct LeftoverTests {
  let services = Services("app")

  // MARK: Tasks that outlive what made them

  @Test(arguments: [ServiceLifetime.cached, .weak, .transient])
  func `S8 a task that an asynchronous provider leaves behind holds neither object nor set`(
    _ lifetime: ServiceLifetime
  ) async throws {
    let gate = AsyncGate()
    weak var object: Thing?
    weak var set: Services?
    do {
      let services = Services("short-lived")
      services.provide((any Alpha).self, lifetime: lifetime) { _ async throws in
        Task { await gate.wait() }
        return Thing()
      }
      let alpha = try await services.resolve((any Alpha).self)
      object = alpha as? Thing
      set = services
      #expect(object != nil)
    }
    #expect(await comes { object == nil && set == nil })
    await gate.open()
  }

  @Test func `S8 a task that a foreign container leaves behind does not hold the set`() async {
    let gate = AsyncGate()
    let foreign = Forking { await gate.wait() }
    weak var set: Services?
    do {
      let child = Services("child", alternate: foreign)
      set = child
      #expect(child[(any Alpha).self] === foreign.thing)
    }
    #expect(set == nil)
    await gate.open()
  }

  @Test func `S6 a task that a foreign container leaves behind may ask the same set`() async {
    let gate = AsyncGate()
    let answer = Mutex<(any Alpha)??>(nil)
    let foreign = Forking { [services] in
      await gate.wait()
      let found = services[(any Alpha).self]
      answer.withLock { $0 = .some(found) }
    }
    services.alternateServices = foreign
    let diagnostics = Diagnostics()
    _ = diagnostics.collect { services[(any Alpha).self] }
    await gate.open()
    #expect(await comes { answer.withLock { $0 != nil } })
    #expect(answer.withLock { $0 }?.map { $0 === foreign.thing } == true)
    #expect(diagnostics.codes.isEmpty)
    services.alternateServices = nil
  }

  // MARK: What was made for arguments and scopes

  private func provideForNumbers(_ label: String = "", _ lifetime: ServiceLifetime = .cached) {
    services.override((any Alpha).self, argument: Int.self, lifetime: lifetime) { _, number in
      Thing("\(label)\(number)")
    }
  }

  @Test func `S1 what was made for arguments goes when it is registered anew or removed`() throws {
    provideForNumbers()
    weak let first = try services.require((any Alpha).self, argument: 1)
    #expect(first != nil)
    provideForNumbers("new ")
    #expect(first == nil)
    weak let second = try services.require((any Alpha).self, argument: 1)
    #expect(second?.label == "new 1")
    services.remove((any Alpha).self, argument: Int.self)
    #expect(second == nil)
    #expect(throws: ServiceError.self) { try services.require((any Alpha).self, argument: 1) }
  }

  @Test func `S1 what was made for a scope goes from the set that loses its registration`() throws {
    let scoped = Services("scoped", scope: "request")
    scoped.provide((any Alpha).self, lifetime: .scoped("request")) { _ in Thing() }
    weak let object = try scoped.require((any Alpha).self)
    #expect(object != nil)
    scoped.remove((any Alpha).self)
    #expect(object == nil && scoped[(any Alpha).self] == nil)
    scoped.provide((any Alpha).self, lifetime: .scoped("request")) { _ in Thing("again") }
    #expect(try scoped.require((any Alpha).self).label == "again")
  }

  @Test func `S14 what was made for an argument and removed is closed with its set`() async throws {
    final class Closing: Alpha, ServiceClosing {
      let label = "closing"
      let closed: Counter
      init(_ closed: Counter) { self.closed = closed }
      func close() async throws { closed.next() }
    }
    let closed = Counter()
    services.provide((any Alpha).self, argument: Int.self, lifetime: .cached) { _, _ in
      Closing(closed)
    }
    _ = try services.require((any Alpha).self, argument: 1)
    services.remove((any Alpha).self, argument: Int.self)
    #expect(closed.value == 0)
    try await services.close()
    #expect(closed.value == 1)
  }

  @Test func `S1 whoever asks while it is registered anew is given one or the other`() throws {
    let alive = Atomic<Int>(0)
    let log = Log()
    @Sendable func register(_ services: Services) {
      services.override((any Alpha).self, argument: Int.self, lifetime: .cached) { _, _ in
        alive.wrappingAdd(1, ordering: .relaxed)
        return Thing { alive.wrappingSubtract(1, ordering: .relaxed) }
      }
    }
    register(services)
    onThreads(4) { [services] thread in
      for round in 0..<2_000 {
        if thread == 0 {
          register(services)
        } else {
          do { _ = try services.require((any Alpha).self, argument: round % 3) } catch {
            log.add("\(error)")
          }
        }
      }
    }
    #expect(log.lines.isEmpty)
    #expect(alive.load(ordering: .relaxed) <= 3)
    services.remove((any Alpha).self, argument: Int.self)
    #expect(alive.load(ordering: .relaxed) == 0)
  }

  @Test(arguments: [ServiceLifetime.cached, .weak])
  func `S9 arguments for which nothing could be made leave nothing`(
    _ lifetime: ServiceLifetime
  ) throws {
    services.provide((any Alpha).self, argument: Int.self, lifetime: lifetime) { _, number in
      if number.isMultiple(of: 2) { throw Trouble() }
      return nil
    }
    for number in 0..<2_000 { _ = try? services.require((any Alpha).self, argument: number) }
    #expect(services.state.withLock { $0.derived.count } < 200)
  }
}
