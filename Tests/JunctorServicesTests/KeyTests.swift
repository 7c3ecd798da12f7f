import JunctorCore
import Testing

@testable import JunctorServices

enum Elsewhere {
  protocol Beta: Sendable {}
  struct Box<Content> { struct Lid: Sendable {} }
}

private enum Other {
  protocol Alpha: AnyObject, Sendable {}
  final class Thing: Alpha {}
}

private protocol Box<Content>: Sendable {
  associatedtype Content: Sendable
  var content: Content { get }
}
private struct Full<Content: Sendable>: Box { let content: Content }

/// An argument whose comparison uses the very set that it is asked with.
private struct Curious: Hashable, Sendable {
  let number: Int
  let services: Services

  static func == (left: Curious, right: Curious) -> Bool {
    left.look()
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) {
    look()
    // All in one place, so that they have to be compared.
    hasher.combine(1)
  }

  private func look() {
    _ = services.isClosed
    services.set(Int.self, to: number)
  }
}

@Suite struct KeyTests {
  let services = Services("app")

  @Test func `S9 the same protocol under several names is several services`() throws {
    services.set((any Alpha).self, to: Thing("none"))
    services.set((any Alpha).self, name: "one", to: Thing("one"))
    services.provide((any Alpha).self, name: "two") { _ in Thing("two") }
    #expect(services[(any Alpha).self]?.label == "none")
    #expect(services[(any Alpha).self, name: "one"]?.label == "one")
    #expect(try services.require((any Alpha).self, name: "two").label == "two")
    #expect(services[(any Alpha).self, name: "three"] == nil)
  }

  @Test func `S9 protocols of the same name from different places are two services`() throws {
    services.set((any Alpha).self, to: Thing("test's"))
    #expect(services[(any Other.Alpha).self] == nil)
    let other = Other.Thing()
    services.set((any Other.Alpha).self, to: other)
    #expect(services[(any Other.Alpha).self] === other)
    #expect(services[(any Alpha).self]?.label == "test's")
  }

  @Test func `S9 one object under several protocols is one object`() throws {
    services.provide(Thing.self) { _ in Thing() }
    services.alias((any Alpha).self, to: Thing.self) { $0 }
    services.alias((any Beta).self, to: Thing.self) { $0 }
    let alpha = try services.require((any Alpha).self)
    let beta = try services.require((any Beta).self)
    #expect(alpha === beta)
    #expect(services[Thing.self] === alpha)
  }

  @Test func `S9 generic types and primary associated types are keys of their own`() throws {
    services.set((any Box<Int>).self, to: Full(content: 1))
    services.set((any Box<String>).self, to: Full(content: "text"))
    services.set([Int].self, to: [1, 2])
    #expect(services[(any Box<Int>).self]?.content == 1)
    #expect(services[(any Box<String>).self]?.content == "text")
    #expect(services[[Int].self] == [1, 2])
    #expect(services[[String].self] == nil)
  }

  @Test func `S9 a provider is given the argument it is asked with`() throws {
    services.provide((any Alpha).self, argument: Int.self) { _, number in Thing("\(number)") }
    let first = try services.require((any Alpha).self, argument: 7)
    #expect(first.label == "7")
    #expect(try services.require((any Alpha).self, argument: 7) !== first)
    #expect(throws: ServiceError.self) { try services.require((any Alpha).self) }
    #expect(throws: ServiceError.self) {
      try services.require((any Alpha).self, argument: "seven")
    }
  }

  @Test func `S9 with the lifetime cached there is one object for each argument`() throws {
    let counter = Counter()
    services.provide((any Alpha).self, argument: Int.self, lifetime: .cached) { _, number in
      Thing("\(number) of \(counter.next())")
    }
    let child = Services("child", alternate: services)
    let seven = try child.require((any Alpha).self, argument: 7)
    #expect(try services.require((any Alpha).self, argument: 7) === seven)
    #expect(try services.require((any Alpha).self, argument: 8).label == "8 of 2")
  }

  @Test func `S9 comparing arguments may use the set: no lock is held meanwhile`() throws {
    let counter = Counter()
    services.provide((any Alpha).self, argument: Curious.self, lifetime: .cached) { _, curious in
      Thing("\(curious.number) of \(counter.next())")
    }
    let objects = try (0..<5).map {
      try services.require((any Alpha).self, argument: Curious(number: $0, services: services))
    }
    #expect(objects.map(\.label) == ["0 of 1", "1 of 2", "2 of 3", "3 of 4", "4 of 5"])
    for (index, object) in objects.enumerated() {
      let again = try services.require(
        (any Alpha).self, argument: Curious(number: index, services: services))
      #expect(again === object)
    }
    // The set holds the arguments, and they hold the set.
    services.override((any Alpha).self, to: Thing())
  }

  @Test func `S9 under a race there is one object for each argument`() {
    for _ in 0..<200 {
      let services = Services("app")
      let counter = Counter()
      services.provide((any Alpha).self, argument: Int.self, lifetime: .cached) { _, number in
        counter.next()
        return Thing("\(number)")
      }
      onThreads(4) { _ in
        for number in 0..<10 { _ = try? services.require((any Alpha).self, argument: number) }
      }
      #expect(counter.value == 10)
    }
  }

  @Test func `S9 a recursion over smaller arguments is no cycle, over the same one it is`() throws {
    services.provide(Int.self, argument: Int.self) { services, number in
      number == 0 ? 0 : try services.require(Int.self, argument: number - 1) + number
    }
    #expect(try services.require(Int.self, argument: 100) == 5_050)
    services.provide(Int.self, name: "same", argument: Int.self) { services, number in
      try services.require(Int.self, name: "same", argument: number)
    }
    let error = try #require(throws: ServiceError.self) {
      try services.require(Int.self, name: "same", argument: 1)
    }
    #expect(error.code == .cycle)
  }

  @Test func `S11 the error names the type, who asked, and the sets searched`() throws {
    let child = Services("profile", alternate: services)
    let error = try #require(throws: ServiceError.self) {
      try child.require((any Alpha).self, fileID: "App/Profile.swift", line: 42)
    }
    #expect(error.code == .missing)
    #expect(error.key == ServiceKey((any Alpha).self))
    #expect(error.sites.first?.description == "App/Profile.swift:42")
    #expect(error.message.hasPrefix("Can't find 'JunctorServicesTests.Alpha', asked for at "))
    #expect(error.message.contains("App/Profile.swift:42"))
    #expect(error.message.contains("'profile', 'app'"))
    #expect(error.message.contains("provide((any Alpha).self)"))
  }

  private func message(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return ""
  }

  @Test func `S11 the cure is written as the type is`() {
    services.set((any Beta).self, to: Thing())
    let both = message { _ = try services.require((any Alpha & Beta).self) }
    #expect(both.contains("'provide((any Alpha & Beta).self)'"))
    #expect(!both.contains("of another module"))
    let nested = message { _ = try services.require((any Elsewhere.Beta).self) }
    #expect(nested.contains("'provide((any Elsewhere.Beta).self)'"))
    #expect(nested.contains("a type of another module or place"))
    #expect(
      message { _ = try services.require((Int, String).self) }.contains(
        "'provide((Int, String).self)'"))
    #expect(
      message { _ = try services.require([Thing].self) }.contains(
        "'provide(Array<JunctorServicesTests.Thing>.self)'"))
    #expect(
      message { _ = try services.require((@Sendable (Thing) -> Elsewhere.Box<Thing>.Lid).self) }
        .contains(
          "@Sendable (Thing) -> Elsewhere.Box<JunctorServicesTests.Thing>.Lid"))
  }

  @Test func `S11 what is near is looked for when the error is read, and the error holds no set`()
    throws
  {
    weak var watched: Services?
    var error: ServiceError?
    do {
      let set = Services("short-lived")
      watched = set
      // Not by a macro: it would read the error.
      do {
        _ = try set.require((any Alpha).self)
      } catch let thrown as ServiceError { error = thrown }
      set.set((any Alpha).self, name: "later", to: Thing())
      #expect(error?.message.contains("'short-lived' has one named 'later'") == true)
      set.set((any Alpha).self, name: "latest", to: Thing())
      #expect(error?.message.contains("latest") == false)
    }
    #expect(watched == nil)
    #expect(error?.description.contains("later") == true)
    #expect(error?.key == ServiceKey((any Alpha).self))
  }

  @Test func `S11 near misses: another name, another module, only in front`() throws {
    services.set((any Alpha).self, name: "spare", to: Thing())
    let other = Services("other")
    other.set((any Other.Alpha).self, to: Other.Thing())
    services.alternateServices = other
    let child = Services("child", alternate: services)
    child.set((any Alpha).self, to: Thing())
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Alpha).self)
    }
    #expect(error.message.contains("'app' has one named 'spare': ask with 'name: \"spare\"'."))
    #expect(
      error.message.contains("Or register it with 'provide((any Alpha).self)' in one of these."))
    #expect(error.message.contains("a type of another module or place"))
    #expect(error.message.contains("Only 'child', which is in front of 'app', has it"))
    withExtendedLifetime(child) {}
  }

  @Test func `S11 a service that a provider misses is reported with the path to it`() throws {
    services.provide((any Alpha).self, line: 1) { Thing(holding: try $0.require((any Beta).self)) }
    services.provide((any Beta).self, line: 2) { Thing(holding: try $0.require((any Gamma).self)) }
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Alpha).self)
    }
    #expect(error.code == .missing)
    #expect(error.key == ServiceKey((any Gamma).self))
    #expect(error.path.map(\.site.line) == [1, 2])
  }
}
