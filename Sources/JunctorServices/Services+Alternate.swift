internal import CJunctorServices
internal import JunctorCore
internal import Synchronization

// MARK: - What stands behind a set

extension Services {
  /// What is asked for what this set lacks; `nil` when nothing is.
  ///
  /// May be changed at any time. A ring of alternates is reported, and look-ups in it end.
  ///
  /// - Complexity: O(1) to read; to write, O(sets behind) and a wait for look-ups that are under way.
  public var alternateServices: (any ServicesProvider)? {
    get {
      switch state.withLock({ $0.alternate }) {
      case .none: nil
      case .set(let set): set
      case .foreign(let provider): provider
      }
    }
    set {
      let alternate: ServicesState.Alternate =
        switch newValue {
        case nil: .none
        case let set as Services: .set(set)
        case .some(let provider): .foreign(provider)
        }
      let old = state.withLock { state in
        let old = state.alternate
        state.alternate = alternate
        state.alternateChange = Identifier.next()
        state.hasReportedRing = false
        showAlternate(state)
        return old
      }
      // SAFETY: this thread is not inside. Afterwards no look-up is on its way through the old alternate unretained.
      if case .set = old { ServiceReaders.wait() }
      _ = old
      if case .set = alternate, isInRing { reportRing() }
    }
  }

  /// The set behind this one, if what stands there is a set.
  var alternateSet: Services? {
    guard case .set(let set) = state.withLock({ $0.alternate }) else { return nil }
    return set
  }

  /// Shows look-ups what stands behind the set. Call it with the lock held.
  func showAlternate(_ state: ServicesState) {
    var detour: UInt = state.phase == .open ? 0 : UInt(JUNCTOR_DETOUR_CLOSED)
    var parent: UnsafeMutablePointer<junctor_set>?
    switch state.alternate {
    case .none: break
    case .set(let set): unsafe parent = unsafe set.core
    case .foreign: detour |= UInt(JUNCTOR_DETOUR_FOREIGN)
    }
    // SAFETY: the state holds the alternate as long as the core points to its core; see `alternateServices`.
    unsafe junctor_set_parent(core, parent)
    unsafe junctor_set_detour(core, detour)
  }

  /// Whether `isClosed` may have been seen to be true, without the lock: for whoever holds a slot's lock.
  var isShut: Bool {
    // SAFETY: an atomic load of what the set owns.
    unsafe junctor_set_is_closed(core)
  }

  /// Lets go what is behind a dying set, one set after another: a long chain must not end in deinits inside deinits.
  static func letGo(_ alternate: inout ServicesState.Alternate) {
    while case .set(var set) = alternate {
      alternate = .none
      guard isKnownUniquelyReferenced(&set) else { break }
      // Nobody else holds it, so nobody is in it or comes through it.
      set.state.withLock { state in
        swap(&state.alternate, &alternate)
        set.showAlternate(state)
      }
    }
  }

  /// Whether the way through the sets behind this one comes back to it.
  private var isInRing: Bool {
    var walk = AlternateWalk(self)
    while let set = walk.next() {
      if set === self { return true }
    }
    return walk.isRing
  }

  /// Reports the ring that the way behind this set leads into, once until it is made anew.
  func reportRing() { Services.reportRing(AlternateWalk.ring(from: self)) }

  /// Reports a ring of these sets, wherever it was come upon, where its last change was made.
  static func reportRing(_ members: [Services]) {
    // The change that closed the ring is the last one of all its members' and never that of another ring.
    let changes = members.map { set in (set: set, number: set.state.withLock { $0.alternateChange })
    }
    guard let last = changes.max(by: { $0.number < $1.number })?.set else { return }
    let isFirst = last.state.withLock { state in
      defer { state.hasReportedRing = true }
      return !state.hasReportedRing
    }
    if isFirst { Junctor.report(ServiceError.ring(last)) }
  }
}

/// Goes from set to set backwards, and ends in a ring.
struct AlternateWalk {
  private var current: Services
  // Brent's cycle finding: whatever its length, a ring is found after at most three rounds, without a list.
  private var landmark: Services
  private var steps = 0
  private var limit = 2
  /// Whether it ended because the sets form a ring.
  private(set) var isRing = false

  /// Starts behind a set.
  init(_ set: Services) {
    current = set
    landmark = set
  }

  /// A set and those behind it, the nearest first, each once; a ring is reported.
  static func sets(from set: Services) -> [Services] {
    var sets = [set]
    var walk = AlternateWalk(set)
    while let set = walk.next() { sets.append(set) }
    guard walk.isRing else { return sets }
    set.reportRing()
    // The walk may have gone round more than once before it noticed.
    var seen: Set<ObjectIdentifier> = []
    return sets.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The sets of the ring that the way from a set leads into; none where it ends.
  static func ring(from set: Services) -> [Services] {
    var way: [Services] = []
    var places: [ObjectIdentifier: Int] = [:]
    var next: Services? = set
    while let set = next {
      if let first = places.updateValue(way.count, forKey: ObjectIdentifier(set)) {
        return Array(way[first...])
      }
      way.append(set)
      next = set.alternateSet
    }
    return []
  }

  /// The next set back.
  mutating func next() -> Services? {
    guard let set = current.alternateSet else { return nil }
    if set === landmark {
      isRing = true
      return nil
    }
    steps += 1
    if steps == limit {
      steps = 0
      limit *= 2
      landmark = set
    }
    current = set
    return set
  }
}
