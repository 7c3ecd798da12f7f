internal import CJunctorCore
public import Synchronization

/// An ordered list of registrations that is walked without a lock: the heart of channels and multicasts.
///
/// - A walk sees the list as it stood when the walk began. Entries added during it are met by the next walk; entries
///   removed during it, and entries whose owner has died, are passed over: the flag is read before each call.
/// - The order is priority, higher first, then registration; no removal disturbs it.
/// - A walk takes no lock and touches no reference count that another thread's walk touches: it announces the snapshot in
///   a record of its own thread (see CJunctorCore). Owners are retained for the duration of their call.
/// - No code of the user's runs under the lock: what a removal releases dies after the lock was left.
///
/// ## Concurrency
/// May be used from any thread, from inside a walk and from `deinit`. Retains its entries, which hold their owners weakly.
@usableFromInline
package final class OrderedList: @unchecked Sendable {
  // SAFETY (unchecked Sendable): the entries are behind a mutex; `current` and `hidden` are atomic addresses whose targets
  // are owned as told below and immutable but for one word, which is atomic; the rest is constant.

  /// The address of the current snapshot, owned at +1; `stale` when it has to be made anew; `empty` when nobody is there.
  @usableFromInline let current = Atomic<UInt>(OrderedList.empty)

  /// The same for walks that know of it, while the list is hidden; `empty` otherwise.
  let hidden = Atomic<UInt>(OrderedList.empty)

  /// The snapshot has to be made anew.
  @usableFromInline static let stale: UInt = 0
  // Not a multiple of two, so never an object's address.
  /// Nobody is there.
  @usableFromInline static let empty: UInt = 1

  /// The entries.
  let state = Mutex(ListState())
  /// Called when the last entry has gone.
  let onEmpty: (@Sendable () -> Void)?
  private let sweeping = SweepMembership()

  /// Makes an empty list.
  ///
  /// - Parameter onEmpty: is called with no lock held when the last entry has gone; entries may have come again since.
  @usableFromInline
  package init(onEmpty: (@Sendable () -> Void)? = nil) {
    self.onEmpty = onEmpty
  }

  deinit {
    sweeping.leave()
    // Other threads may have announced them while they still held the list.
    retire(current.load(ordering: .acquiring))
    retire(hidden.load(ordering: .acquiring))
  }

  // MARK: - Changing it

  /// Adds an entry behind all of its priority. Returns the token that removes it.
  ///
  /// - Complexity: amortised O(1) at the lowest priority present, otherwise O(log n) at the next walk.
  @usableFromInline
  @discardableResult
  package func add(_ entry: _ListEntry, priority: Int = 0) -> Registration {
    append(entry, priority) { true }.registration
  }

  /// Adds an entry behind all of its priority, if a condition holds. Returns the token that removes it, or `nil`.
  ///
  /// - Parameter condition: is asked under the lock, so that nothing done by `excluding` comes in between.
  /// - Complexity: as `add(_:priority:)`.
  package func add(
    _ entry: _ListEntry, priority: Int, while condition: () -> Bool
  ) -> Registration? {
    let (registration, isAdded) = append(entry, priority, while: condition)
    return isAdded ? registration : nil
  }

  private func append(
    _ entry: _ListEntry, _ priority: Int, while condition: () -> Bool
  ) -> (registration: Registration, isAdded: Bool) {
    let key = OrderKey(priority: priority, id: entry.id)
    var isAdded = false
    change { state in
      guard condition() else { return }
      state.append(entry, at: key)
      isAdded = true
    }
    if isAdded { didAdd(entry) }
    return (Registration(list: self, id: entry.id, key: key), isAdded)
  }

  /// Does something while nobody is added: what came in before is met by every walk that begins after it.
  ///
  /// - Parameter body: is called under the lock: must not run code of the user's.
  package func excluding(_ body: () -> Void) { state.withLock { _ in body() } }

  /// Adds an entry directly before or after another of this list, with its priority.
  ///
  /// - Returns: the token, and whether the anchor was there; if not, the entry is the last of priority 0.
  /// - Complexity: O(n).
  @usableFromInline
  package func add(
    _ entry: _ListEntry, _ side: ListSide, of anchor: UInt64
  ) -> (registration: Registration, foundAnchor: Bool) {
    var place: (key: OrderKey, found: Bool) = (OrderKey(priority: 0, id: entry.id), false)
    change { state in
      if let key = state.insert(entry, side, of: anchor) {
        place = (key, true)
      } else {
        state.append(entry, at: place.key)
      }
    }
    didAdd(entry)
    return (Registration(list: self, id: entry.id, key: place.key), place.found)
  }

  private func didAdd(_ entry: _ListEntry) {
    if entry.owner.isBound { sweeping.join(self) }
    Reclaimer.noteActivity()
  }

  /// Removes one entry, wherever it stands. Returns whether this call removed it.
  ///
  /// - Complexity: O(log n), or O(n) for an entry that was placed before or after another.
  @discardableResult
  package func remove(id: UInt64, key: OrderKey) -> Bool {
    removeEntries { state in
      guard let entry = state.take(id: id, key: key) else { return [] }
      return [entry]
    } > 0
  }

  /// Removes every entry that fits. Returns how many this call removed.
  ///
  /// - Parameter fits: is asked under the lock: must not run code of the user's.
  /// - Complexity: O(n).
  @discardableResult
  package func removeAll(where fits: (_ListEntry) -> Bool = { _ in true }) -> Int {
    removeEntries { $0.takeAll(where: fits) }
  }

  /// Removes everything whose owner has died. Returns how many went.
  ///
  /// - Complexity: O(n).
  @discardableResult
  package func reclaim() -> Int {
    // Whether an owner lives is asked outside the lock: on Apple platforms the answer may release it.
    let dead = Set(entries().lazy.filter { $0.owner.isBound && !$0.owner.isAlive }.map(\.id))
    return dead.isEmpty ? 0 : removeAll { dead.contains($0.id) }
  }

  /// Sets an entry aside, or takes it back.
  func setPaused(_ isPaused: Bool, id: UInt64, key: OrderKey) {
    guard let entry = entry(id: id, key: key) else { return }
    entry.setPaused(isPaused)
    // Walks that are under way ask each entry from here on; those to come have a snapshot that knows.
    change { $0.touch() }
  }

  /// Takes entries out and lets them die after the lock was left. Returns how many went.
  @discardableResult
  func removeEntries(_ take: (inout ListState) -> [_ListEntry]) -> Int {
    var taken: [_ListEntry] = []
    var isEmpty = false
    change { state in
      taken = take(&state)
      // Marked under the lock, so that of two removals one wins and walks see it at once.
      for entry in taken { _ = entry.markRemoved() }
      isEmpty = state.count == 0
    } afterwards: {
      watchHeld(&taken)
    }
    for entry in taken { entry._didLeaveList() }
    if !taken.isEmpty && isEmpty { onEmpty?() }
    return taken.count
    // The entries die here, after the lock was left.
  }

  /// Changes the entries and takes the snapshot out of use.
  ///
  /// - Parameters:
  ///   - body: makes the change.
  ///   - afterwards: is called under the same lock, when the list holds the snapshot no longer.
  private func change(_ body: (inout ListState) -> Void, afterwards: () -> Void = {}) {
    state.withLock { state in
      let before = state.version
      body(&state)
      guard state.version != before else { return }
      // Given up under the lock, a snapshot lets no entry die there: each is in the list still, or in the hands of
      // whoever takes it out.
      let next = state.count == 0 ? Self.empty : Self.stale
      retire(exchange(next, isHidden: state.isHidden))
      afterwards()
    }
  }

  /// Puts something in the place of one of the two snapshots, and returns what was there; under the lock.
  func exchange(_ next: UInt, isHidden: Bool) -> UInt {
    isHidden
      ? hidden.exchange(next, ordering: .sequentiallyConsistent)
      : current.exchange(next, ordering: .sequentiallyConsistent)
  }

  /// Gives up a snapshot that was taken out of its place; threads that walk it keep it until they are done, and ask each
  /// entry from here on.
  func retire(_ old: UInt) {
    guard old > Self.empty, let address = unsafe UnsafeMutableRawPointer(bitPattern: old) else {
      return
    }
    // SAFETY: the exchange handed over the list's own reference to the snapshot, or the list is going and gives up its own.
    unsafe Unmanaged<ListSnapshot>.fromOpaque(address)._withUnsafeGuaranteedRef {
      $0.markChanged()
    }
    unsafe junctor_retire(address)
  }

  // MARK: - Asking it

  /// The entries in order, those of dead owners included.
  ///
  /// - Complexity: O(n).
  package func entries() -> [_ListEntry] {
    state.withLock { $0.ordered() }
  }

  /// How many entries there are, those of dead owners included.
  package var count: Int { state.withLock { $0.count } }

  /// Grows with every entry that comes or goes.
  package var version: UInt64 { state.withLock { $0.version } }

  /// Whether an entry is still there.
  package func contains(id: UInt64, key: OrderKey) -> Bool {
    state.withLock { $0.find(id: id, key: key) != nil }
  }

  /// The entry of a number, if it is still there.
  package func entry(id: UInt64, key: OrderKey) -> _ListEntry? {
    state.withLock { state in state.find(id: id, key: key).flatMap { state.entry(at: $0) } }
  }
}

/// Where an entry goes relative to its anchor.
@usableFromInline
package enum ListSide: Sendable {
  /// Directly before it.
  case before
  /// Directly after it.
  case after
}
