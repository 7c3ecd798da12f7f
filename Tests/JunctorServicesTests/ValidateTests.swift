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
}
