import CThreadSanitizer
import JunctorCore
import Testing

@testable import JunctorServices

/// A container of another make.
private final class Foreign: ServicesProvider {
  let thing: Thing?
  let behind: Services?
  let asked = Counter()

  init(_ thing: Thing? = nil, behind: Services? = nil) {
    self.thing = thing
    self.behind = behind
  }

  func service<P: Sendable>(_ type: P.Type, name: ServiceName?) throws -> P? {
    asked.next()
    if let thing = thing as? P { return thing }
    return try behind?.service(type, name: name)
  }
}

@Suite struct HierarchyTests {
  let app = Services("app")

  @Test func `S6 another container may stand behind a set`() throws {
    let foreign = Foreign(Thing("foreign"))
    let child = Services("child", alternate: foreign)
    #expect(child[(any Alpha).self]?.label == "foreign")
    let grandchild = Services("grandchild", alternate: child)
    #expect(try grandchild.require((any Alpha).self) === foreign.thing)
    #expect(grandchild[Int.self] == nil)
  }

  @Test(.disabled(if: junctor_thread_sanitizer_is_on(), "deeper than the sanitizer can go"))
  func `S10 a chain of 10 000 containers of another make is gone through`() throws {
    app.set((any Alpha).self, to: Thing("far behind"))
    var sets = [app]
    for number in 0..<10_000 {
      sets.append(Services("\(number)", alternate: Foreign(behind: sets[number])))
    }
    #expect(sets.last?[(any Alpha).self]?.label == "far behind")
    // From the front: none goes inside another.
    while sets.count > 1 { sets.removeLast() }
  }

  @Test(.disabled(if: junctor_thread_sanitizer_is_on(), "deeper than the sanitizer can go"))
  func `S10 containers of another make that make ever new sets are an error`() throws {
    struct Endless: ServicesProvider {
      func service<P: Sendable>(_ type: P.Type, name: ServiceName?) throws -> P? {
        try Services("new", alternate: Endless()).service(type, name: name)
      }
    }
    let error = try #require(throws: ServiceError.self) {
      try Services("first", alternate: Endless()).require((any Alpha).self)
    }
    #expect(error.code == .tooDeep)
  }

  @Test func `S6 the alternate may be changed at any time`() throws {
    let child = Services("child")
    #expect(child.alternateServices == nil)
    #expect(child[(any Alpha).self] == nil)
    app.set((any Alpha).self, to: Thing("app's"))
    child.alternateServices = app
    #expect(child.alternateServices as? Services === app)
    #expect(child[(any Alpha).self]?.label == "app's")
    child.alternateServices = Foreign(Thing("foreign"))
    #expect(child[(any Alpha).self]?.label == "foreign")
    child.alternateServices = nil
    #expect(child[(any Alpha).self] == nil)
  }

  @Test func `S6 an alternate that is no longer used dies`() throws {
    let child = Services("child")
    weak var watched: Services?
    do {
      let parent = Services("parent")
      watched = parent
      child.alternateServices = parent
    }
    #expect(watched != nil)
    child.alternateServices = nil
    #expect(watched == nil)
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `S6 a ring of alternates ends and is reported once`(length: Int) throws {
    let sets = (0..<length).map { Services("set \($0)") }
    defer { sets[0].alternateServices = nil }
    let diagnostics = Diagnostics()
    diagnostics.collect {
      for (index, set) in sets.enumerated() {
        set.alternateServices = sets[(index + 1) % length]
      }
      #expect(diagnostics.codes == ["services.ring"])
      sets[length - 1].set((any Alpha).self, to: Thing("last"))
      #expect(sets[0][(any Alpha).self]?.label == "last")
      for set in sets { #expect(set[(any Beta).self] == nil) }
    }
    #expect(diagnostics.codes == ["services.ring"])
  }

  @Test func `S6 a ring is reported where it was closed, and anew when it is closed anew`() {
    let sets = (0..<4).map { Services("set \($0)") }
    defer { sets[0].alternateServices = nil }
    let diagnostics = Diagnostics()
    diagnostics.collect {
      for (index, set) in sets.enumerated() { set.alternateServices = sets[(index + 1) % 4] }
      for set in sets { _ = set[(any Alpha).self] }
      #expect(diagnostics.codes == ["services.ring"])
      #expect(diagnostics.all.last?.message.contains("'set 3'") == true)
      sets[1].alternateServices = nil
      sets[1].alternateServices = sets[2]
      for set in sets { _ = set[(any Alpha).self] }
      #expect(diagnostics.all.last?.message.contains("'set 1'") == true)
    }
    #expect(diagnostics.codes == ["services.ring", "services.ring"])
  }

  @Test func `S6 threads that come upon a ring at once report it once`() {
    for _ in 0..<50 {
      let sets = (0..<3).map { Services("set \($0)") }
      for (index, set) in sets.enumerated().dropLast() { set.alternateServices = sets[index + 1] }
      let reports = Counter()
      onThreads(4) { thread in
        Junctor.withDiagnostics({ _ in reports.next() }) {
          if thread == 0 { sets[2].alternateServices = sets[0] }
          for set in sets { _ = set[(any Alpha).self] }
        }
      }
      #expect(reports.value == 1)
      sets[0].alternateServices = nil
    }
  }

  @Test func `S6 a decorator in a ring of alternates ends, with await too`() async throws {
    let first = Services("first")
    let second = Services("second", alternate: first)
    defer { first.alternateServices = nil }
    for set in [first, second] {
      set.decorate((any Alpha).self) { inner, _ in Thing("<\(inner.label)>") }
    }
    Diagnostics().collect {
      first.alternateServices = second
      #expect(first[(any Alpha).self] == nil)
    }
    await #expect(throws: ServiceError.self) { try await second.resolve((any Alpha).self) }
    second.set((any Alpha).self, to: Thing("plain"))
    #expect(first[(any Alpha).self]?.label == "<<plain>>")
    #expect(second[(any Alpha).self]?.label == "<plain>")
  }

  @Test func `S6 a set in front of a ring finds its end too`() throws {
    let first = Services("first")
    let second = Services("second", alternate: first)
    let diagnostics = Diagnostics()
    diagnostics.collect {
      first.alternateServices = second
      let outer = Services("outer", alternate: second)
      #expect(outer[(any Alpha).self] == nil)
      #expect(throws: ServiceError.self) { try outer.require((any Alpha).self) }
    }
    first.alternateServices = nil
    #expect(!diagnostics.all.isEmpty)
  }

  @Test func `S6 a ring through another container ends and is reported`() throws {
    let first = Services("first")
    let foreign = Foreign(behind: first)
    first.alternateServices = foreign
    defer { first.alternateServices = nil }
    let diagnostics = Diagnostics()
    diagnostics.collect { #expect(first[(any Alpha).self] == nil) }
    #expect(diagnostics.codes == ["services.ring"])
    #expect(foreign.asked.value == 1)
  }

  @Test func `S6 a ring through two other containers is reported once`() throws {
    let (first, second) = (Services("first"), Services("second"))
    first.alternateServices = Foreign(behind: second)
    second.alternateServices = Foreign(behind: first)
    defer { first.alternateServices = nil }
    let diagnostics = Diagnostics()
    diagnostics.collect {
      for set in [first, second, first] { #expect(set[(any Alpha).self] == nil) }
    }
    #expect(diagnostics.codes == ["services.ring"])
  }

  @Test func `S6 another container is not asked for what is made for an argument`() throws {
    let foreign = Foreign(Thing("made for nobody"))
    let child = Services("child", alternate: foreign)
    let error = try #require(throws: ServiceError.self) {
      try child.require((any Alpha).self, argument: 7)
    }
    #expect(error.code == .missing)
    #expect(foreign.asked.value == 0)
    #expect(child[(any Alpha).self] != nil)
  }

  @Test func `S6 a ring that is made while a scope is looked for ends the search`() throws {
    let middle = Services("middle", alternate: app)
    let child = Services("child", alternate: middle)
    app.provide((any Alpha).self, lifetime: .scoped("request")) { _ in Thing() }
    middle.provide((any Alpha).self) { [weak child] _ in
      child?.alternateServices = child
      return nil
    }
    defer { child.alternateServices = nil }
    let error = Diagnostics().collect {
      #expect(throws: ServiceError.self) { try child.require((any Alpha).self) }
    }
    #expect(error?.code == .noScope)
  }

  @Test func `S7 the same object is seen from all children and the parent`() throws {
    app.provide((any Alpha).self) { _ in Thing() }
    let one = Services("one", alternate: app)
    let two = Services("two", alternate: app)
    let object = try one.require((any Alpha).self)
    #expect(two[(any Alpha).self] === object)
    #expect(app[(any Alpha).self] === object)
  }

  @Test func `S7 a child's override never reaches the parent's cache`() throws {
    app.set((any Beta).self, to: Thing("app's"))
    app.provide((any Alpha).self) { services in
      Thing(try services.require((any Beta).self).label)
    }
    let child = Services("child", alternate: app)
    child.override((any Beta).self) { _ in Thing("child's") }
    #expect(child[(any Alpha).self]?.label == "app's")
    #expect(app[(any Alpha).self]?.label == "app's")
    #expect(child[(any Beta).self]?.label == "child's")
    #expect(app[(any Beta).self]?.label == "app's")
  }

  @Test func `S7 a provider is given the set that registered it`() throws {
    app.provide((any Alpha).self) { [weak app] services in
      Thing(services === app ? "right" : "wrong")
    }
    let child = Services("child", alternate: app)
    #expect(child[(any Alpha).self]?.label == "right")
  }

  @Test func `S7 wrapping the parent's service of the same protocol is no cycle`() throws {
    app.provide((any Alpha).self) { _ in Thing("inner") }
    let child = Services("child", alternate: app)
    child.provide((any Alpha).self) { services in
      let inner = try services.alternateServices?.service((any Alpha).self, name: nil)
      return Thing("outer of \(inner?.label ?? "none")")
    }
    #expect(child[(any Alpha).self]?.label == "outer of inner")
    #expect(app[(any Alpha).self]?.label == "inner")
  }

  @Test func `S7 a callerScope transient sees what the asking set overrides`() throws {
    app.set((any Beta).self, to: Thing("app's"))
    app.provide((any Alpha).self, lifetime: .callerScope) { services in
      Thing(try services.require((any Beta).self).label)
    }
    let child = Services("child", alternate: app)
    child.set((any Beta).self, to: Thing("child's"))
    #expect(child[(any Alpha).self]?.label == "child's")
    #expect(app[(any Alpha).self]?.label == "app's")
  }

  @Test func `S7 siblings never see each other`() throws {
    let one = Services("one", alternate: app)
    let two = Services("two", alternate: app)
    one.set((any Alpha).self, to: Thing("one's"))
    #expect(two[(any Alpha).self] == nil)
    #expect(app[(any Alpha).self] == nil)
  }

  @Test func `S7 a parent holds no child`() throws {
    app.provide((any Alpha).self) { _ in Thing() }
    weak var watched: Services?
    do {
      let child = Services("child", alternate: app)
      child.set((any Beta).self, to: Thing())
      watched = child
      #expect(child[(any Alpha).self] != nil)
    }
    #expect(watched == nil)
  }

  @Test func `S7 a set may be let go while it resolves`() throws {
    let log = Log()
    func resolve() -> (any Alpha)? {
      var child: Services? = Services("child", alternate: app)
      child?.provide((any Alpha).self) { [weak child] services in
        log.add(child === services ? "alive" : "dead")
        return Thing()
      }
      defer { child = nil }
      return child?[(any Alpha).self]
    }
    #expect(resolve() != nil)
    #expect(log.lines == ["alive"])
  }
}
