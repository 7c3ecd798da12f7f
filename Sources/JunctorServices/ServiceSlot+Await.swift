internal import CJunctorServices
internal import JunctorCore
internal import Synchronization

// MARK: - Asking with await

extension ServiceSlot {
  /// Gives the service, and builds it first where need be; asynchronous providers may run.
  ///
  /// - Returns: the service, or `nil` if this set has none after all.
  /// - Throws: `ServiceError`, or `CancellationError` when the asking task is cancelled while it waits.
  func obtainAwaiting(in set: Services, _ request: ServiceRequest) async throws -> ServiceBox? {
    while true {
      switch nextAction(request) {
      case .absent: return nil
      case .closed: throw ServiceError.closed(request.key, set: set, askedAt: request.site)
      case .found(let box):
        ServiceContext.note(self, of: set)
        return box
      case .transient(let definition, let decorators):
        ServiceContext.note(self, of: set)
        let made = try await transientAwaiting(definition, decorators, in: set, request)
        if let made { return made }
        return try await inheritedAwaiting(in: set, request)
      case .derive(let definition, let decorators, let generation):
        let home = try home(of: definition, registeredIn: set, request)
        let derived = home.derivedSlot(
          of: self, definition, decorators, generation: generation, argument: request.argument)
        ServiceContext.note(self, of: set)
        return try await derived.obtainAwaiting(in: home, request)
      case .decorateInherited: return try await inheritedAwaiting(in: set, request)
      case .wait(let build):
        guard let outcome = try await suspend(for: build) else { continue }
        if let box = try settle(outcome, in: set) { return box }
        return try await inheritedAwaiting(in: set, request)
      case .build(let build, let definition, let decorators, let inner):
        let outcome: ServiceBuild.Outcome
        if definition.source.isAsynchronous {
          start(build, definition, decorators, in: set, request)
          guard let awaited = try await suspend(for: build) else { continue }
          outcome = awaited
        } else {
          outcome = run(build, definition, decorators, inner: inner, in: set, request)
        }
        if let box = try settle(outcome, in: set) { return box }
        return try await inheritedAwaiting(in: set, request)
      }
    }
  }

  /// What the alternate gives, decorated by this set.
  func inheritedAwaiting(in set: Services, _ request: ServiceRequest) async throws -> ServiceBox? {
    guard state.withLock({ !$0.decorators.isEmpty }) else { return nil }
    guard let inner = try await set.findBehindAwaiting(request) else { return nil }
    return try decorated(inner, in: set, request)
  }

  private func suspend(for build: ServiceBuild) async throws -> ServiceBuild.Outcome? {
    let outcome = try await WaitGraph.suspend(
      for: build, context: .current, cancelsBuild: build.isOfTask)
    // Its last waiter had left before this one came: that failure is not this one's.
    if case .failed = outcome, build.isCancelled { return nil }
    return outcome
  }

  /// Starts a provider in a task of its own, which goes on as long as anybody waits for it.
  private func start(
    _ build: ServiceBuild, _ definition: ServiceDefinition, _ decorators: [ServiceDecorator],
    in set: Services, _ request: ServiceRequest
  ) {
    // Meanwhile look-ups ask whether they belong to this provider, so that what it needs is noted.
    junctor_track(1)
    let task = Task {
      defer { junctor_track(-1) }
      var made: (box: ServiceBox, inner: ServiceBox?)?
      var outcome: ServiceBuild.Outcome
      do {
        made = try await ServiceBuild.$ofTask.withValue(build) {
          try await makeAwaiting(definition, decorators, in: set, request)
        }
        outcome = try kept(made?.box, build, definition)
      } catch {
        outcome = .failed(ServiceError.providerFailed(error, step: build.step))
      }
      _ = finish(build, outcome, inner: made?.inner, in: set)
    }
    build.run(in: task)
  }

  private func transientAwaiting(
    _ definition: ServiceDefinition, _ decorators: [ServiceDecorator], in set: Services,
    _ request: ServiceRequest
  ) async throws -> ServiceBox? {
    guard definition.source.mayAwait else {
      return try transient(definition, decorators, in: set, request)
    }
    if let path = ServiceContext.cycle(of: self, argument: request.argument) {
      throw ServiceError.cycle(path)
    }
    let build = ServiceBuild(
      self, generation: 0, decorators: decorators.count, isInherited: false,
      site: definition.site, request: request, context: .current, isOfTask: false)
    let home = definition.lifetime == .callerScope ? request.asker : set
    junctor_track(1)
    defer { junctor_track(-1) }
    do {
      let box = try await ServiceBuild.$ofTask.withValue(build) {
        try await makeAwaiting(definition, decorators, in: home, request)?.box
      }
      if box != nil { noteRun(nil, at: request.site, took: build.started.duration(to: .now)) }
      return box
    } catch {
      noteRun(error, at: request.site, took: nil)
      throw ServiceError.providerFailed(error, step: build.step)
    }
  }

  /// Runs a provider where it belongs, and the decorators.
  private func makeAwaiting(
    _ definition: ServiceDefinition, _ decorators: [ServiceDecorator], in set: Services,
    _ request: ServiceRequest
  ) async throws -> (box: ServiceBox, inner: ServiceBox?)? {
    let made: ServiceBox?
    switch definition.source {
    case .async(let provider): made = try await provider(set, request.argument)
    case .main(let provider): made = try await MainActor.run { try provider(set) }
    case .alias(let target, let convert):
      var request = request
      request.key = target
      request.argument = nil
      made = try await set.findAwaiting(request).flatMap { try convert($0) }
    case .value, .sync, .spent: return try make(definition, decorators, in: set, request)
    }
    return try made.map { try decorate($0, decorators, in: set) }
  }
}
