internal import JunctorCore
internal import Synchronization

/// What is kept for objects that do not keep it themselves: one value per object, which goes soon after the object.
///
/// An entry holds its object weakly and keeps the address taken, so that no new object is ever mistaken for it.
///
/// ## Concurrency
/// May be used from any thread. Values die outside the lock. Dead entries are cleared away a few at a time with the
/// reclaimer's steps.
final class OwnerTable: Sendable {
  // SAFETY: a value is only handed to callers that hold its object, on the isolation of that object; the table itself
  // touches none of its state, and lets it go only when the object is gone.
  fileprivate struct Entry: @unchecked Sendable {
    let address: UInt
    let owner: WeakObject
    let value: AnyObject
  }

  // SAFETY: see `Entry`.
  private struct Value: @unchecked Sendable {
    let object: AnyObject
  }

  fileprivate struct State {
    var places = AddressMap()
    var entries: ContiguousArray<Entry> = []
    var hand = 0
  }

  private let state = Mutex(State())
  private let membership = SweepMembership()

  /// Makes an empty table.
  init() {}

  deinit { membership.leave() }

  /// How many entries there are, dead ones included.
  var count: Int { state.withLock { $0.entries.count } }

  /// The value kept for an object.
  ///
  /// - Complexity: O(1).
  func value(for owner: AnyObject) -> AnyObject? {
    let address = UInt(bitPattern: ObjectIdentifier(owner))
    return state.withLock { state -> Value? in
      state.places[address].map { Value(object: state.entries[$0].value) }
    }?.object
  }

  /// Keeps a value for an object, unless one is kept already.
  ///
  /// - Returns: the value that is kept, or the given one if the object is going away.
  /// - Complexity: O(1), amortised.
  func keep(_ value: AnyObject, for owner: AnyObject) -> AnyObject {
    guard let reference = WeakObject(owner) else { return value }
    let address = UInt(bitPattern: ObjectIdentifier(owner))
    let entry = Entry(address: address, owner: reference, value: value)
    let kept = state.withLock { state -> Entry in
      if let place = state.places[address] { return state.entries[place] }
      state.places.set(state.entries.count, for: address)
      state.entries.append(entry)
      return entry
    }
    membership.join(self)
    Reclaimer.noteActivity()
    return kept.value
  }
}

extension OwnerTable: Sweepable {
  func sweep(limit: Int) -> (examined: Int, atEnd: Bool) {
    let (dead, examined, atEnd) = state.withLock { state -> ([Entry], Int, Bool) in
      var dead: [Entry] = []
      var examined = 0
      if state.hand > state.entries.count { state.hand = 0 }
      while examined < limit, state.hand < state.entries.count {
        examined += 1
        let entry = state.entries[state.hand]
        if entry.owner.isAlive {
          state.hand += 1
        } else {
          dead.append(entry)
          state.remove(at: state.hand)
        }
      }
      let atEnd = state.hand >= state.entries.count
      if atEnd {
        state.hand = 0
        state.shrink()
      }
      return (dead, examined, atEnd)
    }
    // The values of dead objects go here, with no lock held.
    _ = dead
    return (examined, atEnd)
  }
}

extension OwnerTable.State {
  /// Takes an entry out and puts the last one in its place.
  mutating func remove(at place: Int) {
    places.remove(entries[place].address)
    let last = entries.removeLast()
    guard place < entries.count else { return }
    entries[place] = last
    places.set(place, for: last.address)
  }

  /// Gives memory back once most of it is unused.
  mutating func shrink() {
    guard entries.capacity > 64, entries.count < entries.capacity / 4 else { return }
    entries = ContiguousArray(entries)
  }
}
