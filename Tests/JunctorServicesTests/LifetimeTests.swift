import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

@Suite struct LifetimeTests {
  let app = Services("app")

  @Test func `S8 a transient is made at every request and kept by nobody`() throws {
    let log = Log()
    app.provide((any Alpha).self, lifetime: .transient) { _ in Thing { log.add("gone") } }
    do {
      let one = try app.require((any Alpha).self)
      let two = try app.require((any Alpha).self)
      #expect(one !== two)
    }
    #expect(log.lines == ["gone", "gone"])
  }

  @Test func `S8 a weak service lives as long as somebody holds it`() throws {
    let counter = Counter()
    app.provide((any Alpha).self, lifetime: .weak) { _ in Thing("\(counter.next())") }
    do {
      let one = try app.require((any Alpha).self)
      #expect(try app.require((any Alpha).self) === one)
      #expect(one.label == "1")
    }
    #expect(try app.require((any Alpha).self).label == "2")
  }

  @Test func `S8 a weak service must be an instance of a class`() throws {
    app.provide(Int.self, lifetime: .weak) { _ in 1 }
    let error = try #require(throws: ServiceError.self) { try app.require(Int.self) }
    #expect(error.code == .notAnObject)
  }

  @Test func `S8 a scoped service lives in the nearest set that carries the scope`() throws {
    let counter = Counter()
    app.provide((any Alpha).self, lifetime: .scoped("request")) { services in
      Thing("\(services.name) \(counter.next())")
    }
    let one = Services("one", alternate: app, scope: "request")
    let two = Services("two", alternate: app, scope: "request")
    let inner = Services("inner", alternate: one)
    let object = try inner.require((any Alpha).self)
    #expect(object.label == "one 1")
    #expect(try one.require((any Alpha).self) === object)
    #expect(try two.require((any Alpha).self).label == "two 2")
    let error = try #require(throws: ServiceError.self) { try app.require((any Alpha).self) }
    #expect(error.code == .noScope)
  }

  @Test func `S8 a scoped service dies with its scope, and a new registration replaces it`() throws
  {
    let log = Log()
    app.provide((any Alpha).self, lifetime: .scoped("request")) { _ in
      Thing("old") { log.add("gone") }
    }
    do {
      let request = Services("request", alternate: app, scope: "request")
      #expect(request[(any Alpha).self]?.label == "old")
      app.override((any Alpha).self, lifetime: .scoped("request")) { _ in Thing("new") }
      #expect(request[(any Alpha).self]?.label == "new")
    }
    #expect(log.lines == ["gone"])
  }

  @Test func `S8 what is weak for each argument leaves nothing behind`() throws {
    app.provide((any Alpha).self, argument: Int.self, lifetime: .weak) { _, number in
      Thing("\(number)")
    }
    let kept = try app.require((any Alpha).self, argument: -1)
    for number in 0..<10_000 { _ = try app.require((any Alpha).self, argument: number) }
    #expect(try app.require((any Alpha).self, argument: -1) === kept)
    #expect(app.state.withLock { $0.derived.count } < 200)
  }

  @Test func `S8 everything dies with its set`() throws {
    let log = Log()
    do {
      let set = Services("set")
      set.set((any Alpha).self, to: Thing { log.add("set") })
      set.provide((any Beta).self) { _ in Thing { log.add("provided") } }
      set.provide((any Gamma).self) { _ in
        log.add("never")
        return Thing()
      }
      #expect(set[(any Beta).self] != nil)
    }
    #expect(log.lines.sorted() == ["provided", "set"])
  }
}
