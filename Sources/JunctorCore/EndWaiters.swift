internal import Synchronization

/// Those who wait until an entry, and with it the last call that is under way, has gone.
///
/// An entry that was removed is retained only by the walks and the waiting messages that still know it, so its `deinit`
/// is the moment from which nothing of it runs.
enum EndWaiters {
  private static let state = Mutex<[UInt64: [CheckedContinuation<Void, Never>]]>([:])
  // Hardly ever does anybody wait, and every entry asks.
  private static let count = Atomic(0)

  /// Waits for the end of an entry that is known weakly.
  static func wait(for reference: borrowing OwnerReference) async {
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    await withCheckedContinuation { continuation in
      // Retained no longer than this block, and perhaps for the last time: then its `deinit` wakes whoever waits, this
      // one included.
      guard let entry = reference.object as? _ListEntry else { return continuation.resume() }
      state.withLock { $0[entry.id, default: []].append(continuation) }
    }
    count.wrappingSubtract(1, ordering: .relaxed)
  }

  /// Wakes those who wait for an entry.
  static func didEnd(_ id: UInt64) {
    guard count.load(ordering: .sequentiallyConsistent) != 0 else { return }
    let waiting = state.withLock { $0.removeValue(forKey: id) }
    for continuation in waiting ?? [] { continuation.resume() }
  }
}

extension Subscription {
  /// Waits until no call of it is under way on any thread, after it was cancelled or went by itself.
  ///
  /// Returns at once if it never stood for anything, or has ended altogether. Waits for ever if nobody cancels it.
  /// Listeners are not asynchronous, so none can wait for itself.
  ///
  /// - Complexity: O(1) beside the waiting.
  public func ended() async {
    await EndWaiters.wait(for: reference)
  }
}
