import JunctorCore
import Synchronization
import Testing

@testable import JunctorServices

@Suite struct SeeingTests {
  @Test func `S17 the wiring shows sets, services, and who was built with what`() throws {
    let app = Services("seen app")
    let child = Services("seen child", alternate: app)
    app.provide((any Beta).self, line: 2) { _ in Thing() }
    child.provide((any Alpha).self, line: 1) { services in
      Thing(holding: try services.require((any Beta).self))
    }
    child.provide((any Gamma).self, name: "later") { _ in Thing() }
    #expect(child[(any Alpha).self] != nil)
    let wiring = Wiring.snapshot()
    func node(_ label: String, in set: String) -> Wiring.Node? {
      let parent = wiring.nodes.first { $0.label == set }?.id
      return wiring.nodes.first { $0.label == label && $0.parent == parent }
    }
    let alpha = try #require(node("Alpha", in: "seen child"))
    let beta = try #require(node("Beta", in: "seen app"))
    let gamma = try #require(node("Gamma (later)", in: "seen child"))
    #expect(alpha.state == .alive && beta.state == .alive && gamma.state == .paused)
    #expect(alpha.kind == .service && alpha.type == "JunctorServicesTests.Alpha")
    #expect(alpha.site?.line == 1)
    #expect(alpha.times["build"] != nil && gamma.times["build"] == nil)
    #expect(
      wiring.edges.contains { $0.kind == .dependsOn && $0.from == alpha.id && $0.to == beta.id })
    let sets = wiring.nodes.filter { ["seen app", "seen child"].contains($0.label) }
    #expect(sets.count == 2)
    #expect(
      wiring.edges.contains { edge in
        edge.kind == .fallsBack && sets.contains { $0.id == edge.from }
          && sets.contains { $0.id == edge.to }
      })
    #expect(
      wiring.edges.contains { $0.kind == .provides && $0.to == gamma.id && $0.label == "cached" })
    withExtendedLifetime(child) {}
  }

  @Test func `S17 what an asynchronous provider asked for is seen too`() async throws {
    let app = Services("seen await")
    app.provide((any Beta).self) { _ in Thing() }
    _ = app[(any Beta).self]
    app.provide((any Alpha).self) { services in
      await Task.yield()
      return Thing(holding: services[(any Beta).self])
    }
    _ = try await app.resolve((any Alpha).self)
    let wiring = Wiring.snapshot()
    let set = try #require(wiring.nodes.first { $0.label == "seen await" })
    let alpha = try #require(wiring.nodes.first { $0.label == "Alpha" && $0.parent == set.id })
    #expect(wiring.edges.contains { $0.kind == .dependsOn && $0.from == alpha.id })
    withExtendedLifetime(app) {}
  }

  @Test func `S17 an edge to what a service was built with names that service's own provider`()
    throws
  {
    let app = Services("seen places")
    app.provide((any Beta).self, fileID: "Kit/Beta.swift", line: 2) { _ in Thing() }
    app.provide((any Alpha).self, fileID: "Kit/Alpha.swift", line: 1) { services in
      Thing(holding: try services.require((any Beta).self))
    }
    _ = try app.require((any Alpha).self, fileID: "Kit/Main.swift", line: 7)
    let wiring = Wiring.snapshot()
    let set = try #require(wiring.nodes.first { $0.label == "seen places" })
    let alpha = try #require(wiring.nodes.first { $0.label == "Alpha" && $0.parent == set.id })
    let edge = try #require(wiring.edges.first { $0.kind == .dependsOn && $0.from == alpha.id })
    #expect(edge.site?.fileID == "Kit/Alpha.swift" && edge.site?.line == 1)
    withExtendedLifetime(app) {}
  }

  @Test func `S17 a set that only decorates is seen, and so are decorators beside a provider`()
    throws
  {
    let app = Services("seen below")
    app.provide((any Beta).self) { _ in Thing() }
    app.decorate((any Beta).self) { beta, _ in beta }
    let child = Services("seen decorating", alternate: app)
    child.decorate((any Beta).self, fileID: "Kit/Decorator.swift", line: 5) { beta, _ in beta }
    _ = try child.require((any Beta).self)
    let wiring = Wiring.snapshot()
    func labels(_ set: String) -> [String?] {
      let id = wiring.nodes.first { $0.label == set }?.id
      return wiring.edges.filter { $0.kind == .provides && $0.from == id }.map(\.label)
    }
    #expect(labels("seen decorating") == ["1 decorator"])
    #expect(labels("seen below") == ["cached, 1 decorator"])
    #expect(
      wiring.nodes.contains { $0.label == "Beta" && $0.site?.fileID == "Kit/Decorator.swift" })
    withExtendedLifetime(child) {}
  }

  @Test func `S17 a set that dies leaves the wiring`() {
    do {
      let set = Services("short-lived")
      set.set(Int.self, to: 1)
      #expect(Wiring.snapshot().nodes.contains { $0.label == "short-lived" })
      withExtendedLifetime(set) {}
    }
    #expect(!Wiring.snapshot().nodes.contains { $0.label == "short-lived" })
  }

  @Test func `S17 what a provider is given is noted while others run, and what others ask is not`()
    async throws
  {
    let (app, gate) = (Services("noted"), AsyncGate())
    app.set((any Beta).self, to: Thing())
    app.set((any Beta).self, name: "named", to: Thing())
    app.set(Int.self, to: 1)
    app.provide((any Alpha).self) { services in
      _ = (services[(any Beta).self], services[(any Beta).self, name: "named"])
      await gate.wait()
      return Thing()
    }
    async let alpha = app.resolve((any Alpha).self)
    await until { app.waiters(of: ServiceKey((any Alpha).self)) == 1 }
    #expect(app[Int.self] == 1)
    #expect(try app.require((any Beta).self) === app[(any Beta).self])
    await gate.open()
    _ = try await alpha
    let record = app.slot(ServiceKey((any Alpha).self))?.state.withLock { $0.record }
    let keys = record?.dependencies.compactMap { $0.slot.slot?.key }
    #expect(keys == [ServiceKey((any Beta).self), ServiceKey((any Beta).self, name: "named")])
  }
}
