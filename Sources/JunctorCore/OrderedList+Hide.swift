internal import Synchronization

extension OrderedList {
  /// Has the list seem empty to walks that do not ask further, or not, as a condition says.
  ///
  /// A mechanism that has something to note about each walk, now and then, would have to look for that at every walk. It
  /// hides its list instead: what it does anyway when a walk met nobody is the place to look, and costs nothing else. A
  /// walk with `evenIfHidden`, and `hold()`, see the list as it is.
  ///
  /// - Parameter condition: is asked under the lock, so that of two changes the later is right.
  /// - Complexity: O(1).
  package func hide(while condition: () -> Bool) {
    state.withLock { state in
      let isHidden = condition()
      guard state.isHidden != isHidden else { return }
      state.isHidden = isHidden
      state.wasEverHidden = true
      retire(exchange(Self.empty, isHidden: !isHidden))
      _ = exchange(state.count == 0 ? Self.empty : Self.stale, isHidden: isHidden)
    }
  }

  /// Whether a walk that met nobody may have done so because the list was hidden then, be it hidden still or not.
  package var wasEverHidden: Bool { state.withLock { $0.wasEverHidden } }

  /// Whether the list seems empty although it may not be.
  package var isHidden: Bool { state.withLock { $0.isHidden } }

  /// The entries in order, those of dead owners included, each with its priority.
  ///
  /// - Complexity: O(n).
  package func placedEntries() -> [(entry: _ListEntry, priority: Int)] {
    state.withLock { $0.placed() }
  }
}
