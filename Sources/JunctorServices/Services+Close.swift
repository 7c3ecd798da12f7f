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
    let run = ServiceBuild(of: self)
    let closing = state.withLock { state in
      if let closing = state.closing { return closing }
      state.phase = .closing
      showAlternate(state)
      state.closing = run
      return run
    }
    if closing === run {
      // In a task of its own: it is carried through even if whoever asked is cancelled.
      Task {
        let errors = await ServiceTask.run(for: run) {
          await closeAll(within: limit, clock: clock)
        }
        state.withLock { $0.closeErrors = errors }
        run.finish(.nothing)
      }
    }
    do {
      _ = try await WaitGraph.suspend(
        for: closing, context: .current, leaves: false, cancelsBuild: false)
    } catch {
      // Closing waits for who asks here: a provider, or an object that is being torn down.
      return
    }
    let errors = state.withLock { state in
      defer { state.hasReportedErrors = true }
      return state.hasReportedErrors ? [] : state.closeErrors
    }
    if !errors.isEmpty { throw ServiceError.closeFailed(self, errors) }
  }

  /// Says how a service is torn down, instead of by its `close()`.
  ///
  /// It counts for every object of that type and name that this set has registered: for the one of each scope, which is
  /// torn down with the set of that scope, and for the one of each argument.
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
    guard let slot else { return }
    guard let closing = slot.state.withLock({ $0.shareTeardown() }) else {
      return reportClosed(slot.key, at: site)
    }
    _ = closing.replace { box in
      // SAFETY: what is found under the key of `P` is a `TypedBox<P>`; see `typed(_:)`.
      try await teardown(unsafe unsafeDowncast(box, to: TypedBox<P>.self).value)
    }
  }

  /// Whether the set is closed or being closed.
  ///
  /// - Complexity: O(1).
  public var isClosed: Bool { state.withLock { $0.phase != .open } }

  private func closeAll(within limit: Duration?, clock: any Clock<Duration>) async -> [any Error] {
    let began = WiringHistory.begin()
    var errors: [any Error] = []
    let slots = allSlots
    let builds = slots.flatMap { slot in slot.shut().map { (slot: slot, build: $0) } }
    ServiceReaders.wait()
    // Whoever starts the set notices before the next object.
    if let starting = state.withLock({ $0.starting }) {
      do { try await wait(for: starting, within: limit, clock: clock) } catch {
        errors.append(error)
      }
    }
    // A build in progress ends by itself; whoever runs it learns that the set is closed.
    for (slot, build) in builds {
      do { try await wait(for: build, within: limit, clock: clock) } catch {
        errors.append(error)
        build.cancel()
      }
      if !build.isFinished { slot.state.withLock { $0.isAbandoned = true } }
    }
    var closed = 0
    for entry in lifecycle.reversed() where entry.claimClose() {
      closed += 1
      do {
        try await withLimit(limit, clock: clock, key: entry.key) { try await entry.close() }
      } catch {
        errors.append(error)
      }
    }
    letGo()
    if began != 0 {
      WiringHistory.record(.close, name, site: site, began: began, count: closed)
      if !errors.isEmpty { WiringHistory.record(.failure, name, site: site, count: errors.count) }
    }
    return errors
  }

  /// Waits for a build, unless it waits for this set to be closed.
  ///
  /// - Throws: `ServiceError` of the code `timedOut`.
  private func wait(
    for build: ServiceBuild, within limit: Duration?, clock: any Clock<Duration>
  ) async throws {
    do {
      try await withLimit(limit, clock: clock, key: build.key) {
        _ = try await WaitGraph.suspend(
          for: build, context: .current, leaves: true, cancelsBuild: false)
      }
    } catch let error as ServiceError where error.code == .cycle {
    }
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
        + state.derived.values.joined().map(\.slot)
        + state.decoratedMembers.values.flatMap(\.values)
    }
    return slots.sorted { $0.id < $1.id }
  }

  /// What this set starts, and tears down the other way round: the eldest first.
  var lifecycle: [LifecycleEntry] {
    LifecycleEntry.merged(allSlots.flatMap(\.lifecycle).sorted { $0.order < $1.order })
  }

  /// Tears down an object that came about when nobody waited for it any longer, its wrappers first.
  func tearDown(_ orphans: [ServiceMachine.Orphan], of slot: ServiceSlot) {
    let site = slot.step.site
    let entries = orphans.map {
      LifecycleEntry($0.layer, slot.key, site: site, teardown: $0.teardown)
    }
    Task {
      for entry in entries.reversed() where entry.claimClose() {
        do { try await entry.close() } catch {
          ServiceError.report(
            ServiceError.closeFailed(self, [error]), key: slot.key, at: site)
        }
      }
    }
  }
}

extension ServiceSlot {
  /// Lets nobody in any longer. Returns the builds that are in progress.
  func shut() -> [ServiceBuild] {
    state.withLock { machine in
      machine.isClosed = true
      show(machine)
      return machine.builds
    }
  }

  /// Lets everything go.
  func empty() {
    let leftovers = state.withLock { $0.empty() }
    withExtendedLifetime(leftovers) {}
  }
}
