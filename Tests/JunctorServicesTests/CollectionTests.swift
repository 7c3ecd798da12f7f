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

// MARK: - Asynchronous members, and decorators that come late

extension CollectionTests {
  @Test func `S13 asynchronous members and decorators keep the order, and are found at once then`()
    async throws
  {
    let child = Services("child", alternate: app)
    app.contribute(String.self) { _ in
      await Task.yield()
      return "a"
    }
    app.contribute(String.self, priority: 1) { _ in "b" }
    child.contribute(String.self) { @MainActor _ async in "c" }
    child.decorate(String.self) { inner, _ in
      await Task.yield()
      return "<\(inner)>"
    }
    child.decorate(String.self) { inner, _ in "(\(inner))" }
    let error = try #require(throws: ServiceError.self) { try child.all(String.self) }
    #expect(error.code == .needsAwait)
    #expect(try await child.resolveAll(String.self) == ["(<c>)", "(<b>)", "(<a>)"])
    #expect(try await app.resolveAll(String.self) == ["b", "a"])
    #expect(try app.all(String.self) == ["b", "a"])
    app.contribute(String.self) { _ in
      throw Trouble()
    }
    await #expect(throws: ServiceError.self) { try await child.resolveAll(String.self) }
  }

  @Test func `S13 an asynchronous decorator wraps what is registered and what comes from behind`()
    async throws
  {
    let child = Services("child", alternate: app)
    let wrapped = Counter()
    app.provide((any Alpha).self) { _ in Thing("inner") }
    child.decorate((any Alpha).self) { inner, _ in
      await Task.yield()
      wrapped.next()
      return Thing("outer of \(inner.label)", holding: inner)
    }
    let error = try #require(throws: ServiceError.self) { try child.require((any Alpha).self) }
    #expect(error.code == .needsAwait)
    let outer = try await child.resolve((any Alpha).self)
    #expect(outer.label == "outer of inner")
    #expect(try await child.resolve((any Alpha).self) === outer)
    #expect(try child.require((any Alpha).self) === outer)
    child.provide((any Alpha).self) { _ in Thing("own") }
    #expect(try await child.resolve((any Alpha).self).label == "outer of own")
    #expect(child[(any Alpha).self]?.label == "outer of own")
    #expect(wrapped.value == 2)
  }

  @Test func `S13 a decorator that comes later wraps what is there, and no other runs again`()
    throws
  {
    let child = Services("child", alternate: app)
    let runs = Counter()
    app.provide((any Alpha).self) { _ in Thing("x") }
    app.contribute((any Alpha).self) { _ in Thing("m") }
    for set in [app, child] {
      for index in 0..<3 {
        set.decorate((any Alpha).self) { inner, _ in
          runs.next()
          return Thing("\(inner.label)\(index)", holding: inner)
        }
        #expect(set[(any Alpha).self]?.label.hasSuffix("\(index)") == true)
        #expect(try set.all((any Alpha).self).first?.label.hasSuffix("\(index)") == true)
      }
    }
    #expect(child[(any Alpha).self]?.label == "x012012")
    #expect(try child.all((any Alpha).self).map(\.label) == ["m012012"])
    // Three decorators of two sets, for the service and for the member.
    #expect(runs.value == 12)
  }

  @Test func `S13 a decorator that fails leaves what was built for the next request`() throws {
    let built = Counter()
    let tries = Counter()
    app.provide((any Alpha).self) { _ in Thing("\(built.next())") }
    _ = app[(any Alpha).self]
    app.decorate((any Alpha).self) { inner, _ in
      if tries.next() == 1 { throw Trouble() }
      return Thing("wrapped \(inner.label)")
    }
    #expect(throws: ServiceError.self) { try app.require((any Alpha).self) }
    #expect(try app.require((any Alpha).self).label == "wrapped 1")
  }

  @Test func `S13 members that come while decorators do are wrapped once by each`() throws {
    for _ in 0..<100 {
      let app = Services("app")
      onThreads(4) { thread in
        for _ in 0..<5 {
          if thread < 2 {
            app.contribute(String.self) { _ in "x" }
          } else {
            app.decorate(String.self) { inner, _ in "(\(inner)" }
          }
        }
      }
      let expected = String(repeating: "(", count: 10) + "x"
      #expect(try app.all(String.self) == Array(repeating: expected, count: 10))
    }
  }

  @Test func `S8 a decorator runs no provider a second time, for scopes, arguments and weak ones`()
    throws
  {
    let counter = Counter()
    let request = Services("request", alternate: app, scope: "request")
    app.provide((any Alpha).self, lifetime: .scoped("request")) { _ in
      Thing("\(counter.next())")
    }
    app.provide((any Alpha).self, name: "weak", lifetime: .weak) { _ in Thing("\(counter.next())") }
    app.provide(Int.self, argument: Int.self, lifetime: .cached) { _, number in
      number * 100 + counter.next()
    }
    let scoped = try request.require((any Alpha).self)
    let weak = try app.require((any Alpha).self, name: "weak")
    #expect(try app.require(Int.self, argument: 7) == 703)
    app.decorate((any Alpha).self) { inner, _ in Thing("<\(inner.label)>", holding: inner) }
    app.decorate((any Alpha).self, name: "weak") { inner, _ in
      Thing("<\(inner.label)>", holding: inner)
    }
    let outer = try request.require((any Alpha).self)
    #expect(outer.label == "<1>" && (outer as? Thing)?.inner as? Thing === scoped)
    let outerWeak = try app.require((any Alpha).self, name: "weak")
    #expect(outerWeak.label == "<2>" && (outerWeak as? Thing)?.inner as? Thing === weak)
    #expect(try app.require((any Alpha).self, name: "weak") === outerWeak)
    #expect(counter.value == 3)
    withExtendedLifetime((scoped, weak)) {}
  }

  @Test func `S13 what is weak and decorated while it is built is wrapped for the next one`() throws
  {
    let counter = Counter()
    app.provide((any Alpha).self, lifetime: .weak) { services in
      services.decorate((any Alpha).self) { inner, _ in
        Thing("<\(inner.label)>", holding: inner)
      }
      return Thing("\(counter.next())")
    }
    let plain = try app.require((any Alpha).self)
    #expect(plain.label == "1")
    let wrapped = try app.require((any Alpha).self)
    #expect(wrapped.label == "<1>" && (wrapped as? Thing)?.inner as? Thing === plain)
    #expect(counter.value == 1)
    withExtendedLifetime(plain) {}
  }

  @Test func `S13 a member that has nothing is not replaced by what is registered behind`() throws {
    let child = Services("child", alternate: app)
    app.set((any Alpha).self, to: Thing("plain"))
    child.decorate((any Alpha).self) { inner, _ in inner }
    child.contribute((any Alpha).self) { _ in nil }
    #expect(try child.all((any Alpha).self).isEmpty)
  }

  @Test func `S8 a scoped provider that has nothing lets the sets behind its own answer, once`()
    throws
  {
    let counter = Counter()
    let root = Services("root")
    root.provide((any Alpha).self) { _ in
      counter.next()
      return nil
    }
    app.alternateServices = root
    app.provide((any Alpha).self, lifetime: .scoped("request")) { _ in nil }
    app.decorate((any Alpha).self) { inner, _ in Thing("<\(inner.label)>") }
    let request = Services("request", alternate: app, scope: "request")
    #expect(request[(any Alpha).self] == nil)
    #expect(counter.value == 1)
    root.set((any Alpha).self, to: Thing("root's"))
    #expect(request[(any Alpha).self]?.label == "<root's>")
  }

  @Test func `S6 in a ring each member is there once, and the ring is reported`() throws {
    let child = Services("child", alternate: app)
    defer { app.alternateServices = nil }
    let diagnostics = Diagnostics()
    var members: [String] = []
    diagnostics.collect {
      app.alternateServices = child
      for _ in 0..<3 { app.contribute(String.self) { _ in "a" } }
      child.contribute(String.self) { _ in "c" }
      members = (try? child.all(String.self)) ?? []
    }
    #expect(members == ["c", "a", "a", "a"])
    #expect(diagnostics.codes.allSatisfy { $0 == "services.ring" } && !diagnostics.all.isEmpty)
  }
}
