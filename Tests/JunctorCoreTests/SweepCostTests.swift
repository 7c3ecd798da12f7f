import Testing

@testable import JunctorCore

@Suite struct SweepCostTests {
  @Test func `an owner of very many entries is cleared away in time`() {
    let list = OrderedList()
    do {
      let owner = Witness()
      for _ in 0..<50_000 { if let entry = TestEntry(owner: owner) { list.add(entry) } }
    }
    var steps = 0
    // A pass over the whole list at every step would take minutes.
    while list.count > 0, steps < 100_000 {
      _ = list.sweep(limit: 16)
      steps += 1
    }
    #expect(list.count == 0)
  }
}
