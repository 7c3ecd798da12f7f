import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

private protocol Named: Sendable { var name: String { get } }

private final class NamedObject: Named { let name = "object" }

private struct NamedValue: Named { let name: String }

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

  @Test func `S8 a named transient inside a provider is made each time, and noted there`() throws {
    let counter = Counter()
    app.provide((any Beta).self, name: "part", lifetime: .transient) { _ in
      Thing("\(counter.next())")
    }
    app.provide((any Alpha).self) { services in
      let parts = try (0..<3).map { _ in
        try services.require((any Beta).self, name: "part").label
      }
      return Thing(parts.joined() + (services[(any Beta).self, name: "part"]?.label ?? ""))
    }
    #expect(try app.require((any Alpha).self).label == "1234")
    let part = try #require(app.slot(ServiceKey((any Beta).self, name: "part")))
    let alpha = try #require(app.slot(ServiceKey((any Alpha).self)))
    let dependencies = alpha.state.withLock { $0.record?.dependencies.map(\.slotID) }
    #expect(dependencies == [part.id])
  }

  @Test func `S4 a named transient that has nothing, or fails, does what one without a name does`()
    throws
  {
    let child = Services("child", alternate: app)
    app.set(String.self, name: "a", to: "app's")
    child.provide(String.self, name: "a", lifetime: .transient) { _ in nil }
    #expect(child[String.self, name: "a"] == "app's")
    #expect(try child.require(String.self, name: "a") == "app's")
    child.provide(String.self, name: "b", lifetime: .transient) { _ in nil }
    let missing = try #require(throws: ServiceError.self) {
      try child.require(String.self, name: "b")
    }
    #expect(missing.code == .missing && missing.key?.name == "b")
    child.provide(String.self, name: "c", lifetime: .transient, line: 3) { _ in throw Trouble() }
    let failed = try #require(throws: ServiceError.self) {
      try child.require(String.self, name: "c")
    }
    #expect(failed.cause is Trouble && failed.path.map(\.site.line) == [3])
    let diagnostics = Diagnostics()
    diagnostics.collect { #expect(child[String.self, name: "c"] == nil) }
    #expect(diagnostics.codes == ["services.providerFailed"])
  }

  @Test func `S10 named transients that need each other are a cycle with the whole path`() throws {
    for (index, next) in [1, 2, 0].enumerated() {
      app.provide(
        Int.self, name: ServiceName("\(index)"), lifetime: .transient, line: UInt(index)
      ) {
        try $0.require(Int.self, name: ServiceName("\(next)"))
      }
    }
    app.provide((any Alpha).self, line: 9) { services in
      Thing("\(try services.require(Int.self, name: "0"))")
    }
    let error = try #require(throws: ServiceError.self) { try app.require((any Alpha).self) }
    #expect(error.code == .cycle)
    #expect(error.path.map(\.site.line) == [0, 1, 2, 0])
  }

  @Test func `S10 a long chain of transients in a ring is a cycle, too`() throws {
    for index in 0..<300 {
      app.provide(Int.self, name: ServiceName("\(index)"), lifetime: .transient) {
        try $0.require(Int.self, name: ServiceName("\((index + 1) % 300)"))
      }
    }
    let error = try #require(throws: ServiceError.self) { try app.require(Int.self, name: "0") }
    #expect(error.code == .cycle)
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

  @Test func `S8 what a set in front decorates lives no longer than without that`() throws {
    let log = Log()
    let app = Services("app")
    app.provide((any Alpha).self, lifetime: .transient) { _ in Thing { log.add("transient") } }
    app.provide((any Beta).self, lifetime: .weak) { _ in Thing { log.add("weak") } }
    app.contribute((any Gamma).self, lifetime: .transient) { _ in Thing { log.add("member") } }
    let child = Services("child", alternate: app)
    child.decorate((any Alpha).self) { inner, _ in Thing(holding: inner) }
    child.decorate((any Beta).self) { inner, _ in Thing(holding: inner) }
    child.decorate((any Gamma).self) { inner, _ in Thing(holding: inner) }
    _ = try child.require((any Alpha).self)
    _ = try child.require((any Beta).self)
    _ = try child.all((any Gamma).self)
    #expect(log.lines == ["transient", "weak", "member"])
  }

  @Test func `S8 a weak service that a set in front decorates is one as long as somebody holds it`()
    throws
  {
    let counter = Counter()
    let app = Services("app")
    app.provide((any Alpha).self, lifetime: .weak) { _ in Thing("\(counter.next())") }
    let child = Services("child", alternate: app)
    child.decorate((any Alpha).self) { inner, _ in
      Thing("<\(inner.label)>", holding: inner)
    }
    var wrapper: (any Alpha)? = try child.require((any Alpha).self)
    #expect(try child.require((any Alpha).self) === wrapper)
    child.decorate((any Alpha).self) { inner, _ in Thing("(\(inner.label))", holding: inner) }
    let outer = try child.require((any Alpha).self)
    #expect(outer.label == "(<1>)" && (outer as? Thing)?.inner as? Thing === wrapper)
    wrapper = nil
    #expect(try child.require((any Alpha).self) === outer)
    #expect(counter.value == 1)
  }

  @Test func `S8 a weak service in a wrapper that is no object is wrapped for each who asks`()
    throws
  {
    let app = Services("app")
    app.provide((any Named).self, lifetime: .weak) { _ in NamedObject() }
    let child = Services("child", alternate: app)
    child.decorate((any Named).self) { inner, _ in NamedValue(name: "<\(inner.name)>") }
    #expect(try child.require((any Named).self).name == "<object>")
    #expect(try child.require((any Named).self).name == "<object>")
  }
}
