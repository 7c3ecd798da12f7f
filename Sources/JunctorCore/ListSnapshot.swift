/// The entries of a list as they stood at one moment, in order; never changed, retained by whoever walks it.
@safe
@usableFromInline
package final class ListSnapshot: ManagedBuffer<Int, Unmanaged<_ListEntry>> {
  // SAFETY: every entry is retained in `make` and released in `deinit`, and nothing is written in between. They are raw
  // references, each at +1: walking an array of references would retain and release every
  // one of them, five times the cost of the call itself.

  /// Retains the entries that `slots` still hold, `count` of them.
  static func make(_ slots: ContiguousArray<ListSlot>, count: Int) -> ListSnapshot {
    let buffer = unsafe ListSnapshot.create(minimumCapacity: count) { _ in count }
    // SAFETY: `create` on this class returns this class; exactly `count` elements are initialised below, and `deinit`
    // releases exactly those.
    let snapshot = unsafe unsafeDowncast(buffer, to: ListSnapshot.self)
    unsafe snapshot.withUnsafeMutablePointerToElements { elements in
      var index = 0
      for slot in slots {
        guard let entry = slot.entry else { continue }
        unsafe (elements + index).initialize(to: Unmanaged.passRetained(entry))
        index += 1
      }
      precondition(index == count)
    }
    return snapshot
  }

  /// The entries; valid as long as the snapshot is.
  @inlinable
  var elements: UnsafeBufferPointer<Unmanaged<_ListEntry>> {
    // SAFETY: the elements were retained when the snapshot was made and are released in its `deinit`.
    unsafe withUnsafeMutablePointers { count, elements in
      unsafe UnsafeBufferPointer(start: elements, count: count.pointee)
    }
  }

  deinit {
    // SAFETY: `header` elements were initialised by `make`, each with a reference of its own.
    unsafe withUnsafeMutablePointers { count, elements in
      for index in unsafe 0..<count.pointee { unsafe elements[index].release() }
    }
  }
}

/// One place in a list: an entry under its key, or the key of one that has gone.
struct ListSlot {
  /// The place.
  var key: OrderKey
  /// The entry, unless it has gone.
  var entry: _ListEntry?
}
