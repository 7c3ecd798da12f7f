internal import Synchronization

extension OrderedList: Sweepable {
  /// Removes the dead among the next few entries.
  package func sweep(limit: Int) -> (examined: Int, atEnd: Bool) {
    let (suspects, examined, atEnd) = state.withLock { $0.nextSuspects(limit: limit) }
    // Whether an owner lives is asked outside the lock: on Apple platforms the answer may release it.
    let dead = suspects.filter { !$0.entry.owner.isAlive }
    if !dead.isEmpty {
      // One by one: a step must cost what it looks at, not what the list holds.
      removeEntries { state in dead.compactMap { state.take(id: $0.entry.id, key: $0.key) } }
    }
    return (examined, atEnd)
  }
}
