public import Synchronization

/// One registration in an ordered list: public for the mechanisms to derive from, not part of the API.
///
/// ## Concurrency
/// The state is atomic, everything else constant. A list retains its entries; an entry holds its owner weakly.
open class _ListEntry: @unchecked Sendable {
  // SAFETY (unchecked Sendable): every stored property is a constant of a Sendable type or an atomic. Derived classes
  // state their own proof.

  /// The entry's number, never given to another.
  @usableFromInline package final let id: UInt64

  /// Alive has neither of two bits, so that one test decides; see `isCallable`.
  @usableFromInline package final let state = Atomic<UInt8>(0)

  /// The owner, held weakly; bound to nothing for an entry that lives by its subscription.
  @usableFromInline package final let owner: OwnerReference

  /// Where it was registered.
  package final let site: SourceSite

  /// Makes an entry that lives by its subscription.
  ///
  /// An entry that stands for the same registration in another list takes that one's number, and with it its place.
  @usableFromInline
  package init(id: UInt64? = nil, site: SourceSite) {
    self.id = id ?? Identifier.next()
    owner = OwnerReference()
    self.site = site
  }

  /// Makes an entry that lives as long as its owner; `nil` if the owner's deinitialiser has begun.
  @usableFromInline
  package init?(id: UInt64? = nil, owner: AnyObject, site: SourceSite) {
    // Before all is set, so that no `deinit` runs: what derives from this counts on that.
    guard let reference = OwnerReference(owner) else { return nil }
    self.id = id ?? Identifier.next()
    self.owner = reference
    self.site = site
  }

  deinit {
    if state.load(ordering: .relaxed) & Self.watched != 0 { EndWatch.noteDeath(of: id) }
  }

  /// Is called when the entry has left its list, once for each list, with no lock held.
  open func _didLeaveList() {}

  /// The two words of a closure that takes the argument of every call and nothing else, where a walk may call that without
  /// asking the entry; it is retained by the entry and stays the same. Is called under a lock.
  open func _words() -> (code: UInt, context: UInt)? { nil }

  // MARK: - State

  /// It was removed, for good.
  @usableFromInline static let removed: UInt8 = 1
  /// It is set aside.
  @usableFromInline static let paused: UInt8 = 2
  /// Somebody wants to know of its `deinit`; of no meaning to those who call it.
  private static let watched: UInt8 = 4
  /// It has got something; of no meaning to those who call it.
  package static let heard: UInt8 = 8
  /// It was reported; of no meaning to those who call it.
  package static let reported: UInt8 = 16

  /// Whether it may be called: neither removed nor paused. Read immediately before each call.
  @inlinable
  package final var isCallable: Bool {
    // Acquiring: what happened before a removal on another thread is seen by whoever sees the removal.
    state.load(ordering: .acquiring) & (Self.removed | Self.paused) == 0
  }

  /// Whether it was removed. Final.
  @inlinable
  package final var isRemoved: Bool {
    state.load(ordering: .acquiring) & Self.removed != 0
  }

  /// Whether it is set aside.
  package final var isPaused: Bool {
    state.load(ordering: .acquiring) & Self.paused != 0
  }

  /// Marks it as removed. Returns whether this call did; of several at the same time exactly one does.
  package final func markRemoved() -> Bool {
    state.bitwiseOr(Self.removed, ordering: .acquiringAndReleasing).oldValue & Self.removed == 0
  }

  /// Marks it as one whose `deinit` is of interest. Returns whether this call did.
  final func markWatched() -> Bool {
    state.bitwiseOr(Self.watched, ordering: .relaxed).oldValue & Self.watched == 0
  }

  /// Sets a mark that means nothing to those who call it. Returns whether it was not set.
  @discardableResult
  package final func mark(_ bit: UInt8) -> Bool {
    if hasMark(bit) { return false }
    return state.bitwiseOr(bit, ordering: .relaxed).oldValue & bit == 0
  }

  /// Whether such a mark is set.
  package final func hasMark(_ bit: UInt8) -> Bool { state.load(ordering: .relaxed) & bit != 0 }

  /// Sets it aside, or takes it back. Its list must be told; see `OrderedList.setPaused`.
  package final func setPaused(_ paused: Bool) {
    if paused {
      state.bitwiseOr(Self.paused, ordering: .acquiringAndReleasing)
    } else {
      state.bitwiseAnd(~Self.paused, ordering: .acquiringAndReleasing)
    }
  }
}
