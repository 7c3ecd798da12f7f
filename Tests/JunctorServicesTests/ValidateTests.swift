import JunctorCore
import Testing

@testable import JunctorServices

@Suite struct ValidateTests {
  let app = Services("app")
  let alpha = ServiceKey((any Alpha).self)
  let beta = ServiceKey((any Beta).self)
  let gamma = ServiceKey((any Gamma).self)

  @Test func `S15 a set in order has no problems, and no provider runs`() throws {
    let counter = Counter()
    app.provide((any Alpha).self, needs: [beta]) { _ in
      counter.next()
      return Thing()
    }
    app.set((any Beta).self, to: Thing())
    let child = Services("child", alternate: app)
    child.provide((any Gamma).self, needs: [alpha, beta]) { _ in
      counter.next()
      return Thing()
    }
    try child.validate()
    try child.validate(roots: [gamma])
    #expect(counter.value == 0)
  }

  @Test func `S15 what is missing and what is ambiguous`() throws {
    app.provide((any Alpha).self, needs: [beta, gamma], line: 1) { _ in Thing() }
    app.set((any Gamma).self, name: "one", to: Thing())
    app.set((any Gamma).self, name: "two", to: Thing())
    let problems = app.problems()
    #expect(problems.map(\.code) == [.missing, .ambiguous])
    #expect(problems.allSatisfy { $0.key == alpha && $0.sites.first?.line == 1 })
    #expect(problems.last?.message.contains("'one', 'two'") == true)
  }

  @Test func `S15 duplicates`() throws {
    Diagnostics().collect {
      app.provide((any Alpha).self, line: 1) { _ in Thing() }
      app.provide((any Alpha).self, line: 2) { _ in Thing() }
    }
    #expect(app.problems().map(\.code) == [.duplicate])
    #expect(app.problems().first?.sites.map(\.line) == [2, 1])
    app.override((any Alpha).self) { _ in Thing() }
    #expect(app.problems().isEmpty)
  }

  @Test func `S15 cycles`() throws {
    app.provide((any Alpha).self, needs: [beta], line: 1) { _ in Thing() }
    app.provide((any Beta).self, needs: [gamma], line: 2) { _ in Thing() }
    app.provide((any Gamma).self, needs: [alpha], line: 3) { _ in Thing() }
    let problems = app.problems()
    #expect(problems.map(\.code) == [.cycle])
    #expect(problems.first?.sites.map(\.line) == [1, 2, 3])
  }

  @Test
  func
    `S15 a cached service that holds a scoped one is captive, by a transient or a decorator too`()
  {
    app.provide((any Alpha).self, lifetime: .scoped("request")) { _ in Thing() }
    app.provide((any Beta).self, lifetime: .transient, needs: [alpha]) { _ in Thing() }
    app.provide((any Gamma).self, needs: [beta]) { _ in Thing() }
    app.provide(Thing.self) { _ in Thing() }
    app.decorate(Thing.self, needs: [alpha]) { inner, _ in inner }
    let problems = app.problems()
    #expect(problems.map(\.code) == [.captive, .captive])
    #expect(problems.map(\.key) == [gamma, ServiceKey(Thing.self)])
  }

  @Test func `S15 a scoped service that holds one of a narrower scope is captive`() throws {
    app.provide((any Alpha).self, lifetime: .scoped("session"), needs: [beta], line: 1) { set in
      Thing(holding: try set.require((any Beta).self))
    }
    app.provide((any Beta).self, lifetime: .scoped("request"), line: 2) { _ in Thing() }
    let session = Services("session", alternate: app, scope: "session")
    let request = Services("request", alternate: session, scope: "request")
    let problems = request.problems()
    #expect(problems.map(\.code) == [.captive])
    #expect(problems.first?.sites.map(\.line) == [1, 2])
    #expect(problems.first?.message.contains("lives in the scope 'session'") == true)
    // It is what happens.
    let error = try #require(throws: ServiceError.self) { try request.require((any Alpha).self) }
    #expect(error.code == .noScope)
    // The other way round, and where nothing is known of the scope, all is well.
    #expect(app.problems().isEmpty)
    let wide = Services("wide", alternate: app, scope: "request")
    #expect(Services("narrow", alternate: wide, scope: "session").problems().isEmpty)
  }

  @Test func `S15 what no root needs is unused`() {
    app.provide((any Alpha).self, needs: [beta]) { _ in Thing() }
    app.set((any Beta).self, to: Thing())
    app.set((any Gamma).self, to: Thing())
    #expect(app.problems(roots: [alpha]).map(\.key) == [gamma])
    #expect(app.problems().isEmpty)
  }

  @Test func `S15 all problems are in one report`() throws {
    app.provide((any Alpha).self, needs: [beta]) { _ in Thing() }
    app.provide((any Gamma).self, needs: [gamma]) { _ in Thing() }
    let error = try #require(throws: ServiceError.self) { try app.validate() }
    #expect(error.code == .invalid)
    #expect(error.message.contains("1. Can't") && error.message.contains("2. Can't"))
  }

  @Test func `S15 decorators of what comes from behind are looked into like providers`() {
    app.provide((any Alpha).self, line: 1) { _ in Thing() }
    let child = Services("child", alternate: app)
    child.decorate((any Alpha).self, needs: [beta], line: 2) { inner, _ in inner }
    #expect(child.problems().map(\.code) == [.missing])
    child.provide((any Beta).self, needs: [alpha], line: 3) { _ in Thing() }
    #expect(child.problems().map(\.code) == [.cycle])
    #expect(child.problems().first?.sites.map(\.line) == [2, 3])
    child.override((any Beta).self, lifetime: .scoped("request"), line: 4) { _ in Thing() }
    #expect(child.problems().map(\.code) == [.captive])
    child.remove((any Beta).self)
    for name: ServiceName in ["one", "two"] { child.set((any Beta).self, name: name, to: Thing()) }
    #expect(child.problems().map(\.code) == [.ambiguous])
    // The parent's own is as it was.
    #expect(app.problems().isEmpty)
  }

  @Test
  func `S15 a decorator and what it wraps are used where its type is, and unused where it is not`()
  {
    app.provide((any Alpha).self, line: 1) { _ in Thing() }
    app.set((any Beta).self, to: Thing(), line: 2)
    let child = Services("child", alternate: app)
    child.decorate((any Alpha).self, needs: [beta], line: 3) { inner, _ in inner }
    child.set((any Gamma).self, to: Thing(), line: 4)
    #expect(child.problems(roots: [alpha]).map { $0.sites.first?.line } == [4])
    #expect(child.problems(roots: [gamma]).map { $0.sites.first?.line } == [3, 1, 2])
  }

  @Test func `S15 a decorator of nothing needs nothing, one of members what it says`() {
    let child = Services("child", alternate: app)
    child.decorate((any Alpha).self, needs: [beta]) { inner, _ in inner }
    #expect(child.problems().isEmpty)
    app.contribute((any Alpha).self) { _ in Thing() }
    #expect(child.problems().map(\.code) == [.missing])
    #expect(child.problems(roots: [alpha]).map(\.code) == [.missing])
  }

  @Test func `S15 a need is met by members of a collection, and by what is made for an argument`()
    throws
  {
    app.contribute((any Alpha).self) { _ in Thing() }
    app.provide(Int.self, argument: Int.self) { _, number in number }
    let number = ServiceKey(Int.self)
    app.provide((any Beta).self, needs: [alpha, number]) { services in
      let members = try services.all((any Alpha).self).count
      return Thing("\(try services.require(Int.self, argument: members))")
    }
    #expect(app.problems(roots: [beta]).isEmpty)
    #expect(app.problems(roots: [alpha, number]).map(\.key) == [beta])
    // What it was given when it ran was there.
    _ = try app.require((any Beta).self)
    #expect(app.problems(roots: [beta]).isEmpty)
  }

  @Test func `S15 a root that nobody provides is missing`() {
    app.set((any Alpha).self, to: Thing())
    let problems = app.problems(roots: [alpha, beta])
    #expect(problems.map(\.code) == [.missing] && problems.map(\.key) == [beta])
  }

  @Test func `S15 what lives in the scope of its holder's set is no captive`() {
    app.provide((any Alpha).self, lifetime: .scoped("request")) { _ in Thing() }
    let request = Services("request", alternate: app, scope: "request")
    request.provide((any Beta).self, needs: [alpha]) { _ in Thing() }
    #expect(request.problems().isEmpty)
    app.provide((any Gamma).self, needs: [alpha]) { _ in Thing() }
    #expect(request.problems().map(\.key) == [gamma])
  }

  @Test func `S15 what a scoped service needs may come with its scope`() {
    app.provide((any Alpha).self, lifetime: .scoped("request"), needs: [beta]) { _ in Thing() }
    app.provide((any Gamma).self, lifetime: .callerScope, needs: [beta]) { _ in Thing() }
    #expect(app.problems().map(\.key) == [gamma])
    let request = Services("request", alternate: app, scope: "request")
    #expect(request.problems().map(\.key) == [alpha, gamma])
    request.set((any Beta).self, to: Thing())
    #expect(request.problems().isEmpty)
  }

  @Test func `S15 the report names whose needs are not known, until they have run`() throws {
    app.provide((any Alpha).self, line: 1) { services in
      Thing(holding: try services.require((any Beta).self))
    }
    app.set((any Beta).self, to: Thing(), line: 2)
    app.provide((any Gamma).self, needs: [ServiceKey(Int.self)], line: 3) { _ in nil }
    let error = try #require(throws: ServiceError.self) { try app.validate(roots: [alpha]) }
    #expect(error.message.contains("Nothing is known of what these ask for"))
    #expect(error.message.contains("'\(alpha)' (JunctorServicesTests/ValidateTests.swift:1)."))
    #expect(app.problems(roots: [alpha]).map(\.code) == [.missing, .unused, .unused])
    #expect(app.problems(roots: [alpha])[1].message.contains("No needs are known of '\(alpha)'."))
    _ = try app.require((any Alpha).self)
    let known = try #require(throws: ServiceError.self) { try app.validate(roots: [alpha]) }
    #expect(!known.message.contains("Nothing is known"))
    #expect(app.problems(roots: [alpha]).map(\.code) == [.missing, .unused])
  }
}
