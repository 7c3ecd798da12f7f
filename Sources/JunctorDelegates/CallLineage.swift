internal import Synchronization

/// The calls to many at the same time that a task is inside of, as its child tasks inherit it.
///
/// A task that nobody waits for inherits it as well and may outlive the calls; those that are over count no more.
///
/// ## Concurrency
/// Constant, but for the atomics of its calls. Retains the calls that were open when it began, and no others.
final class CallLineage: Sendable {
  /// One call.
  private final class Call: Sendable {
    let list: UInt64
    let isOver = Atomic(false)
    /// Whether a circle was found in it; of meaning in the outermost that is open.
    let hasCircle = Atomic(false)

    init(list: UInt64) { self.list = list }
  }

  /// How often one list may be inside itself: each time the number of tasks may multiply.
  private static let limit = 4

  /// That of the present task.
  @TaskLocal static var current: CallLineage?

  /// The calls, the outermost first.
  private let calls: [Call]

  /// Goes one call further in.
  init(list: UInt64, outer: CallLineage?) {
    calls = (outer?.open ?? []) + [Call(list: list)]
  }

  private var open: [Call] { calls.filter { !$0.isOver.load(ordering: .relaxed) } }

  /// How many calls it keeps. For tests.
  var count: Int { calls.count }

  /// Notes that the innermost call has ended.
  func end() { calls.last?.isOver.store(true, ordering: .relaxed) }

  /// Whether a call of a list may go ahead inside of these.
  func permission(for list: UInt64) -> SuspendedCalls.Permission {
    var found = 0
    var outermost: Call?
    for call in calls where !call.isOver.load(ordering: .relaxed) {
      if outermost == nil { outermost = call }
      if call.list == list { found += 1 }
    }
    guard found > 0, let outermost else { return .permitted }
    if outermost.hasCircle.load(ordering: .relaxed) { return .insideCircle }
    guard found >= Self.limit else { return .permitted }
    // One of several that find it at the same time reports it.
    let isFirst = !outermost.hasCircle.exchange(true, ordering: .relaxed)
    return isFirst ? .foundCircle : .insideCircle
  }
}
