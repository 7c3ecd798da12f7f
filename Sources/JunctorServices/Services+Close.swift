internal import JunctorCore
internal import Synchronization

// MARK: - Closing

extension Services {
  /// Tears down what this set has built, dependents before what they depend on, and closes the set.
  ///
  /// From the call on, look-ups in this set, and those that come to it from a set in front, get the error `closed`. A
  /// provider that is running is waited for; its object is torn down, and whoever asked gets `closed`. Then each object
  /// is torn down once, even where it is registered under several types: by what `onClose(_:_:)` says, otherwise by its
  /// `close()` if it is `ServiceClosing`. Objects given in by `set` are the business of whoever gave them, unless they
  /// are `owned`. At last the set lets everything go.
  ///
  /// Closing a set that is closed does nothing; closing one that is being closed waits for that.
  ///
  /// - Parameters:
  ///   - limit: how long each object may take; `nil` for as long as it takes. Then its task is cancelled, and the next
  ///     one's turn comes.
  ///   - clock: the clock that the limit is measured with.
  /// - Throws: `ServiceError` of the code `closeFailed`, with everything that went wrong in `causes`.
  /// - Complexity: O(n log n) in the objects, and the objects' own.
  public func close(
    within limit: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async throws {
    let task: Task<[any Error], Never> = state.withLock { state in
      if let task = state.closing { return task }
      state.phase = .closing
      showAlternate(state)
      // The context of who asked goes along, so that a provider that closes its own set is not waited for.
      let task = Task { await closeAll(within: limit, clock: clock) }
      state.closing = task
      return task
    }
    let errors = await task.value
    let isFirst = state.withLock { state in
      defer { state.hasReportedErrors = true }
      return !state.hasReportedErrors
    }
    if isFirst, !errors.isEmpty { throw ServiceError.closeFailed(self, errors) }
  }

  /// Says how a service is torn down, instead of by its `close()`.
  ///
  /// - Parameters:
  ///   - type: the type it is registered under in this set.
  ///   - name: the name it is registered with.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  ///   - teardown: tears the object down.
  /// - Complexity: O(1) on average.
  public func onClose<P: Sendable>(
    _ type: P.Type, name: ServiceName? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ teardown: @escaping @Sendable (P) async throws -> Void
  ) {
    let site = SourceSite(fileID: fileID, line: line)
    let slot = slotForRegistering(ServiceKey(P.self, name: name), at: site)
    let old = slot?.state.withLock { machine in
      let old = machine.teardown
      machine.teardown = { box in
        // SAFETY: what is found under the key of `P` is a `TypedBox<P>`; see `typed(_:)`.
        try await teardown(unsafe unsafeDowncast(box, to: TypedBox<P>.self).value)
      }
      return old
    }
    _ = old
  }

  /// Whether the set is closed or being closed.
  ///
  /// - Complexity: O(1).
  public var isClosed: Bool { state.withLock { $0.phase != .open } }

  private func closeAll(within limit: Duration?, clock: any Clock<Duration>) async -> [any Error] {
    let began = WiringHistory.begin()
    var errors: [any Error] = []
    for slot in allSlots {
      // A build in progress ends by itself; whoever runs it learns that the set is closed.
      guard let build = slot.shut() else { continue }
      do {
        try await withLimit(limit, clock: clock, key: slot.key) {
          _ = try await WaitGraph.suspend(for: build, context: .current, cancelsBuild: false)
        }
      } catch {
        if (error as? ServiceError)?.code == .timedOut { errors.append(error) }
        if let box = slot.abandon() {
          do { try await slot.tearDown(box) } catch { errors.append(error) }
        }
      }
    }
    let entries = lifecycle
    // An object's place is where it came about first: what was built later may have been built with it.
    var last: [ObjectIdentifier: Int] = [:]
    for (index, entry) in entries.enumerated() {
      if let object = entry.box.object { last[ObjectIdentifier(object)] = index }
    }
    let rolledBack = state.withLock { $0.rolledBack }
    for (index, entry) in entries.enumerated() {
      if let object = entry.box.object {
        let name = ObjectIdentifier(object)
        if last[name] != index || rolledBack.contains(name) { continue }
      }
      do {
        try await withLimit(limit, clock: clock, key: entry.key) { try await entry.close() }
      } catch {
        errors.append(error)
      }
    }
    letGo()
    if began != 0 {
      WiringHistory.record(.close, name, site: site, began: began, count: entries.count)
      if !errors.isEmpty { WiringHistory.record(.failure, name, site: site, count: errors.count) }
    }
    return errors
  }

  /// Lets everything go, and marks the set as closed.
  private func letGo() {
    let slots = allSlots
    // The slots stay, empty, since the table points to them.
    for slot in slots { slot.empty() }
    let leftovers = state.withLock { state in
      state.phase = .closed
      let leftovers = (state.alternate, state.derived, state.decoratedMembers)
      state.alternate = .none
      state.derived = [:]
      state.decoratedMembers = [:]
      showAlternate(state)
      return leftovers
    }
    ServiceReaders.wait()
    _ = leftovers
  }

  /// Every slot, in the order in which they were made.
  var allSlots: [ServiceSlot] {
    let slots = state.withLock { state in
      Array(state.slots.values) + state.contributions.values.joined()
        + state.derived.values.map(\.slot)
        + state.decoratedMembers.values.flatMap(\.values)
    }
    return slots.sorted { $0.id < $1.id }
  }

  /// What this set tears down, the youngest first.
  var lifecycle: [LifecycleEntry] {
    allSlots.flatMap(\.lifecycle).sorted {
      $0.order != $1.order ? $0.order > $1.order : $0.rank < $1.rank
    }
  }

  /// Tears down an object that came about when nobody waited for it any longer.
  func tearDown(_ box: ServiceBox, of slot: ServiceSlot) {
    Task {
      do { try await slot.tearDown(box) } catch {
        ServiceError.report(
          ServiceError.closeFailed(self, [error]), key: slot.key, at: slot.step.site)
      }
    }
  }
}

/// One object that a set tears down.
struct LifecycleEntry: Sendable {
  /// The service.
  let key: ServiceKey
  /// Where it was registered.
  let site: SourceSite
  /// The object.
  let box: ServiceBox
  /// When it came about: later ones are torn down earlier.
  let order: UInt64
  /// A wrapper comes before what it wraps.
  let rank: Int
  /// What tears it down instead of its own `close()`.
  let teardown: ServiceTeardown?

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
  /// Lets nobody in any longer. Returns the build that is in progress.
  func shut() -> ServiceBuild? {
    let build: ServiceBuild? = state.withLock { machine in
      machine.isClosed = true
      show(machine)
      guard case .building(let build) = machine.phase else { return nil }
      return build
    }
    ServiceReaders.wait()
    return build
  }

  /// Waits no longer for a build; it tears its object down itself. Returns the object if it came about after all.
  func abandon() -> ServiceBox? {
    let phase = state.withLock { machine in
      machine.isAbandoned = true
      let phase = machine.phase
      if case .ready = phase { machine.phase = .empty }
      return phase
    }
    // What the object was wrapped around may die here, after the lock was left.
    guard case .ready(let ready) = phase else { return nil }
    return ready.box
  }

  /// Lets everything go.
  func empty() {
    let leftovers = state.withLock { machine in
      let leftovers = (machine.definition, machine.decorators, machine.phase, machine.teardown)
      if case .building = machine.phase {
        machine.isAbandoned = true
      } else {
        machine.phase = .empty
      }
      // Something stays, so that look-ups stop here and hear that the set is closed.
      machine.definition?.source = .spent
      machine.definition?.maker = nil
      machine.decorators = []
      return leftovers
    }
    _ = leftovers
  }

  /// Tears one object down.
  func tearDown(_ box: ServiceBox) async throws {
    try await LifecycleEntry(
      key: key, site: step.site, box: box, order: 0, rank: 0,
      teardown: state.withLock { $0.teardown }
    ).close()
  }

  /// The objects of this slot that its set tears down.
  var lifecycle: [LifecycleEntry] {
    let site = step.site
    return state.withLock { machine in
      guard case .ready(let ready) = machine.phase else { return [] }
      let isOwned = machine.definition?.isOwned ?? false
      var entries: [LifecycleEntry] = []
      func add(_ box: ServiceBox, rank: Int, _ teardown: ServiceTeardown?) {
        entries.append(
          LifecycleEntry(
            key: key, site: site, box: box, order: ready.order, rank: rank, teardown: teardown))
      }
      if let inner = ready.inner {
        // A decorator may give back what it was given; then there is no wrapper.
        if !isSameService(inner, ready.box) { add(ready.box, rank: 0, nil) }
        if isOwned || machine.teardown != nil, machine.definition != nil {
          add(inner, rank: 1, machine.teardown)
        }
      } else if isOwned || machine.teardown != nil {
        add(ready.box, rank: 0, machine.teardown)
      }
      return entries
    }
  }
}
