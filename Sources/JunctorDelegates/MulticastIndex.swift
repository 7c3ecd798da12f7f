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
  /// Where an object stands; the key is missing while another thread is adding it.
  struct Place {
    /// The entry's number.
    var entry: UInt64
    /// The entry's place in the list.
    var key: OrderKey?
  }

  private let state = Mutex<[ObjectIdentifier: Place]>([:])

  /// The place of an object. A place is forgotten with its entry, and the entry keeps the address taken.
  func place(of name: ObjectIdentifier) -> Place? { state.withLock { $0[name] } }

  /// Notes that an object is being added, unless it stands somewhere else than at `stale`. Returns the place in the way.
  func reserve(_ name: ObjectIdentifier, entry: UInt64, replacing stale: UInt64?) -> Place? {
    state.withLock { places in
      if let place = places[name], place.entry != stale { return place }
      places[name] = Place(entry: entry, key: nil)
      return nil
    }
  }

  /// Notes where it was added. Returns whether it was not removed meanwhile.
  func settle(_ name: ObjectIdentifier, entry: UInt64, at key: OrderKey) -> Bool {
    state.withLock { places in
      guard places[name]?.entry == entry else { return false }
      places[name] = Place(entry: entry, key: key)
      return true
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
