import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

/// Suspends tasks until it is opened.
actor AsyncGate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Opens the gate, for good.
  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// Suspends until the gate is open.
  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}

@MainActor private final class Screen: Alpha {
  nonisolated let label = "screen"
  init() {}
}

@Suite struct AwaitTests {
  let services = Services("app")

  /// Yields until something is so.
  func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
  }

  func waiters(of key: ServiceKey) -> Int {
    guard let slot = services.slot(key),
      case .building(let build) = slot.state.withLock({ $0.phase })
    else { return 0 }
    return WaitGraph.waiters(of: build)
  }

  @Test func `S12 an asynchronous provider runs once for all who ask`() async throws {
    let counter = Counter()
    let gate = AsyncGate()
    services.provide((any Alpha).self) { _ in
      await gate.wait()
      return Thing("\(counter.next())")
    }
    let labels = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 {
        group.addTask { try await services.resolve((any Alpha).self).label }
      }
      await until { waiters(of: ServiceKey((any Alpha).self)) == 20 }
      await gate.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(labels == Array(repeating: "1", count: 20))
    #expect(services[(any Alpha).self]?.label == "1")
  }

  @Test func `S12 an asynchronous provider asked without await says what to do`() throws {
    services.provide((any Alpha).self) { _ in
      await Task.yield()
      return Thing()
    }
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Alpha).self)
    }
    #expect(error.code == .needsAwait)
    #expect(error.message.contains("resolve"))
  }

  @Test func `S12 a cancelled waiter leaves the others waiting`() async throws {
    let gate = AsyncGate()
    services.provide((any Alpha).self) { _ in
      await gate.wait()
      try Task.checkCancellation()
      return Thing("built")
    }
    let first = Task { try await services.resolve((any Alpha).self).label }
    await until { waiters(of: ServiceKey((any Alpha).self)) == 1 }
    let second = Task { try await services.resolve((any Alpha).self).label }
    await until { waiters(of: ServiceKey((any Alpha).self)) == 2 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await gate.open()
    #expect(try await second.value == "built")
  }

  @Test func `S12 the last one leaving cancels the provider, and a newcomer starts it anew`()
    async throws
  {
    let gate = AsyncGate()
    let counter = Counter()
    services.provide((any Alpha).self) { _ in
      let number = counter.next()
      await gate.wait()
      try Task.checkCancellation()
      return Thing("\(number)")
    }
    let first = Task { try await services.resolve((any Alpha).self).label }
    await until { waiters(of: ServiceKey((any Alpha).self)) == 1 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let second = Task { try await services.resolve((any Alpha).self).label }
    await until { waiters(of: ServiceKey((any Alpha).self)) == 1 }
    await gate.open()
    #expect(try await second.value == "2")
  }

  @Test func `S12 a main-actor provider runs on the main actor`() async throws {
    services.provideOnMainActor((any Alpha).self) { _ in
      MainActor.assertIsolated()
      return Screen()
    }
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Alpha).self)
    }
    #expect(error.code == .needsAwait)
    let screen = try await services.resolve((any Alpha).self)
    #expect(screen.label == "screen")
    #expect(services[(any Alpha).self] === screen)
  }

  @Test @MainActor func `S12 on the main actor a main-actor provider needs no await`() throws {
    services.provideOnMainActor((any Alpha).self) { _ in Screen() }
    let screen = try services.requireOnMainActor((any Alpha).self)
    #expect(try services.require((any Alpha).self) === screen)
  }

  @Test func `S12 synchronous and asynchronous providers mix`() async throws {
    services.provide((any Alpha).self) { services in
      Thing(try await services.resolve((any Beta).self).label + " in alpha")
    }
    services.provide((any Beta).self) { _ in Thing("beta") }
    let child = Services("child", alternate: services)
    #expect(try await child.resolve((any Alpha).self).label == "beta in alpha")
    await #expect(throws: ServiceError.self) { try await child.resolve((any Gamma).self) }
  }

  @Test func `S10 a cycle across tasks is one error, and nobody hangs`() async throws {
    for _ in 0..<500 {
      let services = Services("app")
      let errors = Counter()
      services.provide((any Alpha).self) { services in
        do { return Thing(holding: try await services.resolve((any Beta).self)) } catch {
          errors.next()
          return Thing()
        }
      }
      services.provide((any Beta).self) { services in
        do { return Thing(holding: try await services.resolve((any Alpha).self)) } catch {
          errors.next()
          return Thing()
        }
      }
      async let alpha = services.resolve((any Alpha).self)
      async let beta = services.resolve((any Beta).self)
      _ = try await (alpha, beta)
      if errors.value != 1 { Issue.record("\(errors.value) errors") }
    }
  }

  @Test func `S10 a cycle within one task has the whole path`() async throws {
    services.provide((any Alpha).self, line: 1) { services in
      Thing(holding: try await services.resolve((any Beta).self))
    }
    services.provide((any Beta).self, line: 2) { services in
      Thing(holding: try await services.resolve((any Alpha).self))
    }
    let error = try await #require(throws: ServiceError.self) {
      try await services.resolve((any Alpha).self)
    }
    #expect(error.code == .cycle)
    #expect(error.path.map(\.site.line) == [1, 2, 1])
  }

  @Test func `S10 two tasks asking in parallel inside one provider are no cycle`() async throws {
    services.provide((any Alpha).self) { services in
      async let beta = services.resolve((any Beta).self)
      async let gamma = services.resolve((any Gamma).self)
      return Thing(try await beta.label + gamma.label)
    }
    services.provide((any Beta).self) { services in
      Thing("b" + (try await services.resolve((any Gamma).self).label))
    }
    services.provide((any Gamma).self) { _ in
      await Task.yield()
      return Thing("g")
    }
    #expect(try await services.resolve((any Alpha).self).label == "bgg")
  }
}

extension AwaitTests {
  @Test @MainActor func `S10 main-actor providers that need each other are a cycle`() throws {
    services.provideOnMainActor((any Alpha).self, line: 1) { services in
      Thing(holding: try services.requireOnMainActor((any Beta).self))
    }
    services.provideOnMainActor((any Beta).self, line: 2) { services in
      Thing(holding: try services.requireOnMainActor((any Alpha).self))
    }
    let error = try #require(throws: ServiceError.self) {
      try services.requireOnMainActor((any Alpha).self)
    }
    #expect(error.code == .cycle)
    #expect(error.path.map(\.site.line) == [1, 2, 1])
  }
}
