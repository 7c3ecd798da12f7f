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
  /// Whoever calls it while the set is being started waits for that and gets the same result. What was started is not
  /// started again; what has been registered since is. When the set is closed meanwhile, nothing more is started.
  ///
  /// Services of the other lifetimes are not built by it, and objects given in by `set` are started where they are
  /// `owned`.
  ///
  /// - Parameters:
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Throws: `ServiceError`: a service could not be built (as `require(_:)` would say it) or started (`startFailed`), the
  ///   set is closed (`closed`), or one of its services starts it (`cycle`); `CancellationError` when the task is
  ///   cancelled while it waits.
  /// - Complexity: O(registrations), and the services' own.
  public func start(fileID: StaticString = #fileID, line: UInt = #line) async throws {
    let site = SourceSite(fileID: fileID, line: line)
    let run = ServiceBuild(of: self)
    while true {
      let (isOpen, starting) = state.withLock { state -> (Bool, ServiceBuild?) in
        guard state.phase == .open else { return (false, nil) }
        if let starting = state.starting { return (true, starting) }
        state.starting = run
        return (true, nil)
      }
      guard isOpen else { throw ServiceError.startsClosed(self, at: site) }
      guard let starting else { break }
      if try await isStarted(by: starting, site) { return }
    }
    do {
      try await ServiceTask.run(for: run) { try await startAll(site) }
      end(run, .nothing)
    } catch {
      // Whoever has joined does not want to hear that somebody else was cancelled.
      if Task.isCancelled { run.cancel() }
      end(run, .failed(error))
      throw error
    }
  }

  /// Waits for who is starting the set.
  ///
  /// - Returns: whether it is started; `false` if one has to do it oneself.
  /// - Throws: why it could not be started.
  private func isStarted(by starting: ServiceBuild, _ site: SourceSite) async throws -> Bool {
    let outcome: ServiceBuild.Outcome
    do {
      outcome = try await WaitGraph.suspend(
        for: starting, context: .current, leaves: true, cancelsBuild: false)
    } catch let error as ServiceError where error.code == .cycle {
      throw ServiceError.startsItself(self, at: site)
    }
    guard case .failed(let error) = outcome else { return true }
    if starting.isCancelled { return false }
    throw error
  }

  private func end(_ run: ServiceBuild, _ outcome: ServiceBuild.Outcome) {
    state.withLock { state in
      if state.starting === run { state.starting = nil }
    }
    run.finish(outcome)
  }

  private func startAll(_ site: SourceSite) async throws {
    for slot in eagerSlots {
      let request = ServiceRequest(key: slot.key, asker: self, site: site, ability: .suspending)
      _ = try await slot.obtainAwaiting(in: self, request)
    }
    var started: [LifecycleEntry] = []
    for entry in lifecycle where entry.box.anyValue is any ServiceStarting {
      // What was started so far is torn down with the rest.
      if isShut { throw ServiceError.startsClosed(self, at: site) }
      guard entry.claimStart() else { continue }
      do {
        try await entry.start()
        started.append(entry)
      } catch {
        entry.unclaimStart()
        var causes: [any Error] = [error]
        for entry in started.reversed() where entry.claimClose() {
          do { try await entry.close() } catch { causes.append(error) }
        }
        throw ServiceError.startFailed(entry.key, causes: causes, site: entry.site)
      }
    }
    if isShut { throw ServiceError.startsClosed(self, at: site) }
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
}
