internal import JunctorCore
internal import Synchronization

/// What a slot has for a request.
enum ServiceAnswer {
  /// This.
  case found(ServiceBox)
  /// Nothing is registered: go on to the alternate.
  case absent
  /// Nothing this time: go on to the alternate.
  case nothing
  /// Nothing of its own: what the alternate has is wrapped here.
  case wraps

  /// What was found.
  var box: ServiceBox? { if case .found(let box) = self { box } else { nil } }
}

// MARK: - What asking at once and asking with await share

extension ServiceSlot {
  /// What is left to do for a request.
  enum Step {
    /// Give this.
    case give(ServiceBox)
    /// Go on to the alternate.
    case nothing
    /// Ask the alternate and decorate what it gives.
    case inherit
    /// Ask the slot of the scope or argument, in the set that keeps its object.
    case derived(ServiceSlot, in: Services)
    /// Look again: it was registered anew meanwhile.
    case again
    /// Run the provider, for this asker alone.
    case transient(ServiceWork)
    /// Wait for who runs it.
    case wait(ServiceBuild)
    /// Run the provider, for all who wait.
    case run(ServiceBuild, ServiceWork)
  }

  /// What to do about a request.
  ///
  /// - Throws: `ServiceError`, if it cannot be answered.
  func nextStep(in set: Services, _ request: ServiceRequest) throws -> Step {
    // A first look without the context, which is only needed for a build.
    let context = state.withLock { $0.needsContext } ? ServiceContext.current : nil
    let action = state.withLock { machine in
      machine.request(hasArgument: request.argument != nil, ability: request.ability) { work in
        ServiceBuild(
          self, work, request: request, context: context,
          isOfTask: work.mustSuspend(for: request.ability))
      }
    }
    return try step(action, in: set, request)
  }

  /// Whether a registration is still the last one.
  func isRegistered(as generation: UInt64) -> Bool {
    state.withLock { $0.generation == generation }
  }

  /// What keeps what this slot gives alive.
  var keeping: ServiceKeeping { state.withLock { $0.definition?.keeping } ?? .bySet }

  /// Whether decorators wait for what is behind the set.
  var wrapsWhatIsBehind: Bool { wrapsInherited && state.withLock { !$0.decorators.isEmpty } }

  /// What to do about a request for something that the alternate gave.
  ///
  /// - Throws: `ServiceError`, if it cannot be answered.
  func nextStep(
    decorating inner: ServiceBox, _ keeping: ServiceKeeping, in set: Services,
    _ request: ServiceRequest
  ) throws -> Step {
    let context = ServiceContext.current
    // What is replaced dies after the lock was left.
    let (action, replaced) = state.withLock { machine in
      let before = machine.phase
      let action = machine.requestDecorated(inner, keeping, ability: request.ability) { work in
        ServiceBuild(
          self, work, request: request, context: context,
          isOfTask: work.mustSuspend(for: request.ability))
      }
      return (action, before)
    }
    _ = replaced
    return try step(action, in: set, request)
  }

  private func step(
    _ action: ServiceMachine.RequestAction, in set: Services, _ request: ServiceRequest
  ) throws -> Step {
    switch action {
    case .absent, .own: return .nothing
    case .closed: throw ServiceError.closed(request.key, set: set, askedAt: request.site)
    case .found(let box):
      ServiceContext.note(self)
      return .give(box)
    case .decorateInherited: return .inherit
    case .needsAwait(let work):
      throw needsAwait(isMainActor: work.isOfMainActor, at: work.definition.site)
    case .derive(let work, let generation):
      let home = try home(of: work.definition, registeredIn: set, request)
      var work = work
      if work.closing == nil { work.closing = try sharedTeardown(in: set, request) }
      guard let derived = try home.derivedSlot(of: self, work, generation: generation, request)
      else { return .again }
      ServiceContext.note(self)
      return .derived(derived, in: home)
    case .transient(let work):
      ServiceContext.note(self)
      return .transient(work)
    case .wait(let build):
      if build.isOfTask, request.ability != .suspending { return try stepAtOnce(build, request) }
      return .wait(build)
    case .build(let build, let work): return .run(build, work)
    }
  }

  /// What somebody does about the build of a task who does not suspend.
  private func stepAtOnce(_ build: ServiceBuild, _ request: ServiceRequest) throws -> Step {
    if request.ability == .mainActor, build.runsOnMainActor {
      let asker = ServiceContext.currentBuild
      if let work = build.claim(for: asker) { return .run(build, work) }
      // It has begun and not ended, on this actor: a provider inside it asks, which must not wait and hears why.
      if asker != nil { return .wait(build) }
    }
    // Its task may need the very thread or actor that would be blocked here.
    throw needsAwait(isMainActor: build.isOfMainActor, at: build.site)
  }

  /// The error of a provider that does not even begin.
  private func needsAwait(isMainActor: Bool, at site: SourceSite) -> ServiceError {
    ServiceError.needsAwait(key, isMainActor: isMainActor, site: site)
      .passing(ServiceStep(key: key, site: site))
  }

  /// Where the set that has registered this service says how its objects are torn down: for those of every argument with
  /// those of none.
  ///
  /// - Throws: `ServiceError` of the code `closed`.
  private func sharedTeardown(
    in set: Services, _ request: ServiceRequest
  ) throws -> SharedTeardown {
    let closed = ServiceError.closed(request.key, set: set, askedAt: request.site)
    var shared: SharedTeardown?
    if key.argument != nil {
      let key = ServiceKey(withoutArgument: key)
      if set.isShut { throw closed }
      let slot = set.slot(key) ?? set.slotForRegistering(key, at: step.site)
      shared = slot?.state.withLock { $0.shareTeardown() }
      if shared == nil { throw closed }
    }
    guard let shared = state.withLock({ $0.shareTeardown(shared) }) else { throw closed }
    return shared
  }

  /// The set that keeps the object.
  private func home(
    of definition: ServiceDefinition, registeredIn set: Services, _ request: ServiceRequest
  ) throws -> Services {
    guard case .scoped(let scope) = definition.lifetime.kind else { return set }
    var walk = AlternateWalk(request.asker)
    var candidate: Services? = request.asker
    while let current = candidate {
      if current.scope == scope { return current }
      // Somebody may make a ring of the sets meanwhile; the walk ends in it.
      candidate = current === set ? nil : walk.next()
    }
    throw ServiceError.noScope(request.key, scope: scope, set: request.asker, at: definition.site)
  }

  /// Turns what came of a build into what the asker gets, and notes it for the picture.
  func settle(_ outcome: ServiceBuild.Outcome, in set: Services) throws -> ServiceBox? {
    switch outcome {
    case .built(let box):
      ServiceContext.note(self)
      return box
    case .nothing: return nil
    case .failed(let error): throw error
    }
  }

  /// Lets whoever waited for a decorator have its error, if that was given the same; otherwise one has to look again.
  func settle(
    _ outcome: ServiceBuild.Outcome?, of build: ServiceBuild, decorating inner: ServiceBox
  ) throws {
    guard case .failed(let error)? = outcome, let inherited = build.inherited,
      isSameService(inherited, inner)
    else { return }
    throw error
  }

  /// The outcome of a provider that returned, with the object held weakly where that is its lifetime.
  func kept(
    _ box: ServiceBox?, _ build: ServiceBuild, _ work: ServiceWork
  ) throws -> ServiceBuild.Outcome {
    guard let box else { return .nothing }
    if work.definition.lifetime == .weak {
      build.weak = WeakLayers(box, around: work.inherited, key: key)
      // What is wrapped may be held weakly and its wrapper be no object; then there is one for each who asks.
      if build.weak == nil, work.inherited == nil { throw ServiceError.notAnObject(build.step) }
    }
    return .built(box)
  }

  /// Ends a build: keeps what came of it, shows it to look-ups, wakes whoever waits.
  func finish(
    _ build: ServiceBuild, _ outcome: ServiceBuild.Outcome, _ layers: ServiceLayers?,
    in set: Services
  ) -> ServiceBuild.Outcome {
    var layers = layers
    let dependencies = build.dependencies
    if build.isKept, !build.isInherited {
      layers?.noteLender { lender(of: $0, dependencies, in: set) }
    }
    let record = ServiceRecord(
      dependencies: dependencies, askedAt: build.askedAt,
      duration: build.started.duration(to: .now))
    let (action, isCurrent) = state.withLock { machine in
      let isCurrent = machine.isWaiting(for: build)
      // Closing shuts one slot after another; nobody who has seen the set closed may see a new object of it.
      if set.isShut { machine.isClosed = true }
      let action = machine.finish(
        build, with: outcome, layers, record: record,
        closed: ServiceError.closed(key, set: set, askedAt: build.askedAt))
      show(machine)
      return (action, isCurrent)
    }
    switch outcome {
    case .built: noteRun(nil, at: build.askedAt, took: record.duration, isCurrent: isCurrent)
    case .failed(let error):
      noteRun(error, at: build.askedAt, took: record.duration, isCurrent: isCurrent)
    case .nothing: break
    }
    build.finish(action.outcome)
    if !action.orphans.isEmpty { set.tearDown(action.orphans, of: self) }
    return action.outcome
  }

  /// Whose an object is, where the provider asked another service for it and gave it back.
  private func lender(
    of object: AnyObject, _ dependencies: [ServiceRecord.Dependency], in set: Services
  ) -> ServiceLayers.Lender? {
    var lender: ServiceLayers.Lender?
    for dependency in dependencies {
      guard let other = dependency.slot.slot, other !== self,
        let progress = other.progress(of: object)
      else { continue }
      if AlternateWalk.sets(from: set).contains(where: { $0.allSlots.contains { $0 === other } }) {
        return .behind
      }
      lender = .elsewhere(progress)
    }
    return lender
  }

  private func progress(of object: AnyObject) -> LayerProgress? {
    let services = state.withLock { $0.services }
    return services.lazy.flatMap(\.layers.own).first { $0.box.object === object }?.progress
  }
}
