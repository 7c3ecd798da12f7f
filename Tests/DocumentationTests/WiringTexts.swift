import Junctor
import JunctorWiring
import Testing

// What the articles about the wiring show.
private func draw() throws {
  try Wiring.snapshot().write(to: "wiring.svg", theme: .dark)
}

private func record(_ work: () -> Void) throws {
  Wiring.History.start()
  work()
  try Wiring.snapshot().write(to: "wiring.svg")  // with those who posted
  for event in Wiring.History.page().events { print(event) }
  Wiring.History.stop()
}

private func look(for text: String) -> [String] {
  let wiring = Wiring.snapshot()
  let part = wiring.neighbourhood(of: wiring.nodes(matching: text), depth: 2)
  for finding in part.findings { print(finding) }
  return part.nodes.map(\.label)
}

@Suite struct `Texts about the wiring` {
  @Test func `a part of the wiring is what is near`() {
    let services = Services("texts about the wiring")
    services.set(Int.self, to: 1)
    #expect(look(for: "texts about the wiring").contains("texts about the wiring"))
    withExtendedLifetime(services) {}
    _ = (draw, record)
  }
}
