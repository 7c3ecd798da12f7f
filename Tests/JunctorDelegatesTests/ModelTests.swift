import JunctorDelegates
import JunctorTesting
import Testing

/// A multicast as plain arrays, to compare the real one with.
private struct Model {
  struct Row {
    var node: Int
    var priority: Int
  }

  /// Who is on each multicast's list, in order.
  var lists: [[Row]]

  func reaches(_ goal: Int, from start: Int) -> Bool {
    start == goal || lists[start].contains { $0.node < lists.count && reaches(goal, from: $0.node) }
  }

  mutating func add(_ node: Int, to list: Int, priority: Int) -> MulticastAddition.Outcome {
    if let refusal = refusal(node, list) { return refusal }
    let place = lists[list].firstIndex { $0.priority < priority } ?? lists[list].count
    lists[list].insert(Row(node: node, priority: priority), at: place)
    return .added
  }

  mutating func add(
    _ node: Int, to list: Int, beside anchor: Int, before: Bool
  ) -> MulticastAddition.Outcome {
    if let refusal = refusal(node, list) { return refusal }
    guard let index = lists[list].firstIndex(where: { $0.node == anchor }) else {
      _ = add(node, to: list, priority: 0)
      return .appendedWithoutAnchor
    }
    let row = Row(node: node, priority: lists[list][index].priority)
    lists[list].insert(row, at: before ? index : index + 1)
    return .added
  }

  private func refusal(_ node: Int, _ list: Int) -> MulticastAddition.Outcome? {
    if node == list { return .refused(.itself) }
    if lists[list].contains(where: { $0.node == node }) { return .alreadyThere }
    if node < lists.count, reaches(list, from: node) { return .refused(.cycle) }
    return nil
  }

  mutating func remove(_ node: Int, from list: Int) -> Bool {
    let count = lists[list].count
    lists[list].removeAll { $0.node == node }
    return lists[list].count < count
  }

  mutating func die(_ node: Int) {
    for list in lists.indices { _ = remove(node, from: list) }
  }

  /// The leaves that a call reaches, in order, when some of them remove others from lists as they are called.
  func call(_ list: Int, _ removals: [Int: (node: Int, list: Int)]) -> (heard: [Int], after: Model)
  {
    var model = self
    var heard: [Int] = []
    func visit(_ list: Int) {
      for row in model.lists[list] {
        // Added again meanwhile does not happen here: what is still there was there from the start.
        guard model.lists[list].contains(where: { $0.node == row.node }) else { continue }
        if row.node < model.lists.count {
          visit(row.node)
        } else {
          heard.append(row.node)
          if let removal = removals[row.node] { _ = model.remove(removal.node, from: removal.list) }
        }
      }
    }
    visit(list)
    return (heard, model)
  }

  /// What a call of the optional method ends with: only some leaves answer it, and they may remove others meanwhile.
  func guess(_ list: Int, _ removals: [Int: (node: Int, list: Int)]) -> (answer: Int?, after: Model)
  {
    var model = self
    func visit(_ list: Int) -> Int? {
      var answer: Int?
      for row in model.lists[list] {
        guard model.lists[list].contains(where: { $0.node == row.node }) else { continue }
        if row.node < model.lists.count {
          answer = visit(row.node) ?? answer
        } else if Self.guesses(row.node) {
          if let removal = removals[row.node] { _ = model.remove(removal.node, from: removal.list) }
          answer = row.node
        }
      }
      return answer
    }
    let answer = visit(list)
    return (answer, model)
  }

  /// Whether a leaf answers the optional method.
  static func guesses(_ node: Int) -> Bool { node % 3 == 0 }
}

@Suite struct ModelTests {
  private static let multicasts = 4
  private static let nodes = 24

  @Test(arguments: [UInt64.random(in: 0...UInt64.max), 1, 2, 3])
  func `D1 to D15 random operations agree with plain arrays`(seed: UInt64) {
    print("seed \(seed)")
    var random = SplitMix(seed: seed)
    let log = Log()
    let trumpets = (0..<Self.multicasts).map { _ in EarTrumpet() }
    defer { withExtendedLifetime(trumpets) {} }
    var ears: [Int: Ear] = [:]
    var tokens: [Int: [(Int, Registration)]] = [:]
    var model = Model(lists: Array(repeating: [], count: Self.multicasts))

    func object(_ node: Int) -> any Listener {
      if node < Self.multicasts { return trumpets[node] }
      if let ear = ears[node] { return ear }
      let ear =
        Model.guesses(node)
        ? Guesser("\(node)", log, value: node) : Ear("\(node)", log, value: node)
      ears[node] = ear
      return ear
    }
    func check(_ addition: MulticastAddition, _ expected: MulticastAddition.Outcome, _ what: String)
    {
      if addition.outcome != expected {
        Issue.record("seed \(seed): \(what): \(addition.outcome), not \(expected)")
      }
    }

    for _ in 0..<25_000 {
      let list = Int.random(in: 0..<Self.multicasts, using: &random)
      let node = Int.random(in: 0..<Self.nodes, using: &random)
      let other = Int.random(in: 0..<Self.nodes, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1:
        let priority = Int.random(in: -1...1, using: &random)
        let expected = model.add(node, to: list, priority: priority)
        let addition = silently { trumpets[list].targets.add(object(node), priority: priority) }
        check(addition, expected, "add")
        if addition.outcome == .added {
          tokens[node, default: []].append((list, addition.registration))
        }
      case 2, 3:
        let before = Bool.random(using: &random)
        let expected = model.add(node, to: list, beside: other, before: before)
        let anchor = object(other)
        let addition = silently {
          before
            ? trumpets[list].targets.add(object(node), before: anchor)
            : trumpets[list].targets.add(object(node), after: anchor)
        }
        check(addition, expected, "add beside")
      case 4:
        let expected = model.remove(node, from: list)
        #expect(trumpets[list].remove(object(node)) == expected, "seed \(seed)")
      case 5:
        // A token removes exactly its own entry, however late.
        guard let token = tokens[node]?.popLast() else { continue }
        if token.1.isActive { _ = model.remove(node, from: token.0) }
        token.1.cancel()
      case 6:
        guard node >= Self.multicasts else { continue }
        model.die(node)
        ears[node] = nil
        tokens[node] = nil
      default:
        var removals: [Int: (node: Int, list: Int)] = [:]
        if Bool.random(using: &random), let ear = ears[other] {
          removals[other] = (node, Int.random(in: 0..<Self.multicasts, using: &random))
          let victim = object(node)
          let from = trumpets[removals[other]?.list ?? 0]
          ear.then = { [weak victim] in if let victim { from.remove(victim) } }
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
          let (expected, after) = model.guess(list, removals)
          let answer = trumpets[list].guess()
          ears[other]?.then = nil
          if answer != expected ?? -1 {
            Issue.record("seed \(seed): \(answer), not \(expected ?? -1)")
            return
          }
          model = after
          continue
        }
        let (heard, after) = model.call(list, removals)
        log.clear()
        trumpets[list].hear("")
        ears[other]?.then = nil
        if log.lines != heard.map({ "\($0) " }) {
          Issue.record("seed \(seed): heard \(log.lines), not \(heard)")
          return
        }
        model = after
      }
      let count = trumpets[list].count
      if count != model.lists[list].count {
        Issue.record("seed \(seed): \(count) targets, not \(model.lists[list].count)")
        return
      }
    }
  }

  private func silently(_ body: () -> MulticastAddition) -> MulticastAddition {
    Junctor.withDiagnostics({ _ in }, operation: body)
  }
}
