import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

@MainActor private final class Screen: Alpha {
  nonisolated let label = "screen"
  init() {}
}

@Suite struct AwaitTests {
  let services = Services("app")

  func waiters(of key: ServiceKey) -> Int { services.waiters(of: key) }

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

// MARK: - Together with asking at once, with arguments, and afterwards

extension AwaitTests {
  @Test func `S12 asking at once for an asynchronous service disturbs nobody who awaits it`()
    async throws
  {
    for _ in 0..<200 {
      let services = Services("app")
      services.provide((any Alpha).self) { _ in
        await Task.yield()
        return Thing()
      }
      let thread = TestThread {
        for _ in 0..<20 { _ = try? services.require((any Alpha).self) }
      }
      for _ in 0..<3 {
        let found = try await services.resolve((any Alpha).self)
        #expect(found.label == "thing")
      }
      thread.join()
    }
  }

  @Test func `S12 asking at once for an asynchronous service builds nothing`() throws {
    services.provide((any Alpha).self) { _ in
      await Task.yield()
      return Thing()
    }
    services.provide((any Beta).self, lifetime: .transient) { _ in
      await Task.yield()
      return Thing()
    }
    for _ in 0..<2 {
      let error = try #require(throws: ServiceError.self) {
        try services.require((any Alpha).self)
      }
      #expect(error.code == .needsAwait && error.path.count == 1)
    }
    let error = try #require(throws: ServiceError.self) { try services.require((any Beta).self) }
    #expect(error.code == .needsAwait && error.path.count == 1)
    #expect(waiters(of: ServiceKey((any Alpha).self)) == 0)
  }

  @Test func `S9 asynchronous and main-actor providers are given arguments`() async throws {
    let counter = Counter()
    services.provide((any Alpha).self, argument: Int.self, lifetime: .cached) { _, number in
      await Task.yield()
      counter.next()
      return Thing("\(number)")
    }
    let seven = try await services.resolve((any Alpha).self, argument: 7)
    #expect(seven.label == "7")
    #expect(try await services.resolve((any Alpha).self, argument: 7) === seven)
    #expect(try await services.resolve((any Alpha).self, argument: 8).label == "8")
    #expect(try services.require((any Alpha).self, argument: 7) === seven)
    #expect(counter.value == 2)
    services.provideOnMainActor((any Beta).self, argument: Int.self) { _, number in
      MainActor.assertIsolated()
      return Thing("main \(number)")
    }
    #expect(try await services.resolve((any Beta).self, argument: 1).label == "main 1")
    let inline = try await MainActor.run { [services] in
      try services.requireOnMainActor((any Beta).self, argument: 2).label
    }
    #expect(inline == "main 2")
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Beta).self, argument: 3)
    }
    #expect(error.code == .needsAwait)
  }

  @Test(arguments: [ServiceLifetime.cached, .transient])
  func `S10 a task that outlives the provider which made it may ask for its service`(
    lifetime: ServiceLifetime
  ) async throws {
    let gate = AsyncGate()
    let later = Mutex<Task<String, any Error>?>(nil)
    let counter = Counter()
    services.provide((any Alpha).self, lifetime: lifetime) { services in
      if counter.next() == 1 {
        let task = Task {
          await gate.wait()
          return try await services.resolve((any Alpha).self).label
        }
        later.withLock { $0 = task }
      }
      return Thing("alpha")
    }
    #expect(try await services.resolve((any Alpha).self).label == "alpha")
    await gate.open()
    let task = try #require(later.withLock { $0 })
    #expect(try await task.value == "alpha")
  }

  @Test
  func `S10 asynchronous recursion over one argument is a cycle, over ever new ones an error`()
    async throws
  {
    services.provide(Int.self, argument: Int.self) { services, number in
      try await services.resolve(Int.self, argument: number) + 1
    }
    let cycle = try await #require(throws: ServiceError.self) {
      try await services.resolve(Int.self, argument: 1)
    }
    #expect(cycle.code == .cycle)
    services.provide(Int.self, name: "endless", argument: Int.self) { services, number in
      try await services.resolve(Int.self, name: "endless", argument: number + 1)
    }
    let endless = try await #require(throws: ServiceError.self) {
      try await services.resolve(Int.self, name: "endless", argument: 1)
    }
    #expect(endless.code == .tooDeep)
  }

  @Test func `S10 a chain of 10 000 asynchronous services is built`() async throws {
    let depth = 10_000
    for index in 0..<depth {
      services.provide(Int.self, name: ServiceName("\(index)")) { services in
        index == depth - 1
          ? 0 : try await services.resolve(Int.self, name: ServiceName("\(index + 1)")) + 1
      }
    }
    #expect(try await services.resolve(Int.self, name: "0") == depth - 1)
  }

  @Test @MainActor func `S10 a deep chain of main-actor providers is built or an error, no trap`()
    throws
  {
    let depth = 15_000
    for index in 0..<depth {
      services.provideOnMainActor(Int.self, name: ServiceName("\(index)")) { services in
        MainActor.assertIsolated()
        return index == depth - 1
          ? 0 : try services.requireOnMainActor(Int.self, name: ServiceName("\(index + 1)")) + 1
      }
    }
    do {
      #expect(try services.requireOnMainActor(Int.self, name: "0") == depth - 1)
    } catch let error as ServiceError {
      // Where the main thread's stack is a small one.
      #expect(error.code == .noStack)
      #expect(error.message.contains("main thread"))
    }
  }
}
