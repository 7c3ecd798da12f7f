import CThreadSanitizer
import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

@Suite(.serialized) struct CycleTests {
  let services = Services("app")

  @Test func `S10 a cycle is an error with the whole path and the sites`() throws {
    services.provide((any Alpha).self, line: 1) { Thing(holding: try $0.require((any Beta).self)) }
    services.provide((any Beta).self, line: 2) { Thing(holding: try $0.require((any Gamma).self)) }
    services.provide((any Gamma).self, line: 3) { Thing(holding: try $0.require((any Alpha).self)) }
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Alpha).self)
    }
    #expect(error.code == .cycle)
    #expect(error.path.map(\.site.line) == [1, 2, 3, 1])
    #expect(
      error.message.contains(
        "JunctorServicesTests.Alpha (JunctorServicesTests/CycleTests.swift:1) → "
          + "JunctorServicesTests.Beta (JunctorServicesTests/CycleTests.swift:2) → "
          + "JunctorServicesTests.Gamma (JunctorServicesTests/CycleTests.swift:3) → "
          + "JunctorServicesTests.Alpha."))
  }

  @Test func `S10 a service that asks for itself is a cycle`() throws {
    services.provide((any Alpha).self) { try $0.require((any Alpha).self) }
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Alpha).self)
    }
    #expect(error.code == .cycle)
    #expect(error.path.count == 2)
  }

  @Test func `S10 a cycle is only the part that comes round`() throws {
    services.provide((any Gamma).self, line: 3) { Thing(holding: try $0.require((any Alpha).self)) }
    services.provide((any Alpha).self, line: 1) { Thing(holding: try $0.require((any Beta).self)) }
    services.provide((any Beta).self, line: 2) { Thing(holding: try $0.require((any Alpha).self)) }
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Gamma).self)
    }
    #expect(error.path.map(\.site.line) == [1, 2, 1])
  }

  @Test func `S10 transients that need each other are a cycle`() throws {
    services.provide((any Alpha).self, lifetime: .transient, line: 1) {
      Thing(holding: try $0.require((any Beta).self))
    }
    services.provide((any Beta).self, lifetime: .transient, line: 2) {
      Thing(holding: try $0.require((any Alpha).self))
    }
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Alpha).self)
    }
    #expect(error.code == .cycle)
    #expect(error.path.map(\.site.line) == [1, 2, 1])
  }

  @Test func `S10 a cycle through a transient names it`() throws {
    services.provide((any Alpha).self, line: 1) { Thing(holding: try $0.require((any Beta).self)) }
    services.provide((any Beta).self, lifetime: .transient, line: 2) {
      Thing(holding: try $0.require((any Alpha).self))
    }
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Alpha).self)
    }
    #expect(error.path.map(\.site.line) == [1, 2, 1])
  }

  @Test func `S10 after a cycle everything works that needs no cycle`() throws {
    services.provide((any Alpha).self) { services in
      Thing("alpha", holding: try? services.require((any Beta).self))
    }
    services.provide((any Beta).self) { services in
      Thing("beta", holding: try services.require((any Alpha).self))
    }
    let alpha = try services.require((any Alpha).self)
    #expect((alpha as? Thing)?.inner == nil)
    let beta = try services.require((any Beta).self)
    #expect((beta as? Thing)?.inner as? Thing === alpha)
  }

  @Test func `S10 two threads that build A and B of each other: one error each round, no hang`() {
    let alive = Counter()
    let dead = Counter()
    for round in 0..<10_000 {
      let services = Services("app")
      let errors = Counter()
      services.provide((any Alpha).self) { services in
        alive.next()
        do {
          let beta = try services.require((any Beta).self)
          return Thing("a", holding: beta) { dead.next() }
        } catch {
          errors.next()
          return Thing("a") { dead.next() }
        }
      }
      services.provide((any Beta).self) { services in
        do { return Thing("b", holding: try services.require((any Alpha).self)) } catch {
          errors.next()
          return Thing("b")
        }
      }
      onThreads(2) { index in
        if index == 0 {
          _ = services[(any Alpha).self]
        } else {
          _ = services[(any Beta).self]
        }
      }
      if errors.value != 1 { Issue.record("round \(round): \(errors.value) errors") }
    }
    // Nothing of ten thousand refused waits is left.
    #expect(alive.value == 10_000 && dead.value == 10_000)
  }

  @Test func `S10 three threads in a ring get one error`() {
    for round in 0..<500 {
      let services = Services("app")
      let errors = Counter()
      services.provide((any Alpha).self) { services in
        do { return Thing(holding: try services.require((any Beta).self)) } catch {
          errors.next()
          return Thing()
        }
      }
      services.provide((any Beta).self) { services in
        do { return Thing(holding: try services.require((any Gamma).self)) } catch {
          errors.next()
          return Thing()
        }
      }
      services.provide((any Gamma).self) { services in
        do { return Thing(holding: try services.require((any Alpha).self)) } catch {
          errors.next()
          return Thing()
        }
      }
      onThreads(3) { index in
        switch index {
        case 0: _ = services[(any Alpha).self]
        case 1: _ = services[(any Beta).self]
        default: _ = services[(any Gamma).self]
        }
      }
      if errors.value != 1 { Issue.record("round \(round): \(errors.value) errors") }
    }
  }

  @Test(.disabled(if: junctor_thread_sanitizer_is_on(), "deeper than the sanitizer can go"))
  func `S10 a chain of 10 000 services is built without a stack overflow`() throws {
    let depth = 10_000
    for index in 0..<depth {
      services.provide(Int.self, name: ServiceName("\(index)")) { services in
        index == depth - 1
          ? 0 : try services.require(Int.self, name: ServiceName("\(index + 1)")) + 1
      }
    }
    #expect(try services.require(Int.self, name: "0") == depth - 1)
  }

  @Test(.disabled(if: junctor_thread_sanitizer_is_on(), "deeper than the sanitizer can go"))
  func `S10 a cycle of 10 000 services is an error`() throws {
    let depth = 10_000
    for index in 0..<depth {
      services.provide(Int.self, name: ServiceName("\(index)")) { services in
        try services.require(Int.self, name: ServiceName("\((index + 1) % depth)"))
      }
    }
    let error = try #require(throws: ServiceError.self) {
      try services.require(Int.self, name: "0")
    }
    #expect(error.code == .cycle)
    #expect(error.path.count == depth + 1)
  }

  @Test func `S10 a chain of 10 000 sets is searched`() throws {
    var sets = [Services("0")]
    for index in 1...10_000 {
      sets.append(Services("\(index)", alternate: sets[index - 1]))
    }
    sets[0].set((any Alpha).self, to: Thing("root"))
    weak let first = sets[0]
    let last = sets[10_000]
    #expect(last[(any Alpha).self]?.label == "root")
    #expect(last[(any Beta).self] == nil)
    // The whole chain dies at once, without deinits inside deinits.
    sets = []
    #expect(first != nil)
    _ = consume last
    #expect(first == nil)
  }

  @Test(.disabled(if: junctor_thread_sanitizer_is_on(), "deeper than the sanitizer can go"))
  func `S10 endless arguments end with an error`() throws {
    services.provide(Int.self, argument: Int.self) { services, number in
      try services.require(Int.self, argument: number + 1)
    }
    let error = try #require(throws: ServiceError.self) {
      try services.require(Int.self, argument: 0)
    }
    #expect(error.code == .tooDeep)
  }

  @Test func `S10 a decorator in each of 10 000 sets wraps without a stack overflow`() async throws
  {
    var set = Services("0")
    set.set(Int.self, to: 0)
    set.set(String.self, to: "")
    for index in 1...10_000 {
      set = Services("\(index)", alternate: set)
      set.decorate(Int.self) { inner, _ in inner + 1 }
    }
    #expect(set[Int.self] == 10_000)
    set.decorate(Int.self) { inner, _ in
      await Task.yield()
      return inner + 1
    }
    #expect(try await set.resolve(Int.self) == 10_001)
  }

  @Test func `S10 a provider that asks for itself through a set in front is a cycle`() throws {
    services.provide((any Alpha).self) { services in
      try Services("front", alternate: services).require((any Alpha).self)
    }
    let error = try #require(throws: ServiceError.self) {
      try services.require((any Alpha).self)
    }
    #expect(error.code == .cycle && error.path.count == 2)
  }
}
