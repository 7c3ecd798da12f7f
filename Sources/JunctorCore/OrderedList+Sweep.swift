internal import Synchronization

extension OrderedList: Sweepable {
  /// Removes the dead among the next few entries.
  package func sweep(limit: Int) -> (examined: Int, atEnd: Bool) {
    let (suspects, examined, atEnd) = state.withLock { $0.nextSuspects(limit: limit) }
    guard !suspects.isEmpty else { return (examined, atEnd) }
    let dead = Set(suspects.lazy.filter { !$0.owner.isAlive }.map(\.id))
    if !dead.isEmpty { removeAll { dead.contains($0.id) } }
    return (examined, atEnd)
  }
}
