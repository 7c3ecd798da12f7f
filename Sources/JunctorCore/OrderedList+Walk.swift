public import CJunctorCore
public import Synchronization

extension OrderedList {
  /// Whether a walk would meet nobody, because nobody is there or the list is hidden. One atomic load.
  @inlinable
  package var isEmpty: Bool { current.load(ordering: .acquiring) == Self.empty }

  /// Calls `visit` for every entry that may be called, in order, with its owner.
  ///
  /// An entry without an owner is passed in its place: an optional would be retained once more for each call.
  ///
  /// The owner is retained for the duration of the call. `visit` returns whether to go on; it may do anything to this
  /// list, walks of it included.
  ///
  /// - Parameters:
  ///   - evenIfHidden: whether to walk a list that is hidden as well.
  ///   - visit: gets an entry and its owner.
  /// - Complexity: O(n). Allocates nothing, but for the first walk after a change.
  @inlinable
  @inline(__always)
  package func walk<Failure: Error>(
    evenIfHidden: Bool = false, _ visit: (_ListEntry, AnyObject) throws(Failure) -> Bool
  ) throws(Failure) {
    _ = try unsafe walk(
      evenIfHidden: evenIfHidden, argument: nil, threw: { _, _ in true }, visit)
  }

  /// Calls `visit` as above, but not for entries that may be called by the words of their closures: these are called here.
  ///
  /// - Parameters:
  ///   - evenIfHidden: whether to walk a list that is hidden as well.
  ///   - argument: what such closures are called with, by address; `nil` to have every entry visited.
  ///   - threw: gets an error that such a closure threw, at +1, and its entry; returns whether to go on.
  ///   - visit: gets an entry and its owner.
  /// - Returns: how many were called here.
  /// - Complexity: O(n). Allocates nothing, but for the first walk after a change.
  @inlinable
  @inline(__always)
  package func walk<Failure: Error>(
    evenIfHidden: Bool = false, argument: UnsafeRawPointer?,
    // SAFETY: the walk holds the entry for the length of the call.
    threw: (UnsafeMutableRawPointer, Unmanaged<_ListEntry>) -> Bool,
    _ visit: (_ListEntry, AnyObject) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    guard let lease = isEmpty ? evenIfHidden ? leaseHidden() : nil : lease() else { return 0 }
    var directCount = 0
    var sawDead = false
    var failure: Failure?
    // SAFETY: the lease keeps the snapshot, and with it every entry and every word, until `end`. Where a word has
    // `isDirect`, two words for each entry follow them all; a `junctor_closure` is two such words, and only C reads it.
    let (changed, header) = unsafe lease.snapshot._withUnsafeGuaranteedRef {
      unsafe ($0.elements, $0.whole)
    }
    let words = unsafe changed + 1
    let calls = unsafe UnsafeRawPointer(words + header.count)
      .assumingMemoryBound(to: junctor_closure.self)
    var index = 0
    while index < header.count {
      var word = unsafe words[index]
      if word & ListSnapshot.isDirect != 0, let argument = unsafe argument {
        // As many as follow one another, until something changes: from then on each is asked.
        var error: UnsafeMutableRawPointer?
        let next = unsafe junctor_call_closures(
          calls + index, calls + header.count, changed, argument, &error)
        let reached = unsafe next - calls
        directCount &+= reached &- index
        index = reached
        if let error = unsafe error {
          if unsafe threw(error, ListSnapshot.entry(words[index &- 1])) { continue }
          break
        }
        if index == header.count { break }
        word = unsafe words[index]
      }
      index &+= 1
      let goOn = unsafe ListSnapshot.entry(word)._withUnsafeGuaranteedRef { entry -> Bool in
        guard entry.isCallable else { return true }
        let goOn = entry.owner.withObject(orIfUnbound: entry) { owner -> Bool in
          do throws(Failure) {
            return try visit(entry, owner)
          } catch {
            failure = error
            return false
          }
        }
        if let goOn { return goOn }
        sawDead = true
        return true
      }
      if !goOn { break }
    }
    lease.end()
    if sawDead { didMeetDead() }
    if let failure { throw failure }
    return directCount
  }

  /// Clears away what a walk found dead.
  @usableFromInline
  func didMeetDead() { reclaim() }

  /// Takes hold of the current snapshot; `nil` if nobody is there. End it on the same thread, innermost first.
  @inlinable
  @inline(__always)
  package func lease() -> ListLease? { lease(current) }

  /// Takes hold of the snapshot of a list that is hidden; `nil` if nobody is there.
  @usableFromInline
  func leaseHidden() -> ListLease? { lease(hidden) }

  /// Takes hold of the snapshot that is in one of the two places.
  @inlinable
  @inline(__always)
  func lease(_ place: borrowing Atomic<UInt>) -> ListLease? {
    let record = unsafe junctor_thread_record()
    let found = place.load(ordering: .acquiring)
    // SAFETY: the record belongs to this thread. The snapshot's address is announced, then seen to be in its place still:
    // a writer that takes it out later finds the announcement and leaves a reference with it.
    if found > Self.empty, unsafe junctor_depth(record) < UInt32(JUNCTOR_PINS),
      let address = unsafe UnsafeMutableRawPointer(bitPattern: found)
    {
      unsafe junctor_pin(record, address)
      if place.load(ordering: .sequentiallyConsistent) == found {
        if unsafe junctor_tick(record) & 255 == 0 { Reclaimer.step() }
        return unsafe ListLease(snapshot: .fromOpaque(address), record: record)
      }
      unsafe junctor_unpin(record)
    }
    return leaseSlowly()
  }

  /// Takes a reference to the snapshot, hidden or not, made now if need be.
  @usableFromInline
  func leaseSlowly() -> ListLease? {
    Reclaimer.noteActivity()
    let snapshot = state.withLock { state -> ListSnapshot? in
      let found =
        (state.isHidden ? hidden.load(ordering: .acquiring) : current.load(ordering: .acquiring))
      if found == Self.empty { return nil }
      // SAFETY: a snapshot is only taken out of its place under this lock, so here it is owned by the list.
      if let address = unsafe UnsafeRawPointer(bitPattern: found) {
        return unsafe Unmanaged<ListSnapshot>.fromOpaque(address).takeUnretainedValue()
      }
      let made = state.makeSnapshot()
      // SAFETY: the list owns what the place holds at +1.
      let address = unsafe Unmanaged.passRetained(made).toOpaque()
      _ = exchange(UInt(bitPattern: address), isHidden: state.isHidden)
      return made
    }
    guard let snapshot else { return nil }
    let retained = unsafe Unmanaged.passRetained(snapshot)
    let record = unsafe junctor_thread_record()
    guard unsafe junctor_depth(record) < UInt32(JUNCTOR_PINS) else {
      return unsafe ListLease(snapshot: retained, record: nil)
    }
    // Counted like the others: how deeply walks are nested is told by that, and each may be the first after a change.
    // SAFETY: the record is this thread's; it takes the reference over and gives it up in `end`.
    unsafe junctor_pin_retained(record, retained.toOpaque())
    return unsafe ListLease(snapshot: retained, record: record)
  }
}

/// A hold on a snapshot: by an announcement of the thread's, or by a reference.
@safe
@usableFromInline
package struct ListLease {
  // SAFETY: whoever made the lease keeps the snapshot, by an announcement or by a reference, until `end`.
  /// The snapshot.
  @usableFromInline let snapshot: Unmanaged<ListSnapshot>
  /// The thread's record, where the thread announced the snapshot; `nil` for a reference.
  @usableFromInline let record: UnsafeMutablePointer<junctor_thread>?

  /// Takes over a hold that the caller has.
  @inlinable
  init(snapshot: Unmanaged<ListSnapshot>, record: UnsafeMutablePointer<junctor_thread>?) {
    unsafe self.snapshot = snapshot
    unsafe self.record = record
  }

  /// Lets go. What nobody else holds dies here.
  @inlinable
  @inline(__always)
  package func end() {
    // SAFETY: called once, on the thread that took the lease; `record` is that thread's.
    if let record = unsafe record {
      unsafe junctor_unpin(record)
    } else {
      unsafe snapshot.release()
    }
  }
}
