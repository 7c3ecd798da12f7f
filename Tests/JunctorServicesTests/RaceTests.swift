import Dispatch
import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

@Suite(.serialized) struct RaceTests {
  @Test func `S2 eight threads, one cold service: its provider runs once and all get one object`() {
    for _ in 0..<1_000 {
      let app = Services("app")
      let child = Services("child", alternate: app)
      let counter = Counter()
      app.provide((any Alpha).self) { _ in Thing("\(counter.next())") }
      let seen = Mutex<Set<ObjectIdentifier>>([])
      let kept = Mutex<[any Alpha]>([])
      onThreads(8) { index in
        guard let object = (index % 2 == 0 ? app : child)[(any Alpha).self] else { return }
        seen.withLock { _ = $0.insert(ObjectIdentifier(object)) }
        kept.withLock { $0.append(object) }
      }
      #expect(counter.value == 1)
      #expect(seen.withLock { $0.count } == 1)
      #expect(kept.withLock { $0.count } == 8)
    }
  }

  @Test func `S2 a provider that fails under a race fails all who waited, and runs again later`() {
    for _ in 0..<100 {
      let app = Services("app")
      let counter = Counter()
      app.provide((any Alpha).self) { _ in
        if counter.next() == 1 { throw Trouble() }
        return Thing()
      }
      let failures = Counter()
      onThreads(4) { _ in
        do { _ = try app.require((any Alpha).self) } catch { failures.next() }
      }
      #expect((1...4).contains(failures.value))
      #expect(app[(any Alpha).self] != nil)
      #expect(counter.value == 2)
    }
  }

  @Test func `S3 a provider may wait for another thread that resolves something else`() throws {
    let app = Services("app")
    app.provide((any Beta).self) { _ in Thing("beta") }
    app.provide((any Alpha).self) { services in
      let found = Mutex<(any Beta)?>(nil)
      let thread = TestThread { found.withLock { $0 = services[(any Beta).self] } }
      thread.join()
      return Thing("alpha of \(found.withLock { $0?.label } ?? "none")")
    }
    #expect(try app.require((any Alpha).self).label == "alpha of beta")
  }

  @Test func `S3 a provider that takes its time holds nobody else up`() throws {
    let app = Services("app")
    let gate = Gate()
    let entered = Gate()
    app.provide((any Alpha).self) { _ in
      entered.open()
      gate.wait()
      return Thing("slow")
    }
    app.provide((any Beta).self) { _ in Thing("quick") }
    let thread = TestThread { _ = app[(any Alpha).self] }
    entered.wait()
    #expect(app[(any Beta).self]?.label == "quick")
    app.set((any Gamma).self, to: Thing("registered"))
    #expect(app[(any Gamma).self]?.label == "registered")
    gate.open()
    thread.join()
    #expect(app[(any Alpha).self]?.label == "slow")
  }

  @Test func `S3 registering from a provider is allowed, even under its own key`() throws {
    let app = Services("app")
    app.provide((any Alpha).self) { services in
      services.set((any Beta).self, to: Thing("beta"))
      services.set((any Alpha).self, to: Thing("meanwhile"))
      return Thing("built")
    }
    #expect(try app.require((any Alpha).self).label == "built")
    #expect(app[(any Alpha).self]?.label == "meanwhile")
    #expect(app[(any Beta).self]?.label == "beta")
  }

  @Test func `S3 a build that does not end is reported with its waiters`() throws {
    let app = Services("app")
    let gate = Gate()
    let entered = Gate()
    app.provide((any Alpha).self, line: 5) { _ in
      entered.open()
      gate.wait()
      return Thing()
    }
    let thread = TestThread { _ = app[(any Alpha).self] }
    entered.wait()
    let reported = Mutex<[Diagnostic]>([])
    Junctor.withDiagnostics({ diagnostic in
      reported.withLock { $0.append(diagnostic) }
      gate.open()
    }) {
      WaitGraph.$patience.withValue(.milliseconds(1)) {
        #expect(app[(any Alpha).self] != nil)
      }
    }
    thread.join()
    #expect(reported.withLock { $0.map(\.code.rawValue) } == ["services.stalled"])
    #expect(reported.withLock { $0.first?.sites.first?.line } == 5)
    #expect(
      reported.withLock { $0.first?.message.contains("2 threads or tasks wait for it") } == true)
  }

  @Test func `S3 an asynchronous provider that does not end is reported with its waiters`()
    async throws
  {
    let app = Services("app")
    let gate = AsyncGate()
    app.provide((any Alpha).self, line: 5) { _ in
      await gate.wait()
      return Thing()
    }
    let first = Task { try await app.resolve((any Alpha).self) }
    await until { app.waiters(of: ServiceKey((any Alpha).self)) == 1 }
    let reported = Mutex<[Diagnostic]>([])
    let second = Task {
      try await Junctor.withDiagnostics({ diagnostic in
        reported.withLock { $0.append(diagnostic) }
        Task { await gate.open() }
      }) {
        try await WaitGraph.$patience.withValue(.milliseconds(1)) {
          try await app.resolve((any Alpha).self)
        }
      }
    }
    #expect(try await first.value === second.value)
    #expect(reported.withLock { $0.map(\.code.rawValue) } == ["services.stalled"])
    let report = try #require(reported.withLock { $0.first })
    #expect(report.sites.first?.line == 5)
    #expect(report.message.contains("Alpha") && report.message.contains("2 threads or tasks wait"))
  }

  @Test(arguments: [ServiceLifetime.cached, .transient])
  func `S3 an asynchronous provider that one alone waits for is reported too`(
    lifetime: ServiceLifetime
  ) async throws {
    let app = Services("app")
    let gate = AsyncGate()
    app.provide((any Alpha).self, lifetime: lifetime) { _ in
      await gate.wait()
      return Thing()
    }
    let reported = Mutex<[Diagnostic]>([])
    try await Junctor.withDiagnostics({ diagnostic in
      reported.withLock { $0.append(diagnostic) }
      Task { await gate.open() }
    }) {
      try await WaitGraph.$patience.withValue(.milliseconds(1)) {
        _ = try await app.resolve((any Alpha).self)
      }
    }
    #expect(reported.withLock { $0.map(\.code.rawValue) } == ["services.stalled"])
  }

  @Test func `S3 of providers that wait for one another the one that holds them up is reported`() {
    let (first, second) = (
      ServiceBuild(of: Services("first")), ServiceBuild(of: Services("second"))
    )
    let watch = WaitGraph.Watch(deadline: .now(), patience: .seconds(1)) { _ in }
    var graph = WaitGraph()
    for build in [first, second] {
      graph.running[ObjectIdentifier(build)] = WaitGraph.Running(build: build, watch: watch)
    }
    let waiter = WaitGraph.Waiter(
      id: 1, build: second, asker: first, via: [], wake: .thread(DispatchSemaphore(value: 0)),
      watch: watch)
    guard case .waiting = graph.join(waiter) else {
      Issue.record("It does not wait.")
      return
    }
    let look = graph.takeOverdue(.now() + .seconds(1))
    #expect(look.overdue.map(\.running.build.key) == [second.key])
    #expect(look.overdue.first?.waiters == 1)
    #expect(look.next != nil)
    let again = graph.takeOverdue(.now() + .seconds(1))
    #expect(again.overdue.isEmpty)
    _ = graph.removeAll(of: second)
    let last = graph.takeOverdue(.now() + .seconds(1))
    #expect(last.overdue.map(\.running.build.key) == [first.key])
  }

  @Test func `S3 a provider that nobody else waits for is reported as well, once`() throws {
    let app = Services("app")
    let gate = Gate()
    app.provide((any Alpha).self) { _ in
      gate.wait()
      return Thing()
    }
    let reported = Counter()
    try Junctor.withDiagnostics({ _ in
      reported.next()
      gate.open()
    }) {
      _ = try WaitGraph.$patience.withValue(.milliseconds(1)) {
        try app.require((any Alpha).self)
      }
    }
    #expect(reported.value == 1)
  }

  @Test func `S7 10⁵ children come and go, on two threads, and nothing of them is left`() {
    let app = Services("app")
    app.provide((any Alpha).self) { _ in Thing() }
    let alive = Counter()
    let dead = Counter()
    onThreads(2) { _ in
      for index in 0..<50_000 {
        let child = Services("child", alternate: app)
        if index % 10 == 0 {
          alive.next()
          child.set((any Beta).self, to: Thing { dead.next() })
        }
        if child[(any Alpha).self] == nil { Issue.record("lost") }
      }
    }
    #expect(alive.value == dead.value)
    #expect(!WiringRegistry.living().contains { ($0 as? Services)?.alternateSet === app })
  }

  @Test func `S18 registering, replacing, removing and looking up at once loses nothing`() {
    let app = Services("app")
    let child = Services("child", alternate: app)
    let alive = Counter()
    let dead = Counter()
    app.set((any Alpha).self, to: Thing("0"))
    onThreads(4) { thread in
      for index in 0..<2_000 {
        switch thread {
        case 0:
          alive.next()
          app.set((any Alpha).self, to: Thing("\(index)") { dead.next() })
        case 1:
          app.set((any Beta).self, name: ServiceName("\(index % 50)"), to: Thing())
          if index % 3 == 0 { child.alternateServices = index % 2 == 0 ? app : nil }
        default:
          if app[(any Alpha).self] == nil { Issue.record("lost") }
          _ = child[(any Alpha).self]?.label
          _ = app[(any Beta).self, name: ServiceName("\(index % 50)")]?.label
        }
      }
    }
    child.alternateServices = nil
    app.remove((any Alpha).self)
    #expect(alive.value == dead.value)
  }

  @Test func `S8 a weak service that dies while it is handed out is one for those who hold it`() {
    let app = Services("app")
    let child = Services("child", alternate: app)
    app.provide((any Alpha).self, lifetime: .weak) { _ in Thing("alpha") }
    app.provide((any Alpha).self, argument: Int.self, lifetime: .weak) { _, _ in Thing() }
    child.decorate((any Alpha).self) { inner, _ in Thing("<\(inner.label)>", holding: inner) }
    onThreads(4) { thread in
      for number in 0..<2_000 {
        let plain = app[(any Alpha).self]
        if plain == nil || app[(any Alpha).self] !== plain { Issue.record("two at a time") }
        let wrapper = child[(any Alpha).self]
        if wrapper?.label != "<alpha>" || child[(any Alpha).self] !== wrapper {
          Issue.record("two wrappers at a time")
        }
        let made = try? app.require((any Alpha).self, argument: number % 100)
        if made == nil { Issue.record("lost") }
        withExtendedLifetime((plain, wrapper, made)) {}
      }
    }
  }
}
