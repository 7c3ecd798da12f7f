internal import JunctorCore
internal import Synchronization

// MARK: - What is near

extension Services {
  /// The error for a service that nobody provides: who asked, the sets searched, and what is near.
  func missing(_ request: ServiceRequest) -> ServiceError {
    if WiringHistory.isOn {
      WiringHistory.record(.failure, request.key.shortTypeName, site: request.site)
    }
    var searched = [self]
    var walk = AlternateWalk(self)
    while searched.count < 1_000, let set = walk.next() { searched.append(set) }
    var names = searched.map(\.name)
    if case .foreign(let provider)? = searched.last?.state.withLock({ $0.alternate }) {
      names.append("\(type(of: provider))")
    }
    if names.count > 8 { names = names.prefix(7) + ["… \(names.count - 7) more"] }
    return ServiceError(MissingService(request, names: names, sets: searched), request)
  }

  /// What may have been meant by a key that nobody has, in sentences.
  func nearMisses(_ key: ServiceKey, searched: [Services]) -> [String] {
    var hints: [String] = []
    let name = key.innermostTypeName
    for set in searched {
      for other in set.registeredKeys {
        if other.type == key.type {
          if other.argument != key.argument {
            hints.append(
              "'\(set.name)' has it with \(other.argument == nil ? "no" : "an") argument.")
          } else if let name = other.name {
            hints.append("'\(set.name)' has one named '\(name)': ask with 'name: \"\(name)\"'.")
          } else {
            hints.append("'\(set.name)' has one without a name: ask without one.")
          }
        } else if other.innermostTypeName == name {
          hints.append("'\(set.name)' has '\(other)', a type of another module or place.")
        }
      }
    }
    // There may be very many sets; one look-up in each is cheap, and five hints are enough.
    for source in WiringRegistry.living() where hints.count < 5 {
      guard let set = source as? Services, set.has(key),
        !searched.contains(where: { $0 === set }), set.isInFront(of: self)
      else { continue }
      hints.append("Only '\(set.name)', which is in front of '\(self.name)', has it.")
    }
    var unique: [String] = []
    for hint in hints where !unique.contains(hint) && unique.count < 5 { unique.append(hint) }
    return unique
  }

  /// The keys that this set has something under.
  var registeredKeys: [ServiceKey] {
    let slots = state.withLock { Array($0.slots.values) }
    return
      slots
      .filter { $0.state.withLock { $0.definition != nil } }
      .sorted { $0.id < $1.id }
      .map(\.key)
  }

  /// Whether this set itself has something under a key.
  private func has(_ key: ServiceKey) -> Bool {
    slot(key)?.state.withLock { $0.definition != nil } ?? false
  }

  /// Whether the way from this set backwards leads to another.
  func isInFront(of other: Services) -> Bool {
    var walk = AlternateWalk(self)
    while let set = walk.next() {
      if set === other { return true }
    }
    return false
  }
}
