import JunctorCore
import Testing

@testable import JunctorHandover

@Suite struct `Receivers in the wiring` {
  final class WiredReceiver: ResultProvider {
    typealias Result = Int
    let handoverSlot = HandoverSlot<Int>()
    var isReady = true
    func prepare(with model: Int?) {}
  }
  final class WiredSender {}

  private func node(_ wiring: Wiring, _ type: Any.Type) -> Wiring.Node? {
    wiring.nodes.first { $0.type == String(reflecting: type) }
  }

  @Test func `a receiver shows with its sender, what waits and who awaits a result`() {
    let receiver = WiredReceiver()
    let sender = WiredSender()
    receiver.handOver(1, from: sender)
    receiver.handOver(2, from: sender)
    let request = receiver.request(3, for: sender) { _, _ in }
    receiver.isReady = false
    receiver.handOver(4)

    var wiring = Wiring.snapshot()
    let node = node(wiring, WiredReceiver.self)
    #expect(node?.kind == .receiver)
    #expect(node?.state == .pending(1))
    #expect(node?.counters["handovers"] == 3)
    #expect(node?.site?.fileID == "JunctorHandoverTests/WiringTests.swift")
    let edges = wiring.edges.filter { $0.to == node?.id }
    #expect(edges.map(\.kind) == [.handedOver, .awaitsResult])
    #expect(edges.first?.counters["handovers"] == 3)
    let origin = wiring.nodes.first { $0.id == edges.first?.from }
    #expect(origin?.type == String(reflecting: WiredSender.self))

    request.cancel()
    receiver.becomeReady()
    wiring = Wiring.snapshot()
    let later = self.node(wiring, WiredReceiver.self)
    #expect(later?.state == .alive)
    #expect(!wiring.edges.contains { $0.to == later?.id && $0.kind == .awaitsResult })
  }

  @Test func `a receiver that has gone is not shown and is not kept`() {
    final class Passing: DataReceiver {
      let handoverSlot = HandoverSlot<Int>()
      func prepare(with model: Int?) {}
    }
    var receiver: Passing? = Passing()
    weak let watched = receiver
    receiver?.handOver(1)
    #expect(node(Wiring.snapshot(), Passing.self) != nil)
    receiver = nil
    #expect(watched == nil)
    #expect(node(Wiring.snapshot(), Passing.self) == nil)
  }
}
