import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

@Suite struct CloseTests {
  let app = Services("app")
  let log = Log()

  @Test func `S14 an object that closes its own set while it is torn down does not hang`()
    async throws
  {
    app.provide((any Alpha).self) { [log] _ in Part("alpha", log) }
    app.onClose((any Alpha).self) { [log, weak app] _ in
      try await app?.close()
      log.add("closed by alpha")
    }
    _ = app[(any Alpha).self]
    try await app.close()
    #expect(log.lines == ["closed by alpha"])
  }

  @Test func `S14 with a time limit as well`() async throws {
    app.provide((any Alpha).self) { [log] _ in Part("alpha", log) }
    app.onClose((any Alpha).self) { [log, weak app] _ in
      try await app?.close()
      log.add("closed by alpha")
    }
    _ = app[(any Alpha).self]
    try await app.close(within: .seconds(3_600))
    #expect(log.lines == ["closed by alpha"])
  }

  @Test func `S14 sets whose objects close each other's set are closed both`() async throws {
    let other = Services("other")
    let entered = Counter()
    func closing(_ set: Services) -> @Sendable (any Alpha) async throws -> Void {
      { [log, weak set] alpha in
        entered.next()
        // Both are being closed before either asks for the other.
        while entered.value < 2 { await Task.yield() }
        try await set?.close()
        log.add(alpha.label)
      }
    }
    app.set((any Alpha).self, to: Thing("app's"))
    app.onClose((any Alpha).self, closing(other))
    other.set((any Alpha).self, to: Thing("other's"))
    other.onClose((any Alpha).self, closing(app))
    async let first: Void = app.close()
    async let second: Void = other.close()
    _ = try await (first, second)
    #expect(log.lines.sorted() == ["app's", "other's"])
  }

  @Test func `S14 a provider that closes its set while others do does not hang`() async throws {
    let gate = AsyncGate()
    let entered = Counter()
    app.provide((any Alpha).self) { [log] services in
      entered.next()
      await gate.wait()
      try await services.close()
      return Part("late", log)
    }
    let asking = Task { [app] in try await app.resolve((any Alpha).self) }
    await until { entered.value == 1 }
    let closing = Task { [app] in try await app.close() }
    await until { app.isClosed }
    await gate.open()
    let error = try await #require(throws: ServiceError.self) { try await asking.value }
    #expect(error.code == .closed)
    try await closing.value
    await until { !log.lines.isEmpty }
    #expect(log.lines == ["close late"])
  }

  @Test func `S14 what was built while its key was registered anew is torn down`() async throws {
    app.provide((any Alpha).self) { [log] services in
      services.override((any Alpha).self) { [log] _ in Part("new", log) }
      return Part("old", log)
    }
    let old = try app.require((any Alpha).self)
    #expect(old.label == "old")
    #expect(app[(any Alpha).self]?.label == "new")
    try await app.close()
    #expect(log.lines == ["close new", "close old"])
  }

  @Test func `S14 closing waits for a provider whose key was registered anew`() async throws {
    let entered = Gate()
    let gate = Gate()
    app.provide((any Alpha).self) { [log] _ in
      entered.open()
      gate.wait()
      return Part("old", log)
    }
    let code = Mutex<ServiceError.Code?>(nil)
    let thread = TestThread { [app] in
      do { _ = try app.require((any Alpha).self) } catch {
        code.withLock { $0 = (error as? ServiceError)?.code }
      }
    }
    entered.wait()
    app.override((any Alpha).self) { [log] _ in Part("new", log) }
    #expect(app[(any Alpha).self]?.label == "new")
    let closing = Task { [app] in try await app.close() }
    await until { app.isClosed }
    gate.open()
    try await closing.value
    thread.join()
    #expect(code.withLock { $0 } == .closed)
    #expect(log.lines == ["close old", "close new"])
  }

  @Test func `S14 what was replaced and needs closing is closed with its set`() async throws {
    let dead = Counter()
    app.provide((any Alpha).self) { [log] _ in Part("old", log) }
    app.provide((any Beta).self) { _ in Thing { dead.next() } }
    _ = app[(any Alpha).self]
    _ = app[(any Beta).self]
    app.override((any Alpha).self) { [log] _ in Part("new", log) }
    app.remove((any Beta).self)
    // What has nothing to give back is let go at once.
    #expect(dead.value == 1)
    _ = app[(any Alpha).self]
    try await app.close()
    #expect(log.lines == ["close new", "close old"])
  }

  @Test func `S14 every wrapper is closed, outermost first, and dependents of the inner before it`()
    async throws
  {
    app.provide((any Alpha).self) { [log] _ in Part("inner", log) }
    let inner = try app.require((any Alpha).self)
    app.provide((any Beta).self) { [log] services in
      Part("user", log, holding: try services.require((any Alpha).self))
    }
    let user = try app.require((any Beta).self)
    for name in ["one", "two", "three"] {
      app.decorate((any Alpha).self) { [log] inner, _ in Part(name, log, holding: inner) }
    }
    #expect(app[(any Alpha).self]?.label == "three")
    #expect((user as? Part)?.inner as? Part === inner)
    try await app.close()
    #expect(log.lines == ["close three", "close two", "close one", "close user", "close inner"])
  }

  @Test func `S14 a set that closes while it is asked gets no new places for objects`() async throws
  {
    let middle = Services("middle", alternate: app)
    let child = Services("child", alternate: middle, scope: "request")
    app.provide((any Alpha).self, lifetime: .scoped("request")) { _ in Thing() }
    middle.provide((any Alpha).self) { [weak child] _ in
      Task { [child] in try await child?.close() }
      while child?.isClosed == false {}
      return nil
    }
    let error = try #require(await onThread { try child.require((any Alpha).self) })
    #expect(error.code == .closed)
    #expect(child.state.withLock { $0.derived.isEmpty })
  }

  @Test func `S14 a set that is closed by its own provider is closed, not lacking something`()
    async throws
  {
    let child = Services("child", alternate: app)
    app.set((any Alpha).self, to: Thing())
    child.provide((any Alpha).self) { services in
      Task { try await services.close() }
      while !services.isClosed {}
      return nil
    }
    let error = try #require(await onThread { try child.require((any Alpha).self) })
    #expect(error.code == .closed)
  }

  @Test func `S14 a set that closes while its collection is asked for wraps nothing more`()
    async throws
  {
    let child = Services("child", alternate: app)
    child.decorate((any Alpha).self) { inner, _ in Thing(inner.label) }
    app.contribute((any Alpha).self) { [weak child] _ in
      Task { [child] in try await child?.close() }
      while child?.isClosed == false {}
      return Thing()
    }
    let error = try #require(await onThread { try child.all((any Alpha).self) })
    #expect(error.code == .closed)
    #expect(child.state.withLock { $0.decoratedMembers.isEmpty })
  }

  @Test func `S14 registering while the set is closed is refused, whatever comes first`()
    async throws
  {
    let dead = Counter()
    for _ in 0..<200 {
      let set = Services("set")
      set.set((any Alpha).self, to: Thing())
      let thread = TestThread {
        Diagnostics().collect {
          for _ in 0..<20 { set.set((any Alpha).self, to: Thing { dead.next() }) }
        }
      }
      try await set.close()
      thread.join()
      let slot = try #require(set.slot(ServiceKey((any Alpha).self)))
      #expect(slot.state.withLock { $0.published == nil && $0.services.isEmpty })
    }
    // Nothing is kept by sets that are closed.
    #expect(dead.value == 4_000)
  }
}
