internal import JunctorCore
internal import Synchronization

extension Exchange {
  /// Waits until no listener of the exchange has anything waiting or under way, at one and the same moment.
  ///
  /// What iterators of message sequences have yet to take is not waited for; neither is what posts under way on other
  /// threads will hand in. Returns `false` if the task was cancelled meanwhile.
  package nonisolated(nonsending) func waitForRest() async -> Bool {
    while !Task.isCancelled {
      let first = restCheck()
      if let busy = first.busy {
        await busy.waitForRest()
        continue
      }
      // One may have been handed something by another that was asked later, and rested by then: only if none accepted
      // anything between two looks did all of them rest at the moment between.
      let second = restCheck()
      if second.busy == nil, second.accepted == first.accepted { return true }
    }
    return false
  }

  private func restCheck() -> (busy: (any CountingListener)?, accepted: [UInt64]) {
    var accepted: [UInt64] = []
    for topic in livingTopics() {
      for entry in topic.list.entries() {
        guard let listener = entry as? any CountingListener else { continue }
        if !listener.isAtRest { return (listener, []) }
        accepted.append(listener.deliveryCounts.accepted)
      }
    }
    return (nil, accepted)
  }
}
