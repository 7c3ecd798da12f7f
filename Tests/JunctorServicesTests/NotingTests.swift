import CJunctorServices
import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

/// What a provider was given is noted, however quickly it was found.
@Suite struct NotingTests {
  let app = Services("app")

  /// What the last run of a provider was given, in the order in which it was.
  private func given(_ key: ServiceKey, in set: Services) throws -> [ServiceKey?] {
    let slot = try #require(set.slot(key))
    let record = try #require(slot.state.withLock { $0.record })
    return record.dependencies.map { $0.slot.slot?.key }
  }

  @Test(arguments: [ServiceLifetime.cached, .transient, .callerScope])
  func `S17 all that a provider is given is noted once, also what it asks for in turns`(
    _ lifetime: ServiceLifetime
  ) throws {
    let names = (0..<11).map { ServiceName("\($0)") }
    let child = Services("child", alternate: app)
    for name in names {
      app.provide((any Beta).self, name: name, lifetime: lifetime) { _ in Thing() }
    }
    app.provide(Int.self, lifetime: lifetime) { _ in 1 }
    child.provide((any Alpha).self) { services in
      for round in 0..<3 {
        for name in round == 1 ? names.reversed() : names {
          _ = services[(any Beta).self, name: name]
          _ = try services.require((any Beta).self, name: name)
          _ = (services[Int.self], try services.require(Int.self))
        }
      }
      return Thing()
    }
    _ = try child.require((any Alpha).self)
    var expected = names.map { ServiceKey((any Beta).self, name: $0) }
    expected.insert(ServiceKey(Int.self), at: 1)
    #expect(try given(ServiceKey((any Alpha).self), in: child) == expected)
  }

  @Test func `S17 a provider that is given twenty thousand services is soon done noting them`()
    throws
  {
    let count = 20_000
    let names = (0..<count).map { ServiceName("\($0)") }
    for name in names { app.set(Int.self, name: name, to: 1) }
    let sum = Mutex(0)
    app.provide((any Alpha).self) { services in
      // Twice, and not in turns, so that none of them is what was noted last.
      for _ in 0..<2 {
        for name in names {
          let value = services[Int.self, name: name] ?? 0
          sum.withLock { $0 += value }
        }
      }
      return Thing()
    }
    let began = ContinuousClock.now
    _ = try app.require((any Alpha).self)
    let took = ContinuousClock.now - began
    #expect(sum.withLock { $0 } == 2 * count)
    let slot = try #require(app.slot(ServiceKey((any Alpha).self)))
    let known = try #require(slot.state.withLock { $0.record }).dependencies
    #expect(known.count == count)
    #expect(Set(known.map(\.slotID)).count == count)
    // A look through all of them at each would be eight hundred million steps.
    #expect(took < .seconds(20))
  }

  @Test func `S17 what an inner provider is given is not noted for the outer, and may be for both`()
    throws
  {
    for index in 0..<3 {
      app.provide(Int.self, name: ServiceName("\(index)"), lifetime: .transient) { _ in index }
    }
    app.provide((any Beta).self) { services in
      _ = (services[Int.self, name: "1"], services[Int.self, name: "2"])
      return Thing()
    }
    app.provide((any Alpha).self) { services in
      _ = services[Int.self, name: "0"]
      _ = try services.require((any Beta).self)
      _ = services[Int.self, name: "1"]
      return Thing()
    }
    _ = try app.require((any Alpha).self)
    #expect(
      try given(ServiceKey((any Alpha).self), in: app)
        == [
          ServiceKey(Int.self, name: "0"), ServiceKey((any Beta).self),
          ServiceKey(Int.self, name: "1"),
        ])
    #expect(
      try given(ServiceKey((any Beta).self), in: app)
        == [ServiceKey(Int.self, name: "1"), ServiceKey(Int.self, name: "2")])
  }

  @Test func `S17 what a transient is given counts as given to what it is made for`() throws {
    app.set(String.self, to: "part")
    app.provide(Int.self, lifetime: .transient) { try $0.require(String.self).count }
    app.provide((any Alpha).self) { services in
      Thing("\(try services.require(Int.self))\(try services.require(Int.self))")
    }
    #expect(try app.require((any Alpha).self).label == "44")
    #expect(
      try given(ServiceKey((any Alpha).self), in: app)
        == [ServiceKey(Int.self), ServiceKey(String.self)])
  }

  @Test func `S17 what is given on a stack of its own is noted with the rest`() throws {
    app.set(String.self, to: "deep")
    let depth = 600
    for index in 0...depth {
      app.provide(Int.self, name: ServiceName("\(index)"), lifetime: .transient) { services in
        if index < depth {
          return try services.require(Int.self, name: ServiceName("\(index + 1)"))
        }
        return try services.require(String.self).count
      }
    }
    app.provide((any Alpha).self) { services in
      Thing("\(try services.require(Int.self, name: "0"))")
    }
    #expect(try app.require((any Alpha).self).label == "4")
    let keys = try given(ServiceKey((any Alpha).self), in: app)
    #expect(keys.count == depth + 2 && keys.last == ServiceKey(String.self))
  }

  @Test func `S12 what an asynchronous provider is given the quick way is noted, before and after`()
    async throws
  {
    app.set(String.self, to: "there")
    app.provide(Int.self, lifetime: .transient) { try $0.require(String.self).count }
    app.provide(Int.self, name: "n", lifetime: .transient) { _ in 2 }
    app.provide((any Alpha).self) { services in
      let before = try services.require(Int.self)
      await Task.yield()
      return Thing("\(before)\(services[Int.self, name: "n"] ?? 0)")
    }
    #expect(try await app.resolve((any Alpha).self).label == "52")
    #expect(
      try given(ServiceKey((any Alpha).self), in: app)
        == [ServiceKey(Int.self), ServiceKey(String.self), ServiceKey(Int.self, name: "n")])
  }

  @Test func `S5 what nobody provides is nil inside a provider as well, and not noted`() throws {
    app.provide((any Alpha).self) { services in
      #expect(services[(any Beta).self] == nil && services[(any Beta).self, name: "b"] == nil)
      let error = #expect(throws: ServiceError.self) { try services.require((any Beta).self) }
      #expect(error?.code == .missing)
      return Thing()
    }
    _ = try app.require((any Alpha).self)
    #expect(try given(ServiceKey((any Alpha).self), in: app).isEmpty)
  }

  @Test
  func `S6 a set whose transient is being made stays until it is made, also if it is replaced`()
    throws
  {
    let log = Log()
    let child = Services("child")
    do {
      let old = Services("old")
      old.set(String.self, to: "old")
      let witness = Thing { log.add("gone") }
      old.provide((any Alpha).self, lifetime: .transient) { services in
        child.alternateServices = nil
        log.add(child[(any Alpha).self] == nil ? "replaced" : "still there")
        withExtendedLifetime(witness) {}
        return Thing(try services.require(String.self))
      }
      child.alternateServices = old
    }
    #expect(try child.require((any Alpha).self).label == "old")
    #expect(log.lines == ["replaced", "gone"])
  }

  @Test func `S1 a transient's provider that is replaced while it runs lives until it returns`()
    throws
  {
    let log = Log()
    do {
      let witness = Thing { log.add("gone") }
      app.provide((any Alpha).self, lifetime: .transient) { services in
        services.override((any Alpha).self, lifetime: .transient) { _ in Thing("second") }
        log.add("replaced")
        withExtendedLifetime(witness) {}
        return Thing("first")
      }
    }
    #expect(try app.require((any Alpha).self).label == "first")
    #expect(log.lines == ["replaced", "gone"])
    #expect(try app.require((any Alpha).self).label == "second")
  }

  @Test func `S9 names of every length are told apart by each of their bytes`() {
    _ = Services("names are numbered once there is a set")
    var numbers: Set<UInt> = [ServiceKey.number(of: "")]
    var count = 1
    for length in 1...40 {
      let bytes = [UInt8](repeating: 0x61, count: length)
      for place in 0..<length {
        for letter in [UInt8(0x62), 0x7A] {
          var other = bytes
          other[place] = letter
          numbers.insert(ServiceKey.number(of: ServiceName(String(decoding: other, as: UTF8.self))))
          count += 1
        }
      }
      numbers.insert(ServiceKey.number(of: ServiceName(String(decoding: bytes, as: UTF8.self))))
      count += 1
    }
    #expect(numbers.count == count && !numbers.contains(0))
  }

  @Test(arguments: [
    ("caf\u{E9}", "cafe\u{301}"), ("\u{1E69}", "s\u{307}\u{323}"), ("\u{AC00}", "\u{1100}\u{1161}"),
    ("273 K", "273 \u{212A}"), ("who;", "who\u{37E}"), ("`", "\u{1FEF}"),
    ("a long name that ends in \u{F6}", "a long name that ends in o\u{308}"),
  ])
  func `S9 names that are equal are one name, whatever their bytes`(_ one: String, _ other: String)
    throws
  {
    #expect(one == other && !one.utf8.elementsEqual(other.utf8))
    let child = Services("child", alternate: app)
    app.set(Int.self, name: ServiceName(one), to: 1)
    #expect(child[Int.self, name: ServiceName(other)] == 1)
    app.set(Int.self, name: ServiceName(other), to: 2)
    #expect(child[Int.self, name: ServiceName(one)] == 2)
    #expect(try child.require(Int.self, name: ServiceName(one)) == 2)
    app.remove(Int.self, name: ServiceName(other))
    #expect(child[Int.self, name: ServiceName(one)] == nil)
    app.provide(Int.self, name: ServiceName(other), lifetime: .transient) { _ in 3 }
    #expect(child[Int.self, name: ServiceName(one)] == 3)
  }
}
