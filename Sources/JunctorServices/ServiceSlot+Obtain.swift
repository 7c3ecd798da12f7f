internal import JunctorCore
internal import Synchronization

// MARK: - Asking at once

extension ServiceSlot {
  /// Gives the service, and builds it first where need be.
  ///
  /// - Throws: `ServiceError`.
  func obtain(in set: Services, _ request: ServiceRequest) throws -> ServiceAnswer {
    while true {
      switch try nextStep(in: set, request) {
      case .give(let box): return .found(box)
      case .nothing: return .absent
      case .inherit: return wrapsWhatIsBehind ? .wraps : .absent
      case .again: continue
      case .derived(let slot, let home):
        switch try slot.obtain(in: home, request) {
        case .found(let box): return .found(box)
        // Let go meanwhile, since it was registered anew.
        case .absent: continue
        case .nothing, .wraps: break
        }
      case .transient(let work):
        if let box = try transient(work, in: set, request) { return .found(box) }
      case .wait(let build):
        guard let outcome = try wait(for: build) else { continue }
        if let box = try settle(outcome, in: set) { return .found(box) }
      case .run(let build, let work):
        let outcome = run(build, work, in: set, request)
        if let box = try settle(outcome, in: set) { return .found(box) }
      }
      return wrapsWhatIsBehind ? .wraps : .nothing
    }
  }

  /// What is behind the set, decorated by it: once for every object that is there.
  func decorated(
    _ inner: ServiceBox, _ keeping: ServiceKeeping, in set: Services, _ request: ServiceRequest
  ) throws -> ServiceBox? {
    while true {
      switch try nextStep(decorating: inner, keeping, in: set, request) {
      case .give(let box): return box
      case .wait(let build):
        try settle(wait(for: build), of: build, decorating: inner)
      case .run(let build, let work):
        return try settle(run(build, work, in: set, request), in: set)
      case .transient(let work): return try transient(work, in: set, request)
      case .nothing, .inherit, .derived, .again:
        // The set has come to an object of its own; if that has gone as well, one has to look again.
        if let box = try obtain(in: set, request).box { return box }
      }
    }
  }

  /// Waits for a build on another thread; `nil` if one has to look again.
  private func wait(for build: ServiceBuild) throws -> ServiceBuild.Outcome? {
    let outcome = try WaitGraph.wait(for: build, context: .current)
    return build.wasGivenUp(with: outcome) ? nil : outcome
  }

  // MARK: Running providers

  /// Runs the provider of a transient.
  func transient(
    _ work: ServiceWork, in set: Services, _ request: ServiceRequest
  ) throws -> ServiceBox? {
    if let path = ServiceContext.cycle(of: self, argument: request.argument) {
      throw ServiceError.cycle(path)
    }
    let began = ContinuousClock.now
    do {
      let box = try ServiceContext.run(
        self, build: nil, argument: request.argument,
        staysOnThread: work.staysOnThread(for: request.ability)
      ) {
        let home = work.definition.lifetime == .callerScope ? request.asker : set
        return try make(work, in: home, request)?.box
      }
      if box != nil { noteRun(nil, at: request.site, took: began.duration(to: .now)) }
      return box
    } catch {
      noteRun(error, at: request.site, took: nil)
      let step = ServiceStep(key: key, site: work.definition.site)
      throw ServiceError.providerFailed(error, step: step)
    }
  }

  /// Runs the provider of a build that others may wait for, and ends the build.
  func run(
    _ build: ServiceBuild, _ work: ServiceWork, in set: Services, _ request: ServiceRequest
  ) -> ServiceBuild.Outcome {
    WaitGraph.begin(build)
    var layers: ServiceLayers?
    let outcome: ServiceBuild.Outcome
    do {
      layers = try ServiceContext.run(
        self, build: build, argument: request.argument,
        staysOnThread: work.staysOnThread(for: request.ability)
      ) {
        try make(work, in: set, request)
      }
      outcome = try kept(layers?.box, build, work)
    } catch {
      outcome = .failed(ServiceError.providerFailed(error, step: build.step))
    }
    // The provider may have seen that; whoever waits was not cancelled.
    if Task.isCancelled { build.cancel() }
    return finish(build, outcome, layers, in: set)
  }

  /// Runs a provider, unless there is something already, and the decorators that are missing, on the calling thread.
  func make(
    _ work: ServiceWork, in set: Services, _ request: ServiceRequest
  ) throws -> ServiceLayers? {
    guard var layers = try work.base ?? provided(work, in: set, request).map({ ServiceLayers($0) })
    else { return nil }
    for decorator in work.pending {
      guard case .sync(let wrap) = decorator.wrap else {
        throw ServiceError.needsAwait(key, isMainActor: false, site: decorator.site)
      }
      layers.wrap(in: try wrap(layers.box, set))
    }
    return layers
  }

  private func provided(
    _ work: ServiceWork, in set: Services, _ request: ServiceRequest
  ) throws -> ServiceBox? {
    switch work.definition.source {
    case .value(let box): return box
    case .sync(let provider): return try provider(set, request.argument)
    case .main(let provider):
      guard request.ability == .mainActor else {
        throw ServiceError.needsAwait(key, isMainActor: true, site: work.definition.site)
      }
      return try MainActor.assumeIsolated { try provider(set, request.argument) }
    case .alias(let target, let convert):
      return try set.find(request.about(target)).flatMap { try convert($0) }
    case .async:
      throw ServiceError.needsAwait(key, isMainActor: false, site: work.definition.site)
    case .spent: return nil
    }
  }
}
