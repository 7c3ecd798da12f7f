internal import CJunctorCore

/// The entries of a list as they stood at one moment, in order; retained by whoever walks it.
@safe
@usableFromInline
package final class ListSnapshot: ManagedBuffer<ListSnapshot.Header, UInt> {
  // SAFETY: every entry is retained in `make` and released in `deinit`, and nothing is written in between. They are raw
  // references, each at +1: walking an array of references would retain and release every one of them, five times the
  // cost of the call itself.
  //
  // The first word tells whether something has changed, and is the only one that is written later, atomically. A word for
  // each entry follows: its address, with the lowest bit set if it may be called by its words. Where there is such an
  // entry, two words for each come last: the closure's code and context, which the entry retains. A walk then reads them
  // in one run instead of going to every entry.

  /// What is known of the whole.
  @usableFromInline
  package struct Header {
    /// How many entries there are.
    @usableFromInline let count: Int
  }

  /// The bit of an entry that may be called by its words.
  @usableFromInline static let isDirect: UInt = 1
  /// Retains the entries that `slots` still hold, `count` of them.
  ///
  /// - Parameters:
  ///   - slots: the places in order.
  ///   - count: how many of them hold an entry.
  static func make(_ slots: ContiguousArray<ListSlot>, count: Int) -> ListSnapshot {
    var calls: ContiguousArray<junctor_closure> = []
    var isWhole = true
    var index = 0
    for slot in slots {
      guard let entry = slot.entry else { continue }
      if !entry.isCallable { isWhole = false }
      if let (code, context) = entry._words(), junctor_may_call_closures() {
        if calls.isEmpty { calls = .init(repeating: junctor_closure(), count: count) }
        calls[index] = junctor_closure(code: code, context: context)
      }
      index += 1
    }
    precondition(index == count)
    let header = Header(count: count)
    let buffer = ListSnapshot.create(minimumCapacity: 1 + count + 2 * calls.count) { _ in header }
    // SAFETY: `create` on this class returns this class; the first word and `count` more are initialised below, and two
    // more for each where there are calls. `deinit` releases exactly what is retained here.
    let snapshot = unsafe unsafeDowncast(buffer, to: ListSnapshot.self)
    unsafe snapshot.withUnsafeMutablePointerToElements { elements in
      unsafe elements.initialize(to: isWhole ? 0 : 1)
      let words = unsafe elements + 1
      var index = 0
      for slot in slots {
        guard let entry = slot.entry else { continue }
        var word = unsafe UInt(bitPattern: Unmanaged.passRetained(entry).toOpaque())
        if !calls.isEmpty {
          let call = calls[index]
          if call.code != 0 { word |= isDirect }
          unsafe (words + count + 2 * index).initialize(to: call.code)
          unsafe (words + count + 2 * index + 1).initialize(to: call.context)
        }
        unsafe (words + index).initialize(to: word)
        index += 1
      }
    }
    return snapshot
  }

  /// Where the first word is; valid as long as the snapshot is.
  @inlinable
  var elements: UnsafeMutablePointer<UInt> {
    unsafe withUnsafeMutablePointerToElements { unsafe $0 }
  }

  /// What is known of the whole. Not read as a property: that is checked for exclusive access while the program runs.
  @inlinable
  var whole: Header { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee } }

  /// Has every walk that is under way ask each entry from here on.
  func markChanged() {
    // SAFETY: the first word is initialised, and read and written atomically from when the snapshot was published on.
    unsafe withUnsafeMutablePointerToElements { unsafe junctor_store($0, 1) }
  }

  /// The entry that a word stands for.
  @inlinable
  static func entry(_ word: UInt) -> Unmanaged<_ListEntry> {
    // SAFETY: `make` made the word of an entry's address; the snapshot retains it.
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: word & ~isDirect).unsafelyUnwrapped)
  }

  deinit {
    // SAFETY: `count` words were initialised by `make`, each with a reference of its own.
    let words = unsafe elements + 1
    for index in 0..<header.count { unsafe Self.entry(words[index]).release() }
  }
}

/// One place in a list: an entry under its key, or the key of one that has gone.
struct ListSlot {
  /// The place.
  var key: OrderKey
  /// The entry, unless it has gone.
  var entry: _ListEntry?
}
