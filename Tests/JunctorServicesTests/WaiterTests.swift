import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct WaiterTests {
  let services = Services("app")
  let alpha = ServiceKey((any Alpha).self)

  @Test func `S12 a newcomer is not given the nothing of a provider that was told to stop`()
    async throws
  {
    let runs = Counter()
    let gate = AsyncGate()
    services.provide((any Alpha).self) { _ async throws in
      let run = runs.next()
      if run > 1 { return Thing("\(run)") }
      await gate.wait()
      return nil
    }
    let first = Task { try await services.resolve((any Alpha).self).label }
    await until { services.waiters(of: alpha) == 1 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let second = Task { try await services.resolve((any Alpha).self).label }
    await until { services.waiters(of: alpha) == 1 }
    await gate.open()
    #expect(try await second.value == "2")
  }

  @Test(arguments: [true, false])
  func `S12 who waits is not told that the one who ran the provider was cancelled`(
    _ throwing: Bool
  ) async throws {
    let runs = Counter()
    let thread = Mutex<TestThread?>(nil)
    let label = Mutex<String>("")
    services.provide((any Alpha).self) { services in
      let run = runs.next()
      if run > 1 { return Thing("\(run)") }
      thread.withLock {
        $0 = TestThread {
          let text: String
          do { text = try services.require((any Alpha).self).label } catch { text = "\(error)" }
          label.withLock { $0 = text }
        }
      }
      while services.waiters(of: ServiceKey((any Alpha).self)) == 0 { sched_yield() }
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      if throwing { try Task.checkCancellation() }
      return nil
    }
    let runner = Task { try services.require((any Alpha).self) }
    let error = await #expect(throws: (any Error).self) { try await runner.value }
    #expect(throwing == (error is CancellationError))
    thread.withLock { $0 }?.join()
    #expect(label.withLock { $0 } == "2")
  }

  @Test func `S13 a decorator that fails runs once for all who wait for it`() throws {
    services.set((any Alpha).self, to: Thing())
    let child = Services("child", alternate: services)
    let runs = Counter()
    child.decorate((any Alpha).self) { [alpha] (inner: any Alpha, set: Services) -> any Alpha in
      if runs.next() == 1 {
        while set.waiters(of: alpha) < 3 { sched_yield() }
        throw Trouble()
      }
      return inner
    }
    let failures = Counter()
    onThreads(4) { _ in
      do { _ = try child.require((any Alpha).self) } catch { failures.next() }
    }
    #expect(runs.value == 1 && failures.value == 4)
    // The next one tries again.
    #expect(try child.require((any Alpha).self).label == "thing")
  }

  @Test func `S13 an asynchronous decorator that fails runs once for all who wait for it`()
    async throws
  {
    services.set((any Alpha).self, to: Thing())
    let child = Services("child", alternate: services)
    let runs = Counter()
    let gate = AsyncGate()
    child.decorate((any Alpha).self) { (inner: any Alpha, _: Services) async throws -> any Alpha in
      if runs.next() > 1 { return inner }
      await gate.wait()
      throw Trouble()
    }
    let tasks = (0..<4).map { _ in Task { try await child.resolve((any Alpha).self) } }
    await until { child.waiters(of: alpha) == 4 }
    await gate.open()
    for task in tasks {
      await #expect(throws: ServiceError.self) { try await task.value }
    }
    #expect(runs.value == 1)
  }

  // MARK: On the main actor

  @Test @MainActor
  func `S12 on the main actor a service that somebody awaits is built at once, and once`()
    async throws
  {
    let runs = Counter()
    services.provideOnMainActor((any Alpha).self) { _ in Thing("\(runs.next())") }
    let services = services
    let started = Gate()
    let other = Task.detached {
      started.open()
      return try await services.resolve((any Alpha).self).label
    }
    started.wait()
    // This thread is not left meanwhile, so that the provider cannot have run.
    while services.waiters(of: alpha) == 0 { sched_yield() }
    #expect(try services.requireOnMainActor((any Alpha).self).label == "1")
    #expect(try await other.value == "1")
    #expect(runs.value == 1)
  }

  @Test @MainActor
  func `S10 a cycle through a main-actor provider that somebody awaits is an error`() async throws {
    let beta = ServiceKey((any Beta).self)
    services.provideOnMainActor((any Alpha).self) { services in
      Thing(holding: try services.requireOnMainActor((any Beta).self))
    }
    services.provideOnMainActor((any Beta).self) { services in
      Thing(holding: try services.requireOnMainActor((any Alpha).self))
    }
    let services = services
    let started = Gate()
    let others = [
      Task.detached { () -> any Error in
        started.open()
        do { _ = try await services.resolve((any Beta).self) } catch { return error }
        return Trouble()
      }
    ]
    started.wait()
    while services.waiters(of: beta) == 0 { sched_yield() }
    let error = try #require(throws: ServiceError.self) {
      try services.requireOnMainActor((any Alpha).self)
    }
    #expect(error.code == .cycle && error.path.map(\.key) == [alpha, beta, alpha])
    for other in others { #expect((await other.value as? ServiceError)?.code == .cycle) }
    // Awaited from the first on.
    await #expect(throws: ServiceError.self) { try await services.resolve((any Alpha).self) }
  }
}
