internal import JunctorCore
internal import Synchronization

// MARK: - Starting

extension Services {
  /// Builds what this set caches, and starts it in the order in which it depends on one another.
  ///
  /// Every cached service of this set is built, asynchronous ones included. Then each that is `ServiceStarting` is started,
  /// after everything that it was built with. If one cannot be started, those that were are closed again, the last one
  /// first; the set stays open, and `start()` may be called again.
  ///
  /// Services of the other lifetimes, and such as are registered later, are not started by the set.
  ///
  /// - Parameters:
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Throws: `ServiceError`: a service could not be built (as `require(_:)` would say it) or started (`startFailed`).
  /// - Complexity: O(registrations), and the services' own.
  public func start(fileID: StaticString = #fileID, line: UInt = #line) async throws {
    let site = SourceSite(fileID: fileID, line: line)
    for slot in eagerSlots {
      let request = ServiceRequest(key: slot.key, asker: self, site: site)
      _ = try await slot.obtainAwaiting(in: self, request)
    }
    let living = lifecycle.reversed()
    var known: Set<ObjectIdentifier> = []
    var started: [LifecycleEntry] = []
    for entry in living {
      if let object = entry.box.object {
        guard known.insert(ObjectIdentifier(object)).inserted, !hasStarted(object) else { continue }
      }
      guard let service = entry.box.anyValue as? any ServiceStarting else { continue }
      do {
        try await service.start()
        started.append(entry)
        note(entry.box, hasStarted: true)
      } catch {
        var causes: [any Error] = [error]
        for entry in started.reversed() {
          do { try await entry.close() } catch { causes.append(error) }
          note(entry.box, hasStarted: false)
        }
        throw ServiceError.startFailed(entry.key, causes: causes, site: entry.site)
      }
    }
  }

  /// The slots whose object lives as long as the set, in the order of registration.
  private var eagerSlots: [ServiceSlot] {
    let slots = state.withLock { Array($0.slots.values) + $0.contributions.values.joined() }
    return
      slots
      .filter { slot in
        slot.state.withLock { machine in
          guard let definition = machine.definition else { return false }
          return definition.lifetime == .cached && !definition.takesArgument
        }
      }
      .sorted { $0.id < $1.id }
  }

  private func hasStarted(_ object: AnyObject) -> Bool {
    state.withLock { $0.started.contains(ObjectIdentifier(object)) }
  }

  /// Notes that an object was started, or closed again; such a one is not closed a second time.
  private func note(_ box: ServiceBox, hasStarted: Bool) {
    guard let object = box.object else { return }
    state.withLock { state in
      if hasStarted {
        state.started.insert(ObjectIdentifier(object))
        state.rolledBack.remove(ObjectIdentifier(object))
      } else {
        state.started.remove(ObjectIdentifier(object))
        state.rolledBack.insert(ObjectIdentifier(object))
      }
    }
  }
}
