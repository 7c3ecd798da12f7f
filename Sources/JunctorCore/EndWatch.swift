internal import Synchronization

/// Knows which entries somebody still holds although their list does not, and tells when the last hold is gone.
///
/// Whoever calls an entry holds it: a walk by its snapshot, a mailbox by what it is handling. So when an entry's own
/// `deinit` comes, no call of it is under way, and none can begin. That costs a walk nothing.
///
/// ## Concurrency
/// May be used from any thread. Retains no entry.
enum EndWatch {
  private struct Watched {
    // A pattern's deputies share its number.
    var count = 0
    var waiters = Waiters<Bool>()
  }

  private static let state = Mutex<[UInt64: Watched]>([:])

  /// Notes entries whose `deinit` is of interest; the caller holds them.
  ///
  /// May be called under a list's lock: this one is always the inner.
  static func watch(_ entries: some Collection<_ListEntry>) {
    guard !entries.isEmpty else { return }
    state.withLock { state in
      for entry in entries where entry.markWatched() {
        state[entry.id, default: Watched()].count += 1
      }
    }
  }

  /// Notes the `deinit` of an entry that was watched, and tells those who wait for the last of its number.
  static func noteDeath(of id: UInt64) {
    let waiters = state.withLock { state -> [Resume<Bool>] in
      guard var watched = state.removeValue(forKey: id) else { return [] }
      watched.count -= 1
      guard watched.count <= 0 else {
        state[id] = watched
        return []
      }
      if state.isEmpty { state = [:] }
      return watched.waiters.takeAll()
    }
    for resume in waiters { resume(true) }
  }

  /// How many numbers are watched. For tests.
  static var watchedCount: Int { state.withLock { $0.count } }

  /// Waits until no watched entry of a number is left. Returns `false` if the task was cancelled meanwhile.
  static nonisolated(nonsending) func wait(for id: UInt64) async -> Bool {
    await withSuspension(
      { waiter, resume in
        state.withLock { state in
          guard state[id] != nil else { return .answered(true) }
          if Task.isCancelled { return .answered(false) }
          state[id]?.waiters.add(waiter, resume)
          return .waiting
        }
      },
      leave: { waiter in state.withLock { $0[id]?.waiters.take(waiter) } },
      cancelled: false)
  }
}
