internal import Synchronization

/// The calls to many at the same time that a task is inside of, as its child tasks inherit it.
///
/// ## Concurrency
/// Constant, but for one atomic.
final class CallLineage: Sendable {
  /// How often one list may be inside itself: each time the number of tasks may multiply.
  private static let limit = 4

  /// That of the present task.
  @TaskLocal static var current: CallLineage?

  private let list: UInt64
  private let outer: CallLineage?
  private let hasCircle: Atomic<Bool>?

  /// Goes one call further in.
  init(list: UInt64, outer: CallLineage?) {
    self.list = list
    self.outer = outer
    hasCircle = outer == nil ? Atomic(false) : nil
  }

  /// Whether a call of a list may go ahead inside of these.
  func permission(for list: UInt64) -> SuspendedCalls.Permission {
    var found = 0
    var outermost = self
    var next: CallLineage? = self
    while let lineage = next {
      if lineage.list == list { found += 1 }
      outermost = lineage
      next = lineage.outer
    }
    guard found > 0 else { return .permitted }
    if outermost.hasCircle?.load(ordering: .relaxed) == true { return .insideCircle }
    guard found >= Self.limit else { return .permitted }
    // One of several that find it at the same time reports it.
    let isFirst = outermost.hasCircle?.exchange(true, ordering: .relaxed) == false
    return isFirst ? .foundCircle : .insideCircle
  }
}
