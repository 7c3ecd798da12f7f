internal import JunctorCore
internal import Synchronization

// MARK: - One object per scope or argument

extension Services {
  /// The slot of the object that exists once per scope or argument, as it was registered last; `nil` if that registration
  /// is no longer the last one.
  ///
  /// - Throws: `ServiceError` of the code `closed`.
  func derivedSlot(
    of slot: ServiceSlot, _ work: ServiceWork, generation: UInt64, _ request: ServiceRequest
  ) throws -> ServiceSlot? {
    let key = DerivedKey(slot: slot.id, hash: request.argument?.hash ?? 0)
    let derived = try place(key, request)
    // In its place first: whoever registers anew after this look finds it there.
    guard slot.isRegistered(as: generation) else { return nil }
    let action = derived.update { $0.derive(work, generation: generation) }
    if action.isRefused {
      throw ServiceError.closed(request.key, set: self, askedAt: request.site)
    }
    return derived
  }

  private func place(_ key: DerivedKey, _ request: ServiceRequest) throws -> ServiceSlot {
    while true {
      let known = state.withLock { $0.derived[key] ?? [] }
      // Comparing arguments is the user's code: not under the lock.
      if let found = known.first(where: { $0.argument == request.argument }) { return found.slot }
      let new = ServiceSlot(request.key)
      let (isOpen, isAdded, leftovers) = state.withLock { state in
        guard state.phase == .open else { return (false, false, [DerivedSlot]()) }
        let now = state.derived[key] ?? []
        // Somebody may have come first, perhaps with the same argument.
        guard now.map(\.slot.id) == known.map(\.slot.id) else { return (true, false, []) }
        state.derived[key, default: []].append(DerivedSlot(argument: request.argument, slot: new))
        state.derivedCount += 1
        return (true, true, sweepDerived(&state))
      }
      withExtendedLifetime(leftovers) {}
      if !isOpen { throw ServiceError.closed(request.key, set: self, askedAt: request.site) }
      if isAdded { return new }
    }
  }

  /// Lets go what this set keeps of what was made for a scope or for arguments by earlier registrations of a slot.
  ///
  /// - Complexity: O(objects that this set keeps for scopes and arguments).
  func letGoDerived(of slot: ServiceSlot, before generation: UInt64) {
    let derived = state.withLock { state in
      state.derived.lazy.filter { $0.key.slot == slot.id }.flatMap(\.value).map(\.slot)
    }
    for slot in derived {
      // Not `update`: the table does not show what is derived, so that there are no readers to be waited for.
      let leftovers = slot.state.withLock { $0.letGo(before: generation) }
      _ = leftovers
    }
  }

  /// Takes out what was made for arguments and is not there, or was held weakly and has died. Call it with the lock held.
  ///
  /// - Returns: what must die outside the lock.
  /// - Complexity: O(1) amortised over what is added.
  private func sweepDerived(_ state: inout ServicesState) -> [DerivedSlot] {
    guard state.derivedCount >= state.derivedLimit else { return [] }
    var leftovers: [DerivedSlot] = []
    for key in Array(state.derived.keys) {
      guard var entries = state.derived.removeValue(forKey: key) else { continue }
      var kept: [DerivedSlot] = []
      while var entry = entries.popLast() {
        // Somebody who has just been given the slot may be about to build in it.
        if isKnownUniquelyReferenced(&entry.slot), entry.slot.state.withLock({ $0.isDead }) {
          leftovers.append(entry)
        } else {
          kept.append(entry)
        }
      }
      if !kept.isEmpty { state.derived[key] = kept.reversed() }
    }
    state.derivedCount -= leftovers.count
    state.derivedLimit = max(64, state.derivedCount * 2)
    return leftovers
  }
}
