import Testing

@testable import JunctorCore

@Suite struct OrderedListSpreadTests {
  @Test func `tokens find their entries after ranks were spread`() {
    let list = OrderedList()
    var tokens = [list.add {}]
    let anchor = tokens[0].entryID
    // Each halves the room beside the anchor; after sixteen there is none left, and all get new ranks.
    for _ in 0..<200 {
      let entry = TestEntry()
      tokens.append(list.add(entry, .before, of: anchor).registration)
    }
    #expect(tokens.allSatisfy { $0.isActive })
    for (index, token) in tokens.enumerated() {
      token.cancel()
      #expect(!token.isActive)
      #expect(list.count == tokens.count - index - 1)
    }
  }
}
