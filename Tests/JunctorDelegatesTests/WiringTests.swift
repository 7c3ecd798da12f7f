import JunctorDelegates
import Testing

@Suite struct DelegateWiringTests {
  @Test func `D5 the wiring shows multicasts and their living targets`() throws {
    let log = Log()
    let outer = EarTrumpet()
    defer { withExtendedLifetime(outer) {} }
    let inner = EarTrumpet()
    defer { withExtendedLifetime(inner) {} }
    let ear = Ear("a", log)
    defer { withExtendedLifetime(ear) {} }
    outer.targets.add(inner)
    inner.targets.add(ear, retaining: true)
    outer.targets.add(Ear("dead", log))
    let wiring = Wiring.snapshot()
    let edges = wiring.edges.filter { edge in
      edge.kind == .delegates && edge.site?.fileID.hasSuffix("WiringTests.swift") == true
    }
    #expect(edges.count == 2)
    let toInner = try #require(edges.first { $0.label == nil })
    let toEar = try #require(edges.first { $0.label == "retained" })
    #expect(toInner.to == toEar.from)
    let node = try #require(wiring.nodes.first { $0.id == toInner.to })
    #expect(node.kind == .multicast && node.label == "trumpet")
    #expect(wiring.nodes.first { $0.id == toEar.to }?.label == "Ear")
  }
}
