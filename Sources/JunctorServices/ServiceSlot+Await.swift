internal import CJunctorServices
internal import JunctorCore
internal import Synchronization

// MARK: - Asking with await

extension ServiceSlot {
  /// Gives the service, and builds it first where need be; asynchronous providers may run.
  ///
  /// - Throws: `ServiceError`, or `CancellationError` when the asking task is cancelled while it waits.
  func obtainAwaiting(in set: Services, _ request: ServiceRequest) async throws -> ServiceAnswer {
    while true {
      switch try nextStep(in: set, request) {
      case .give(let box): return .found(box)
      case .nothing: return .absent
      case .inherit: return wrapsWhatIsBehind ? .wraps : .absent
      case .again: continue
      case .derived(let slot, let home):
        switch try await slot.obtainAwaiting(in: home, request) {
        case .found(let box): return .found(box)
        // Let go meanwhile, since it was registered anew.
        case .absent: continue
        case .nothing, .wraps: break
        }
      case .transient(let work):
        if let box = try await transientAwaiting(work, in: set, request) { return .found(box) }
      case .wait(let build):
        guard let outcome = try await suspend(for: build) else { continue }
        if let box = try settle(outcome, in: set) { return .found(box) }
      case .run(let build, let work):
        guard let outcome = try await runAwaiting(build, work, in: set, request) else { continue }
        if let box = try settle(outcome, in: set) { return .found(box) }
      }
      return wrapsWhatIsBehind ? .wraps : .nothing
    }
  }

  /// What is behind the set, decorated by it: once for every object that is there.
  func decoratedAwaiting(
    _ inner: ServiceBox, _ keeping: ServiceKeeping, in set: Services, _ request: ServiceRequest
  ) async throws -> ServiceBox? {
    while true {
      switch try nextStep(decorating: inner, keeping, in: set, request) {
      case .give(let box): return box
      case .wait(let build):
        try settle(try await suspend(for: build), of: build, decorating: inner)
      case .run(let build, let work):
        guard let outcome = try await runAwaiting(build, work, in: set, request) else { continue }
        return try settle(outcome, in: set)
      case .transient(let work): return try await transientAwaiting(work, in: set, request)
      case .nothing, .inherit, .derived, .again:
        // As in `decorated`.
        if let box = try await obtainAwaiting(in: set, request).box { return box }
      }
    }
  }

  /// Waits for a build; `nil` if one has to look again.
  private func suspend(for build: ServiceBuild) async throws -> ServiceBuild.Outcome? {
    let outcome = try await WaitGraph.suspend(
      for: build, context: .current, leaves: true, cancelsBuild: build.isOfTask)
    return build.wasGivenUp(with: outcome) ? nil : outcome
  }

  // MARK: Running providers

  /// Runs the provider of a build where it belongs; `nil` if one has to look again.
  private func runAwaiting(
    _ build: ServiceBuild, _ work: ServiceWork, in set: Services, _ request: ServiceRequest
  ) async throws -> ServiceBuild.Outcome? {
    guard build.isOfTask else { return run(build, work, in: set, request) }
    start(build, work, in: set, request)
    return try await suspend(for: build)
  }

  /// Starts a provider in a task of its own, which goes on as long as anybody waits for it.
  private func start(
    _ build: ServiceBuild, _ work: ServiceWork, in set: Services, _ request: ServiceRequest
  ) {
    WaitGraph.begin(build)
    // Meanwhile look-ups ask whether they belong to this provider, so that what it needs is noted.
    junctor_track(1)
    let task = Task {
      defer { junctor_track(-1) }
      if build.runsOnMainActor { return await runOnMainActor(build, in: set, request) }
      var layers: ServiceLayers?
      var outcome: ServiceBuild.Outcome
      do {
        layers = try await ServiceTask.run(for: build) {
          try await makeAwaiting(build, work, in: set, request)
        }
        outcome = try kept(layers?.box, build, work)
      } catch {
        outcome = .failed(ServiceError.providerFailed(error, step: build.step))
      }
      _ = finish(build, outcome, layers, in: set)
    }
    build.run(in: task)
  }

  /// Runs the provider of a build on the main actor, unless somebody has come before there, who ends the build as well.
  private func runOnMainActor(
    _ build: ServiceBuild, in set: Services, _ request: ServiceRequest
  ) async {
    var request = request
    request.ability = .mainActor
    await ServiceTask.run(for: build) { [request] in
      await MainActor.run {
        if let work = build.claim(for: nil) { _ = run(build, work, in: set, request) }
      }
    }
  }

  private func transientAwaiting(
    _ work: ServiceWork, in set: Services, _ request: ServiceRequest
  ) async throws -> ServiceBox? {
    guard work.mayAwait else { return try transient(work, in: set, request) }
    if let path = ServiceContext.cycle(of: self, argument: request.argument) {
      throw ServiceError.cycle(path)
    }
    let build = ServiceBuild(self, work, request: request, context: .current, isOfTask: false)
    let home = work.definition.lifetime == .callerScope ? request.asker : set
    WaitGraph.begin(build)
    junctor_track(1)
    defer {
      junctor_track(-1)
      build.finish(.nothing)
    }
    do {
      let box = try await ServiceTask.run(for: build) {
        try await makeAwaiting(build, work, in: home, request)?.box
      }
      if box != nil { noteRun(nil, at: request.site, took: build.started.duration(to: .now)) }
      return box
    } catch {
      noteRun(error, at: request.site, took: nil)
      throw ServiceError.providerFailed(error, step: build.step)
    }
  }

  /// Runs a provider where it belongs, unless there is something already, and the decorators that are missing.
  private func makeAwaiting(
    _ build: ServiceBuild, _ work: ServiceWork, in set: Services, _ request: ServiceRequest
  ) async throws -> ServiceLayers? {
    if build.depth > ServiceContext.maximalDepth {
      throw ServiceError.tooDeep(build.step, depth: build.depth)
    }
    guard work.mayAwait else { return try make(work, in: set, request) }
    var layers = work.base
    if layers == nil {
      layers = try await providedAwaiting(work, in: set, request).map { ServiceLayers($0) }
    }
    for decorator in work.pending {
      guard let inner = layers?.box else { return nil }
      switch decorator.wrap {
      case .sync(let wrap): layers?.wrap(in: try wrap(inner, set))
      case .async(let wrap): layers?.wrap(in: try await wrap(inner, set))
      }
    }
    return layers
  }

  private func providedAwaiting(
    _ work: ServiceWork, in set: Services, _ request: ServiceRequest
  ) async throws -> ServiceBox? {
    switch work.definition.source {
    case .value(let box): box
    case .sync(let provider): try provider(set, request.argument)
    case .async(let provider): try await provider(set, request.argument)
    case .main(let provider): try await MainActor.run { try provider(set, request.argument) }
    case .alias(let target, let convert):
      try await set.findAwaiting(request.about(target)).flatMap { try convert($0) }
    case .spent: nil
    }
  }
}
