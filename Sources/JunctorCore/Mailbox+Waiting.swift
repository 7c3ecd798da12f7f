internal import Synchronization

extension Mailbox {
  /// Waits until there is room. Returns `false` if the task was cancelled meanwhile.
  ///
  /// There may be none again when this returns; ask again then.
  package nonisolated(nonsending) func waitForRoom() async -> Bool {
    await withSuspension(
      { id, resume in
        state.withLock { Task.isCancelled ? .answered(false) : $0.waitForRoom(id, resume) }
      },
      leave: { id in self.state.withLock { $0.stopWaiting(id) } },
      cancelled: false)
  }

  /// Waits until nothing waits and nothing is being handled. Returns `false` if the task was cancelled meanwhile.
  package nonisolated(nonsending) func waitForRest() async -> Bool {
    await withSuspension(
      { id, resume in
        state.withLock { Task.isCancelled ? .answered(false) : $0.waitForRest(id, resume) }
      },
      leave: { id in self.state.withLock { $0.stopWaiting(id) } },
      cancelled: false)
  }
}
