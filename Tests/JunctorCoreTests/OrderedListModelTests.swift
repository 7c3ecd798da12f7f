import JunctorTesting
import Testing

@testable import JunctorCore

/// The list against a plain model: an array that is sorted anew at every look.
@Suite struct OrderedListModelTests {
  private struct Model {
    struct Item {
      var id: UInt64
      var priority: Int
      var isPaused = false
    }

    var items: [Item] = []

    mutating func add(_ id: UInt64, _ priority: Int) {
      // Behind all of the same or a higher priority.
      let place = items.firstIndex { $0.priority < priority } ?? items.count
      items.insert(Item(id: id, priority: priority), at: place)
    }

    mutating func place(_ id: UInt64, _ side: ListSide, of anchor: UInt64) {
      guard let index = items.firstIndex(where: { $0.id == anchor }) else { return add(id, 0) }
      items.insert(
        Item(id: id, priority: items[index].priority), at: side == .before ? index : index + 1)
    }

    var callable: [UInt64] { items.filter { !$0.isPaused }.map(\.id) }
  }

  @Test(arguments: [1, 42, 20_261_130] as [UInt64])
  func `a hundred thousand random steps`(seed: UInt64) {
    print("seed \(seed)")
    var random = SplitMix(seed: seed)
    let list = OrderedList()
    var model = Model()
    var tokens: [Registration] = []
    for step in 0..<100_000 {
      let pick = tokens.isEmpty ? 0 : Int(random.next() % UInt64(tokens.count))
      switch random.next() % 16 {
      case 0...4:
        let priority = Int(random.next() % 5) - 2
        let token = list.add(TestEntry(), priority: priority)
        model.add(token.entryID, priority)
        tokens.append(token)
      case 5 where !tokens.isEmpty:
        let side: ListSide = random.next() % 2 == 0 ? .before : .after
        let anchor = tokens[pick].entryID
        let placed = list.add(TestEntry(), side, of: anchor)
        model.place(placed.registration.entryID, side, of: anchor)
        tokens.append(placed.registration)
      case 6...10 where !tokens.isEmpty:
        let token = tokens.remove(at: pick)
        token.cancel()
        model.items.removeAll { $0.id == token.entryID }
      case 11 where !tokens.isEmpty:
        let pause = random.next() % 2 == 0
        if pause { tokens[pick].pause() } else { tokens[pick].resume() }
        if let index = model.items.firstIndex(where: { $0.id == tokens[pick].entryID }) {
          model.items[index].isPaused = pause
        }
      default:
        guard step % 4 == 0 else { continue }
        #expect(list.callable() == model.callable, "seed \(seed), step \(step)")
      }
      if tokens.count > 300 {
        list.removeAll { $0.id % 3 == 0 }
        model.items.removeAll { $0.id % 3 == 0 }
        tokens.removeAll { $0.entryID % 3 == 0 }
      }
    }
    #expect(list.callable() == model.callable)
  }
}
