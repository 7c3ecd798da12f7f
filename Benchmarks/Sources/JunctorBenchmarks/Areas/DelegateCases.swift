import Junctor

/// Multicast delegates, compared with a hand-written loop over weak references.
let delegateCases: [Case] =
  [1, 3, 10, 100].map { count in
    Case(
      "delegates", "void call, weak targets", "\(count)",
      baseline: Baseline(name: "weak boxes", work: Floor.weakBoxes(count)),
      must: [.ratio(1.3), .allocations(0)], call(to: count))
  }
  + [1_000, 10_000, 100_000].map { count in
    Case(
      "delegates", "void call, for each of many", "\(count)", batch: count,
      baseline: Baseline(name: "weak boxes", work: Floor.weakBoxes(count)),
      must: [.ratio(1.3), .allocations(0)], call(to: count))
  }
  + [
    Case(
      "delegates", "call, nobody there", must: [.allocations(0)], call(to: 0)),
    Case(
      "delegates", "call with the last result", "3",
      baseline: Baseline(name: "void call", work: .loop(call(to: 3))),
      must: [.ratio(1.2), .allocations(0)]
    ) {
      let (list, targets) = multicast(to: 3)
      return { turns in
        var sum = 0
        for turn in 0..<turns { sum &+= list.last { $0.answer(turn) } ?? 0 }
        consume(sum)
        consume(targets)
      }
    },
    Case("delegates", "add and remove a target", "1") { addAndRemove(besides: 0) },
    Case("delegates", "add and remove a target", "10000") { addAndRemove(besides: 10_000) },
    Case(
      "delegates", bytesOf: "weak target", count: 1_000_000,
      baseline: Baseline(
        name: "weak boxes",
        work: .memory(1_000_000) { count in
          let targets = (0..<count).map { _ in Target() }
          return { targets.map(WeakBox.init) }
        })
    ) { count in
      let targets = (0..<count).map { _ in Target() }
      return {
        let list = MulticastList<any Answering>()
        for target in targets { list.add(target) }
        return (list, targets)
      }
    },
  ]

/// A protocol as a user would write it.
private protocol Answering: Listener {
  /// Answers a question.
  func answer(_ value: Int) -> Int
}

private final class Target: Answering {
  private var sum = 0
  func hear(_ value: Int) { sum &+= value }
  func answer(_ value: Int) -> Int { value &+ 1 }
}

private func multicast(to count: Int) -> (MulticastList<any Answering>, [Target]) {
  let list = MulticastList<any Answering>()
  let targets = (0..<count).map { _ in Target() }
  for target in targets { list.add(target) }
  return (list, targets)
}

private func call(to count: Int) -> @Sendable () -> Operation {
  {
    let (list, targets) = multicast(to: count)
    return { turns in
      for turn in 0..<turns { list.forEach { $0.hear(turn) } }
      consume(targets)
    }
  }
}

private func addAndRemove(besides count: Int) -> Operation {
  let (list, targets) = multicast(to: count)
  let target = Target()
  return { turns in
    for _ in 0..<turns {
      list.add(target)
      list.remove(target)
    }
    consume(targets)
  }
}
