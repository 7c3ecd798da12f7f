internal import JunctorCore
internal import Synchronization

/// Which object stands where, so that adding twice and removing need no search.
///
/// It keeps numbers only: no entry and no object lives or dies because of it.
///
/// ## Concurrency
/// May be used from any thread and from `deinit`.
@usableFromInline
final class MulticastIndex: Sendable {
  /// Where an object stands.
  struct Place {
    /// The entry's number.
    var entry: UInt64
    /// The entry's place in the list.
    var key: OrderKey
  }

  private let state = Mutex<[ObjectIdentifier: Place]>([:])

  /// The place of an object. A place is forgotten with its entry, and the entry keeps the address taken.
  func place(of name: ObjectIdentifier) -> Place? { state.withLock { $0[name] } }

  /// Gives an object the place where its entry was put, unless it stands somewhere else than at `stale`.
  ///
  /// `settle` runs under the lock: whoever learns of the place finds the entry settled. It must not run code of the user's.
  ///
  /// - Returns: the place in the way; `nil` if there was none.
  func claim(
    _ name: ObjectIdentifier, _ place: Place, replacing stale: UInt64?, settle: () -> Void
  ) -> Place? {
    state.withLock { places in
      if let other = places[name], other.entry != stale { return other }
      places[name] = place
      settle()
      return nil
    }
  }

  /// Takes an object out.
  func take(_ name: ObjectIdentifier) -> Place? { state.withLock { $0.removeValue(forKey: name) } }

  /// Forgets an object, if it stands where that entry was.
  func forget(_ name: ObjectIdentifier, entry: UInt64) {
    state.withLock { places in
      if places[name]?.entry == entry { places[name] = nil }
    }
  }

  /// How many places are known. For tests.
  var count: Int { state.withLock { $0.count } }

  /// Forgets everything.
  func removeAll() { state.withLock { $0 = [:] } }
}
