import JunctorCore
import Testing

@testable import JunctorServices

@Suite struct CollectionTests {
  let app = Services("app")

  @Test func `S13 members come nearest set first, then by priority, then as registered`() throws {
    let child = Services("child", alternate: app)
    app.contribute(String.self) { _ in "a" }
    child.contribute(String.self) { _ in "b" }
    app.contribute(String.self, priority: 1) { _ in "c" }
    child.contribute(String.self) { _ in "d" }
    child.contribute(String.self, priority: -1) { _ in "e" }
    child.contribute(String.self, priority: 5) { _ in "f" }
    #expect(try child.all(String.self) == ["f", "b", "d", "e", "c", "a"])
    #expect(try app.all(String.self) == ["c", "a"])
    #expect(try app.all(Int.self).isEmpty)
  }

  @Test func `S13 members are built when asked for, once, and live in their set`() throws {
    let counter = Counter()
    let child = Services("child", alternate: app)
    app.contribute((any Alpha).self) { services in Thing("\(services.name) \(counter.next())") }
    child.contribute((any Alpha).self) { _ in nil }
    #expect(counter.value == 0)
    let members = try child.all((any Alpha).self)
    #expect(members.map(\.label) == ["app 1"])
    #expect(try app.all((any Alpha).self).first === members.first)
    #expect(child[(any Alpha).self] == nil)
  }

  @Test func `S13 a member that fails is an error`() throws {
    app.contribute((any Alpha).self) { _ in throw Trouble() }
    #expect(throws: ServiceError.self) { try app.all((any Alpha).self) }
  }

  @Test func `S13 decorators wrap what the set registered, the last one outermost`() throws {
    app.provide(String.self) { _ in "x" }
    app.decorate(String.self) { inner, _ in "(\(inner))" }
    app.decorate(String.self) { inner, services in "\(services.name)[\(inner)]" }
    #expect(app[String.self] == "app[(x)]")
    app.set(String.self, to: "y")
    #expect(app[String.self] == "app[(y)]")
  }

  @Test func `S13 a decorated service is built once and wrapped once`() throws {
    let built = Counter()
    let wrapped = Counter()
    app.provide((any Alpha).self) { _ in Thing("\(built.next())") }
    let inner = try app.require((any Alpha).self)
    app.decorate((any Alpha).self) { inner, _ in
      wrapped.next()
      return Thing("wrapped", holding: inner)
    }
    let outer = try app.require((any Alpha).self)
    #expect((outer as? Thing)?.inner as? Thing === inner)
    #expect(try app.require((any Alpha).self) === outer)
    #expect(built.value == 1)
    #expect(wrapped.value == 1)
  }

  @Test func `S13 a child's decorator wraps what the parent gives, for the child alone`() throws {
    let wrapped = Counter()
    app.provide((any Alpha).self) { _ in Thing("app's") }
    let child = Services("child", alternate: app)
    child.decorate((any Alpha).self) { inner, _ in
      wrapped.next()
      return Thing("wrapped " + inner.label)
    }
    let grandchild = Services("grandchild", alternate: child)
    #expect(child[(any Alpha).self]?.label == "wrapped app's")
    #expect(grandchild[(any Alpha).self] === child[(any Alpha).self])
    #expect(app[(any Alpha).self]?.label == "app's")
    #expect(wrapped.value == 1)
    app.override((any Alpha).self) { _ in Thing("new") }
    #expect(child[(any Alpha).self]?.label == "wrapped new")
    #expect(child[(any Beta).self] == nil)
  }

  @Test func `S13 decorating what nobody provides gives nothing`() throws {
    app.decorate((any Alpha).self) { inner, _ in inner }
    #expect(app[(any Alpha).self] == nil)
    #expect(throws: ServiceError.self) { try app.require((any Alpha).self) }
  }

  @Test func `S13 decorators wrap the members of collections, inherited ones too, once`() throws {
    let wrapped = Counter()
    let child = Services("child", alternate: app)
    app.contribute((any Alpha).self) { _ in Thing("a") }
    child.contribute((any Alpha).self) { _ in Thing("b") }
    child.decorate((any Alpha).self) { inner, _ in
      wrapped.next()
      return Thing("<\(inner.label)>")
    }
    child.contribute((any Alpha).self) { _ in Thing("c") }
    let members = try child.all((any Alpha).self)
    #expect(members.map(\.label) == ["<b>", "<c>", "<a>"])
    #expect(zip(try child.all((any Alpha).self), members).allSatisfy { $0 === $1 })
    #expect(wrapped.value == 3)
    #expect(try app.all((any Alpha).self).map(\.label) == ["a"])
  }

  @Test func `S13 transients are decorated each time`() throws {
    let counter = Counter()
    app.provide(Int.self, lifetime: .transient) { _ in counter.next() }
    app.decorate(Int.self) { inner, _ in inner * 10 }
    #expect(app[Int.self] == 10)
    #expect(app[Int.self] == 20)
  }

  @Test
  func `S13 an object of the set's own that comes about while it decorates the alternate's stays`()
    throws
  {
    let child = Services("child", alternate: app)
    let counter = Counter()
    child.provide((any Alpha).self) { _ in counter.next() == 1 ? nil : Thing("own") }
    child.decorate((any Alpha).self) { inner, _ in Thing("wrapped \(inner.label)") }
    app.provide((any Alpha).self) { _ in
      // The child's provider gives nothing the first time, so this is asked; meanwhile it gives something.
      _ = child[(any Alpha).self]
      return Thing("app")
    }
    let first = try child.require((any Alpha).self)
    let second = try child.require((any Alpha).self)
    #expect(first.label == "wrapped own")
    #expect(first === second)
    #expect(counter.value == 2)
  }
}
