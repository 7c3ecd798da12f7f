import Junctor
import JunctorMacros

/// Multicasts that the macro wrote, compared with the same loop over weak references.
let macroCases: [Case] =
  [1, 3, 10, 100].map { count in
    Case(
      "delegates", "macro: void call", "\(count)",
      baseline: Baseline(name: "weak boxes", work: Floor.weakBoxes(count)),
      must: [.ratio(1.3), .allocations(0)], deputies(count) { $0.hear($1) })
  }
  + [
    Case(
      "delegates", "macro: call with the last result", "3",
      baseline: Baseline(name: "void call", work: .loop(deputies(3) { consume($0.hear($1)) })),
      must: [.ratio(1.2), .allocations(0)], deputies(3) { consume($0.answer($1)) }),
    Case(
      "delegates", "macro: optional call, all answer", "3",
      baseline: Baseline(name: "weak boxes", work: Floor.weakBoxes(3)), must: [.allocations(0)],
      deputies(3) { consume($0.guess($1)) }),
    Case(
      "delegates", "macro: optional call, nobody answers", "3",
      baseline: Baseline(name: "weak boxes", work: Floor.weakBoxes(3)), must: [.allocations(0)],
      deputies(3) { consume($0.refuse($1)) }),
    Case(
      "delegates", "macro: optional call through a nested multicast", "3",
      baseline: Baseline(name: "weak boxes", work: Floor.weakBoxes(3)), must: [.allocations(0)],
      deputies(3, isNested: true) { consume($0.guess($1)) }),
  ]

/// A protocol with a multicast that the macro wrote.
@Multicast
protocol Deputy: AnyObject {
  /// Hears one message.
  func hear(_ value: Int)
  /// Answers a question.
  @Returns(.last, fallback: 0) func answer(_ value: Int) -> Int
  /// Answers a question that need not be.
  @Optional(fallback: 0) func guess(_ value: Int) -> Int
  /// Is left out by everybody.
  @Optional(fallback: 0) func refuse(_ value: Int) -> Int
}

extension DeputyMulticast: Deputy, Multicasting {}

private final class DeputyTarget: Deputy {
  private var sum = 0
  func hear(_ value: Int) { sum &+= value }
  func answer(_ value: Int) -> Int { value &+ 1 }
  func guess(_ value: Int) -> Int { value &+ 2 }
}

private func deputies(
  _ count: Int, isNested: Bool = false, _ call: @escaping @Sendable (any Deputy, Int) -> Void
) -> @Sendable () -> Operation {
  {
    let inner = DeputyMulticast()
    let outer = DeputyMulticast()
    let targets = (0..<count).map { _ in DeputyTarget() }
    for target in targets { inner.add(target) }
    outer.add(inner)
    let all: any Deputy = isNested ? outer : inner
    return { turns in
      for turn in 0..<turns { call(all, turn) }
      consume((inner, targets))
    }
  }
}
