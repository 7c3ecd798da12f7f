internal import JunctorCore
internal import Synchronization

/// One object that a set starts and tears down, however often it is found there.
struct LifecycleEntry: Sendable {
  /// One place of the object.
  struct Place: Sendable {
    /// The slot.
    let slot: ServiceSlot
    /// When the object came about there.
    let order: UInt64
  }

  /// The service.
  let key: ServiceKey
  /// Where it was registered.
  let site: SourceSite
  /// The object.
  let box: ServiceBox
  /// When it came about first: what came about later may have been built with it.
  let order: UInt64
  /// What tears it down instead of its own `close()`.
  private(set) var teardown: ServiceTeardown?
  /// Where it is.
  private(set) var places: [Place]

  /// An object in one place.
  init(
    _ layer: ServiceLayers.Layer, of slot: ServiceSlot, site: SourceSite, teardown: ServiceTeardown?
  ) {
    key = slot.key
    self.site = site
    box = layer.box
    order = layer.order
    self.teardown = teardown
    places = [Place(slot: slot, order: layer.order)]
  }

  /// Makes one entry of those of the same object, the first that came about being the one that counts.
  ///
  /// - Parameter entries: the entries, the eldest first.
  static func merged(_ entries: [LifecycleEntry]) -> [LifecycleEntry] {
    var merged: [LifecycleEntry] = []
    // The entries hold the objects, so that no two share an address.
    var index: [ObjectIdentifier: Int] = [:]
    for entry in entries {
      guard let object = entry.box.object else {
        merged.append(entry)
        continue
      }
      if let first = index[ObjectIdentifier(object)] {
        merged[first].places += entry.places
        merged[first].teardown = merged[first].teardown ?? entry.teardown
      } else {
        index[ObjectIdentifier(object)] = merged.count
        merged.append(entry)
      }
    }
    return merged
  }

  // MARK: Who does it

  /// Claims the right to start the object. Whoever gets it does it.
  func claimStart() -> Bool {
    claim { progress in
      defer { progress = .started }
      return progress != .started
    }
  }

  /// Gives the right back: it was not started.
  func unclaimStart() {
    _ = claim { progress in
      progress = .idle
      return true
    }
  }

  /// Claims the right to tear the object down.
  func claimClose() -> Bool {
    claim { progress in
      defer { progress = .closed }
      return progress != .closed
    }
  }

  private func claim(_ change: @Sendable (inout ServiceLayers.Progress) -> Bool) -> Bool {
    var isAll = true
    for place in places {
      let isGiven = place.slot.state.withLock { $0.advance(place.order, change) }
      isAll = isAll && isGiven
    }
    return isAll
  }

  /// Starts the object, if it can be started.
  func start() async throws {
    try await (box.anyValue as? any ServiceStarting)?.start()
  }

  /// Tears the object down.
  func close() async throws {
    if let teardown {
      try await teardown(box)
    } else if let service = box.anyValue as? any ServiceClosing {
      try await service.close()
    }
  }
}

extension ServiceSlot {
  /// The objects of this slot that its set starts and tears down.
  var lifecycle: [LifecycleEntry] {
    let site = step.site
    return state.withLock { $0.services }.flatMap { service in
      service.layers.own.enumerated().compactMap { index, layer in
        // A wrapper is the set's in any case; what was given in only where that was said.
        if index > 0 || service.layers.isInherited {
          return LifecycleEntry(layer, of: self, site: site, teardown: nil)
        }
        guard service.isObjectOwned || service.teardown != nil else { return nil }
        return LifecycleEntry(layer, of: self, site: site, teardown: service.teardown)
      }
    }
  }
}
