internal import JunctorCore
internal import Synchronization

extension ServiceSlot {
  /// Gives the service, and builds it first where need be.
  ///
  /// - Returns: the service, or `nil` if this set has none after all.
  /// - Throws: `ServiceError`.
  func obtain(in set: Services, _ request: ServiceRequest) throws -> ServiceBox? {
    while true {
      switch nextAction(request) {
      case .absent: return nil
      case .closed: throw ServiceError.closed(request.key, set: set, askedAt: request.site)
      case .found(let box):
        ServiceContext.note(self, of: set)
        return box
      case .transient(let definition, let decorators):
        ServiceContext.note(self, of: set)
        let made = try transient(definition, decorators, in: set, request)
        return try made ?? inherited(in: set, request)
      case .derive(let definition, let decorators, let generation):
        let home = try home(of: definition, registeredIn: set, request)
        let derived = home.derivedSlot(
          of: self, definition, decorators, generation: generation, argument: request.argument)
        ServiceContext.note(self, of: set)
        return try derived.obtain(in: home, request)
      case .decorateInherited: return try inherited(in: set, request)
      case .wait(let build):
        // Its task may need the very thread or actor that would be blocked here.
        if build.isOfTask {
          throw ServiceError.needsAwait(key, isMainActor: request.isOnMainActor, site: build.site)
        }
        guard let outcome = try await_(build) else { continue }
        if let box = try settle(outcome, in: set) { return box }
        return try inherited(in: set, request)
      case .build(let build, let definition, let decorators, let inner):
        let outcome = run(build, definition, decorators, inner: inner, in: set, request)
        if let box = try settle(outcome, in: set) { return box }
        return try inherited(in: set, request)
      }
    }
  }

  /// What the alternate gives, decorated by this set.
  func inherited(in set: Services, _ request: ServiceRequest) throws -> ServiceBox? {
    guard state.withLock({ !$0.decorators.isEmpty }) else { return nil }
    guard let inner = try set.findBehind(request) else { return nil }
    return try decorated(inner, in: set, request)
  }

  /// What the alternate gave, decorated by this set: once for every object of the alternate.
  func decorated(
    _ inner: ServiceBox, in set: Services, _ request: ServiceRequest
  ) throws -> ServiceBox? {
    while true {
      switch nextAction(decorating: inner, request) {
      case .found(let box):
        ServiceContext.note(self, of: set)
        return box
      case .closed: throw ServiceError.closed(request.key, set: set, askedAt: request.site)
      case .wait(let build): _ = try await_(build)
      case .build(let build, let definition, let decorators, _):
        let outcome = run(build, definition, decorators, inner: inner, in: set, request)
        return try settle(outcome, in: set)
      case .absent, .decorateInherited, .transient, .derive: return inner
      }
    }
  }

  // MARK: Steps

  /// What to do about a request, as the machine says.
  func nextAction(_ request: ServiceRequest) -> ServiceMachine.RequestAction {
    // A first look without the context, which is only needed for a build.
    let context = state.withLock { $0.needsContext } ? ServiceContext.current : nil
    return state.withLock { machine in
      let decorators = machine.decorators.count
      return machine.request(argument: request.argument) { generation, definition in
        ServiceBuild(
          self, generation: generation, decorators: decorators, isInherited: false,
          site: definition.site, request: request, context: context,
          isOfTask: definition.source.isAsynchronous && !request.isOnMainActor)
      }
    }
  }

  /// What to do about a request for something that the alternate gave.
  func nextAction(
    decorating inner: ServiceBox, _ request: ServiceRequest
  ) -> ServiceMachine.RequestAction {
    let context = ServiceContext.current
    // What is replaced dies after the lock was left.
    let (action, replaced) = state.withLock { machine in
      let decorators = machine.decorators
      let before = machine.phase
      let action = machine.requestDecorated(inner) { generation, _ in
        ServiceBuild(
          self, generation: generation, decorators: decorators.count, isInherited: true,
          site: decorators.first?.site ?? request.site, request: request, context: context,
          isOfTask: false)
      }
      return (action, before)
    }
    _ = replaced
    return action
  }

  /// Waits for a build on another thread; `nil` if one has to look again.
  private func await_(_ build: ServiceBuild) throws -> ServiceBuild.Outcome? {
    let outcome = try WaitGraph.wait(for: build, context: .current)
    // Its last waiter had left before this one came: that failure is not this one's.
    if case .failed = outcome, build.isCancelled { return nil }
    return outcome
  }

  /// Turns what came of a build into what the asker gets, and notes it for the picture.
  func settle(_ outcome: ServiceBuild.Outcome, in set: Services) throws -> ServiceBox? {
    switch outcome {
    case .built(let box):
      ServiceContext.note(self, of: set)
      return box
    case .nothing: return nil
    case .failed(let error): throw error
    }
  }

  /// The set that keeps the object.
  func home(
    of definition: ServiceDefinition, registeredIn set: Services, _ request: ServiceRequest
  ) throws -> Services {
    guard case .scoped(let scope) = definition.lifetime.kind else { return set }
    var candidate: Services? = request.asker
    while let current = candidate {
      if current.scope == scope { return current }
      if current === set { break }
      candidate = current.alternateSet
    }
    throw ServiceError.noScope(request.key, scope: scope, set: request.asker, at: definition.site)
  }

  // MARK: Running providers

  /// Runs the provider of a transient.
  func transient(
    _ definition: ServiceDefinition, _ decorators: [ServiceDecorator], in set: Services,
    _ request: ServiceRequest
  ) throws -> ServiceBox? {
    if let path = ServiceContext.cycle(of: self, argument: request.argument) {
      throw ServiceError.cycle(path)
    }
    let began = ContinuousClock.now
    do {
      let box = try ServiceContext.run(self, build: nil, argument: request.argument) {
        let home = definition.lifetime == .callerScope ? request.asker : set
        return try make(definition, decorators, in: home, request)?.box
      }
      if box != nil { noteRun(nil, at: request.site, took: began.duration(to: .now)) }
      return box
    } catch {
      noteRun(error, at: request.site, took: nil)
      throw ServiceError.providerFailed(error, step: ServiceStep(key: key, site: definition.site))
    }
  }

  /// Runs a provider and the decorators on the calling thread.
  func make(
    _ definition: ServiceDefinition, _ decorators: [ServiceDecorator], in set: Services,
    _ request: ServiceRequest
  ) throws -> (box: ServiceBox, inner: ServiceBox?)? {
    let made: ServiceBox?
    switch definition.source {
    case .value(let box): made = box
    case .sync(let provider): made = try provider(set, request.argument)
    case .main(let provider):
      guard request.isOnMainActor else {
        throw ServiceError.needsAwait(key, isMainActor: true, site: definition.site)
      }
      made = try MainActor.assumeIsolated { try provider(set) }
    case .alias(let target, let convert):
      var request = request
      request.key = target
      request.argument = nil
      made = try set.find(request).flatMap { try convert($0) }
    case .async: throw ServiceError.needsAwait(key, isMainActor: false, site: definition.site)
    case .spent: made = nil
    }
    return try made.map { try decorate($0, decorators, in: set) }
  }

  /// Wraps a new object in the set's decorators, the first registered innermost.
  func decorate(
    _ inner: ServiceBox, _ decorators: [ServiceDecorator], in set: Services
  ) throws -> (box: ServiceBox, inner: ServiceBox?) {
    guard !decorators.isEmpty else { return (inner, nil) }
    return (try decorators.reduce(inner) { try $1.apply($0, set) }, inner)
  }

  /// Runs the provider of a build that others may wait for, and ends the build.
  func run(
    _ build: ServiceBuild, _ definition: ServiceDefinition, _ decorators: [ServiceDecorator],
    inner: ServiceBox?, in set: Services, _ request: ServiceRequest
  ) -> ServiceBuild.Outcome {
    var made: (box: ServiceBox, inner: ServiceBox?)?
    let outcome: ServiceBuild.Outcome
    do {
      made = try ServiceContext.run(self, build: build, argument: request.argument) {
        try make(definition, decorators, in: set, request)
      }
      outcome = try kept(made?.box, build, definition)
    } catch {
      outcome = .failed(ServiceError.providerFailed(error, step: build.step))
    }
    return finish(build, outcome, inner: made?.inner ?? inner, in: set)
  }

  /// The outcome of a provider that returned, with the object held weakly where that is its lifetime.
  func kept(
    _ box: ServiceBox?, _ build: ServiceBuild, _ definition: ServiceDefinition
  ) throws -> ServiceBuild.Outcome {
    guard let box else { return .nothing }
    if definition.lifetime == .weak {
      guard let weak = WeakService(box, key: key) else {
        throw ServiceError.notAnObject(build.step)
      }
      build.weak = weak
    }
    return .built(box)
  }

  /// Ends a build: keeps what came of it, shows it to look-ups, wakes whoever waits.
  func finish(
    _ build: ServiceBuild, _ outcome: ServiceBuild.Outcome, inner: ServiceBox?, in set: Services
  ) -> ServiceBuild.Outcome {
    let record = ServiceRecord(
      dependencies: build.dependencies, askedAt: build.askedAt,
      duration: build.started.duration(to: .now))
    let action = state.withLock { machine in
      // Closing shuts one slot after another; nobody who has seen the set closed may see a new object of it.
      if set.isShut { machine.isClosed = true }
      let action = machine.finish(
        build, with: outcome, inner: inner, record: record,
        closed: ServiceError.closed(key, set: set, askedAt: build.askedAt))
      show(machine)
      return action
    }
    switch outcome {
    case .built: noteRun(nil, at: build.askedAt, took: record.duration)
    case .failed(let error): noteRun(error, at: build.askedAt, took: record.duration)
    case .nothing: break
    }
    build.finish(action.outcome)
    if let orphan = action.orphan { set.tearDown(orphan, of: self) }
    return action.outcome
  }
}
