internal import JunctorCore
internal import Synchronization

/// One object that a set starts and tears down, however often it is found there.
struct LifecycleEntry: Sendable {
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
  /// How far starting and closing have got in each place where it is.
  private(set) var places: [LayerProgress]

  /// An object in one place.
  init(
    _ layer: ServiceLayers.Layer, _ key: ServiceKey, site: SourceSite, teardown: ServiceTeardown?
  ) {
    self.key = key
    self.site = site
    box = layer.box
    order = layer.order
    self.teardown = teardown
    places = [layer.progress]
  }

  /// Makes one entry of those of the same object, the first that came about being the one that counts.
  ///
  /// - Parameter entries: the entries, the eldest first.
  static func merged(_ entries: [LifecycleEntry]) -> [LifecycleEntry] {
    var merged: [LifecycleEntry] = []
    // The entries hold the objects, so that no two share an address.
    var index: [ObjectIdentifier: Int] = [:]
    for entry in entries {
      // A value counts as the same where it is a copy of the same layer.
      let identity = ObjectIdentifier(entry.box.object ?? entry.places[0])
      if let first = index[identity] {
        // What is claimed twice in one place would be refused the second time.
        merged[first].places += entry.places.filter { place in
          !merged[first].places.contains { $0 === place }
        }
        merged[first].teardown = merged[first].teardown ?? entry.teardown
      } else {
        index[identity] = merged.count
        merged.append(entry)
      }
    }
    return merged
  }

  // MARK: Who does it

  /// Claims the right to start the object. Whoever gets it does it.
  func claimStart() -> Bool { claim { $0.claimStart() } }

  /// Gives the right back: it was not started.
  func unclaimStart() {
    for place in places { place.unclaimStart() }
  }

  /// Claims the right to tear the object down.
  func claimClose() -> Bool { claim { $0.claimClose() } }

  /// Claims it in every place, those after one that refuses it too.
  private func claim(_ step: (LayerProgress) -> Bool) -> Bool {
    places.reduce(true) { isAll, place in step(place) && isAll }
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
          return LifecycleEntry(layer, key, site: site, teardown: nil)
        }
        guard service.isObjectOwned || service.teardown != nil else { return nil }
        return LifecycleEntry(layer, key, site: site, teardown: service.teardown)
      }
    }
  }
}
