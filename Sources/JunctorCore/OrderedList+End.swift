extension OrderedList {
  /// Watches those of the entries that somebody else holds still: a walk, a mailbox.
  ///
  /// Called under the list's lock, after the snapshot was given up: whoever then finds an entry gone from the list finds
  /// it watched, if there is anything to wait for.
  func watchHeld(_ taken: inout [_ListEntry]) {
    var held: [_ListEntry] = []
    for index in taken.indices where !isKnownUniquelyReferenced(&taken[index]) {
      held.append(taken[index])
    }
    EndWatch.watch(held)
  }

  /// Waits until an entry has left the list and no call of it is under way.
  ///
  /// - Returns: `false` if the task was cancelled meanwhile.
  nonisolated(nonsending) func waitForEnd(id: UInt64, key: OrderKey) async -> Bool {
    watch(id: id, key: key)
    return await EndWatch.wait(for: id)
  }

  /// Watches an entry, if it is in the list. It is let go before anybody waits.
  private func watch(id: UInt64, key: OrderKey) {
    if let entry = entry(id: id, key: key) { EndWatch.watch(CollectionOfOne(entry)) }
  }
}

extension Registration {
  /// Waits until it has ended and no call that was under way then is still running.
  ///
  /// After `cancel()` this is how to know that the listener is out of the way, on every thread: it waits for the
  /// deliveries that had come past its check, to their end. Without `cancel()` it waits for whatever ends it.
  /// A task that the listener itself starts may await this; the listener must not block its thread for it.
  ///
  /// - Returns: `true` when it has ended, `false` if the waiting task was cancelled before.
  /// - Complexity: O(log n) in the number of registrations beside it, and the wait.
  @discardableResult
  public nonisolated(nonsending) func ended() async -> Bool {
    guard let list else { return true }
    return await list.waitForEnd(id: entryID, key: key)
  }
}

extension Subscription {
  /// Waits until it has ended and no call of it is under way; see `Registration.ended()`.
  ///
  /// - Returns: `true` when it has ended, `false` if the waiting task was cancelled before.
  /// - Complexity: O(log n) in the number of registrations beside it, and the wait.
  @discardableResult
  public nonisolated(nonsending) func ended() async -> Bool { await registration.ended() }
}
