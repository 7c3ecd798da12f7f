import JunctorCore
import Testing

@testable import JunctorServices

@Suite struct RegisteringTests {
  let services = Services("app")

  @Test func `S1 the last set wins`() throws {
    services.set((any Alpha).self, to: Thing("first"))
    services.set((any Alpha).self, to: Thing("second"))
    #expect(services[(any Alpha).self]?.label == "second")
  }

  @Test func `S1 provide replaces what was set, and set what was provided`() throws {
    services.set((any Alpha).self, to: Thing("set"))
    services.provide((any Alpha).self) { _ in Thing("provided") }
    #expect(services[(any Alpha).self]?.label == "provided")
    services.set((any Alpha).self, to: Thing("set again"))
    #expect(services[(any Alpha).self]?.label == "set again")
  }

  @Test func `S1 a duplicate provide is reported with both sites`() throws {
    let diagnostics = Diagnostics()
    diagnostics.collect {
      services.provide((any Alpha).self, line: 11) { _ in Thing() }
      services.provide((any Alpha).self, line: 22) { _ in Thing() }
    }
    #expect(diagnostics.codes == ["services.duplicate"])
    #expect(diagnostics.all.first?.sites.map(\.line) == [22, 11])
  }

  @Test func `S1 an override is no duplicate, nor is the same in another set`() throws {
    let diagnostics = Diagnostics()
    let child = Services("child", alternate: services)
    diagnostics.collect {
      services.provide((any Alpha).self) { _ in Thing("one") }
      services.override((any Alpha).self) { _ in Thing("two") }
      child.provide((any Alpha).self) { _ in Thing("three") }
    }
    #expect(diagnostics.all.isEmpty)
    #expect(services[(any Alpha).self]?.label == "two")
    #expect(child[(any Alpha).self]?.label == "three")
  }

  @Test func `S1 a replaced object dies, and its deinit may use the set`() throws {
    let log = Log()
    services.set(
      (any Alpha).self,
      to: Thing("old") { [services] in
        log.add(services[(any Alpha).self]?.label ?? "none")
        services.set((any Beta).self, to: Thing("from deinit"))
      })
    services.set((any Alpha).self, to: Thing("new"))
    #expect(log.lines == ["new"])
    #expect(services[(any Beta).self]?.label == "from deinit")
  }

  @Test func `S1 what is removed is asked of the alternate`() throws {
    let child = Services("child", alternate: services)
    services.set((any Alpha).self, to: Thing("app's"))
    child.set((any Alpha).self, to: Thing("child's"))
    #expect(child[(any Alpha).self]?.label == "child's")
    child.remove((any Alpha).self)
    #expect(child[(any Alpha).self]?.label == "app's")
  }

  @Test func `S2 a provider runs at the first request, once`() throws {
    let counter = Counter()
    services.provide((any Alpha).self) { _ in Thing("\(counter.next())") }
    #expect(counter.value == 0)
    let first = try services.require((any Alpha).self)
    #expect(services[(any Alpha).self] === first)
    #expect(counter.value == 1)
  }

  @Test func `S2 a provider that has given its object is let go`() throws {
    let log = Log()
    let capture = Thing("capture") { log.add("gone") }
    func register(_ capture: Thing) {
      services.provide((any Alpha).self) { _ in Thing(capture.label) }
    }
    register(capture)
    weak let watched = capture
    _ = consume capture
    #expect(watched != nil)
    #expect(services[(any Alpha).self]?.label == "capture")
    #expect(log.lines == ["gone"])
  }

  @Test func `S2 registering 10⁵ services keeps each its own`() throws {
    for index in 0..<100_000 {
      services.set(Int.self, name: ServiceName("\(index)"), to: index)
    }
    for index in stride(from: 0, to: 100_000, by: 997) {
      #expect(services[Int.self, name: ServiceName("\(index)")] == index)
    }
    #expect(services[Int.self] == nil)
  }

  @Test func `S4 a provider that returns nil lets the alternate answer, and is asked again`() throws
  {
    let counter = Counter()
    let child = Services("child", alternate: services)
    services.set((any Alpha).self, to: Thing("app's"))
    child.provide((any Alpha).self) { _ in counter.next() < 3 ? nil : Thing("child's") }
    #expect(child[(any Alpha).self]?.label == "app's")
    #expect(child[(any Alpha).self]?.label == "app's")
    #expect(child[(any Alpha).self]?.label == "child's")
    #expect(child[(any Alpha).self]?.label == "child's")
    #expect(counter.value == 3)
  }

  @Test func `S4 a provider that throws is not cached and its error is the cause`() throws {
    let counter = Counter()
    services.provide((any Alpha).self, line: 7) { _ in
      if counter.next() == 1 { throw Trouble() }
      return Thing("second try")
    }
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Alpha).self)
    }
    #expect(error.code == .providerFailed)
    #expect(error.cause as? Trouble == Trouble())
    #expect(error.path.map(\.site.line) == [7])
    #expect(try services.require((any Alpha).self).label == "second try")
  }

  @Test func `S4 the path appears once, however many providers the error passes`() throws {
    services.provide((any Alpha).self, line: 1) { Thing(holding: try $0.require((any Beta).self)) }
    services.provide((any Beta).self, line: 2) { Thing(holding: try $0.require((any Gamma).self)) }
    services.provide((any Gamma).self, line: 3) { _ in throw Trouble() }
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Alpha).self)
    }
    #expect(error.path.map(\.site.line) == [1, 2, 3])
    #expect(error.description.components(separatedBy: "trouble") == 2)
    #expect(error.description.components(separatedBy: "Path:") == 2)
  }

  @Test func `S5 the subscript is nil when nobody provides it, without a report`() throws {
    let diagnostics = Diagnostics()
    diagnostics.collect { #expect(services[(any Alpha).self] == nil) }
    #expect(diagnostics.all.isEmpty)
  }

  @Test func `S5 a provider that fails is reported by the subscript`() throws {
    services.provide((any Alpha).self) { _ in throw Trouble() }
    let diagnostics = Diagnostics()
    diagnostics.collect { #expect(services[(any Alpha).self] == nil) }
    #expect(diagnostics.codes == ["services.providerFailed"])
    #expect(diagnostics.all.first?.message.contains("trouble") == true)
  }

  @Test func `S4 the path names each step once, where an object cannot be held weakly too`() throws
  {
    services.provide(Int.self, lifetime: .weak) { _ in 1 }
    services.provide((any Alpha).self) { services in Thing("\(try services.require(Int.self))") }
    let error = try #require(throws: ServiceError.self) { try services.require((any Alpha).self) }
    #expect(error.code == .notAnObject)
    #expect(error.path.map(\.key) == [ServiceKey((any Alpha).self), ServiceKey(Int.self)])
  }

  @Test func `S4 the path names each step once, where one has to ask with await`() throws {
    services.provideOnMainActor((any Beta).self) { _ in Thing() }
    services.alias((any Alpha).self, to: (any Beta).self) { $0 as? any Alpha }
    services.provide((any Gamma).self) { services in
      Thing(holding: try services.require((any Alpha).self))
    }
    let error = try #require(throws: ServiceError.self) { try services.require((any Gamma).self) }
    #expect(error.code == .needsAwait)
    #expect(
      error.path.map(\.key) == [
        ServiceKey((any Gamma).self), ServiceKey((any Alpha).self), ServiceKey((any Beta).self),
      ])
  }

  @Test func `S1 what is asynchronous or made for an argument is overridden without a report`()
    async throws
  {
    let diagnostics = Diagnostics()
    diagnostics.collect {
      services.provide((any Alpha).self) { _ in
        await Task.yield()
        return Thing("first")
      }
      services.override((any Alpha).self) { _ in
        await Task.yield()
        return Thing("second")
      }
      services.provide(Int.self, argument: Int.self) { _, number in number }
      services.override(Int.self, argument: Int.self) { _, number in number * 2 }
      services.provide(String.self, argument: Int.self) { _, number in "\(number)" }
      services.override(String.self, argument: Int.self) { _, number in
        await Task.yield()
        return "<\(number)>"
      }
    }
    #expect(diagnostics.codes.isEmpty)
    #expect(try await services.resolve((any Alpha).self).label == "second")
    #expect(try services.require(Int.self, argument: 7) == 14)
    #expect(try await services.resolve(String.self, argument: 7) == "<7>")
  }

  @Test func `S1 what is made for an argument is removed, and asked of the alternate`() throws {
    let child = Services("child", alternate: services)
    services.provide(Int.self, argument: Int.self) { _, number in number }
    child.provide(Int.self, argument: Int.self, lifetime: .cached) { _, number in -number }
    #expect(try child.require(Int.self, argument: 7) == -7)
    child.remove(Int.self, argument: String.self)
    #expect(try child.require(Int.self, argument: 7) == -7)
    child.remove(Int.self, argument: Int.self)
    #expect(try child.require(Int.self, argument: 7) == 7)
  }
}

extension String {
  /// How many pieces a separator cuts the text into.
  func components(separatedBy separator: String) -> Int {
    var count = 1
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
