extension OrderedList {
  /// The list as it stands now, kept by a reference rather than by the thread: for walks that are suspended in between.
  ///
  /// - Complexity: O(1), or O(n) for the first after a change. Takes the list's lock for a moment.
  package func hold() -> ListHold {
    guard let lease = leaseSlowly() else { return ListHold(snapshot: nil) }
    defer { lease.end() }
    // SAFETY: the lease keeps the snapshot until `end`; the value returned retains it on its own account.
    return unsafe ListHold(snapshot: lease.snapshot.takeUnretainedValue())
  }

  /// Clears away what a walk outside this type found dead.
  package func noteDead() { didMeetDead() }
}

/// A list as it stood at one moment. Its entries say themselves whether they may still be called.
///
/// ## Concurrency
/// Immutable. Retains the entries of that moment.
package struct ListHold: @unchecked Sendable {
  // SAFETY (unchecked Sendable): a snapshot never changes but for one atomic word, and its entries are Sendable.
  /// What is held.
  let snapshot: ListSnapshot?

  /// That of an empty list.
  package static var empty: ListHold { ListHold(snapshot: nil) }

  /// Holds a snapshot; `nil` for that of an empty list.
  init(snapshot: ListSnapshot?) { self.snapshot = snapshot }

  /// How many entries there were, those of dead owners included.
  package var count: Int { snapshot?.header.count ?? 0 }

  /// One of the entries, in order.
  package subscript(index: Int) -> _ListEntry {
    guard let snapshot else { preconditionFailure("Can't read an entry: the list was empty.") }
    // SAFETY: the snapshot holds its entries at +1 for as long as it lives.
    precondition(index >= 0 && index < snapshot.header.count)
    return unsafe ListSnapshot.entry(snapshot.elements[1 + index]).takeUnretainedValue()
  }
}
