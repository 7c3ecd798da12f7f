internal import JunctorCore

// MARK: - Requests

extension ServiceMachine {
  /// What to do about a request.
  enum RequestAction {
    /// Ask the alternate.
    case absent
    /// Give this.
    case found(ServiceBox)
    /// Ask the alternate and decorate what it gives.
    case decorateInherited
    /// Run the provider, for all who wait.
    case build(ServiceBuild, ServiceWork)
    /// Wait for who runs it.
    case wait(ServiceBuild)
    /// Run the provider, for this asker alone.
    case transient(ServiceWork)
    /// One object per scope or argument.
    case derive(ServiceWork, generation: UInt64)
    /// Throw: it cannot be made on the spot.
    case needsAwait(ServiceWork)
    /// Ask again: the set has come to an object of its own, which is kept alive until then.
    case own(ServiceBox?)
    /// Throw: the set is closed.
    case closed
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - hasArgument: whether it is asked with an argument.
  ///   - ability: how it is asked.
  ///   - makeBuild: makes the build that others will wait for, should there have to be one.
  mutating func request(
    hasArgument: Bool, ability: ServiceAbility, makeBuild: (ServiceWork) -> ServiceBuild
  ) -> RequestAction {
    if isClosed { return .closed }
    guard let definition else { return decorators.isEmpty ? .absent : .decorateInherited }
    var work = ServiceWork(definition: definition, decorators: decorators)
    switch phase {
    case .ready(let layers):
      if layers.applied == decorators.count { return .found(layers.box) }
      work.base = layers
    case .building(let build, _): return .wait(build)
    case .weak(let weak, let applied):
      if let box = weak.outermost.box {
        if applied == decorators.count { return .found(box) }
        work.base = ServiceLayers(box, applied: applied)
      }
    case .empty: break
    }
    if work.base == nil, definition.verb != .derived {
      work.closing = closing
      if case .scoped = definition.lifetime.kind { return .derive(work, generation: generation) }
      let isKept = definition.lifetime == .cached || definition.lifetime == .weak
      if definition.takesArgument, hasArgument, isKept {
        return .derive(work, generation: generation)
      }
    }
    if work.mustSuspend(for: ability), ability != .suspending { return .needsAwait(work) }
    switch definition.lifetime.kind {
    case .transient, .callerScope: return .transient(work)
    case .cached, .weak, .scoped:
      let build = makeBuild(work)
      phase = .building(build, before: phase)
      return .build(build, work)
    }
  }

  /// Answers a request for something that the alternate gave and this set decorates.
  ///
  /// - Parameters:
  ///   - inner: what the alternate gave.
  ///   - keeping: what keeps that alive; its wrapper lives as long.
  ///   - ability: how it is asked.
  ///   - makeBuild: makes the build that others will wait for, should there have to be one.
  mutating func requestDecorated(
    _ inner: ServiceBox, _ keeping: ServiceKeeping, ability: ServiceAbility,
    makeBuild: (ServiceWork) -> ServiceBuild
  ) -> RequestAction {
    if isClosed { return .closed }
    guard let first = decorators.first else { return .found(inner) }
    var base = ServiceLayers(inner, isInherited: true)
    var before = definition == nil ? Phase.empty : phase
    switch phase {
    case .ready(let layers):
      // The set has come to an object of its own meanwhile: that one is shown to look-ups and stays.
      if definition != nil { return .own(nil) }
      if layers.isInherited, isSameService(layers.innermost, inner) {
        if layers.applied == decorators.count { return .found(layers.box) }
        base = layers
        before = phase
      }
    case .building(let build, _):
      if definition != nil || keeping != .byNobody { return .wait(build) }
    case .weak(let weak, let applied):
      if definition != nil {
        if let box = weak.outermost.box { return .own(box) }
      } else if let inherited = weak.inherited, inherited.refers(to: inner),
        let box = weak.outermost.box
      {
        if applied == decorators.count { return .found(box) }
        base = ServiceLayers(inner, wrappedIn: box, applied: applied)
      }
    case .empty: break
    }
    let stand = ServiceDefinition(
      source: .spent, lifetime: keeping.lifetime, verb: .decorate, site: first.site, isOwned: false)
    let work = ServiceWork(
      definition: stand, decorators: decorators, base: base, inherited: inner)
    if work.mustSuspend(for: ability), ability != .suspending { return .needsAwait(work) }
    if keeping == .byNobody { return .transient(work) }
    let build = makeBuild(work)
    phase = .building(build, before: before)
    return .build(build, work)
  }
}

// MARK: - The end of a build

extension ServiceMachine {
  /// A layer that came about when nobody waited for it any longer.
  struct Orphan {
    /// The object, or one of its wrappers.
    let layer: ServiceLayers.Layer
    /// What tears it down instead of its own `close()`.
    let teardown: ServiceTeardown?
  }

  /// What to do when a build has ended.
  struct FinishAction {
    /// What dies outside the lock.
    var leftovers = Leftovers()
    /// What the asker and the waiters get.
    var outcome: ServiceBuild.Outcome
    /// New layers that nobody will get, to be torn down at once, innermost first.
    var orphans: [Orphan] = []
  }

  /// Takes the result of a build in.
  mutating func finish(
    _ build: ServiceBuild, with outcome: ServiceBuild.Outcome, _ layers: ServiceLayers?,
    record: ServiceRecord, closed: @autoclosure () -> any Error
  ) -> FinishAction {
    var action = FinishAction(outcome: outcome)
    var before = Phase.empty
    var isCurrent = false
    if case .building(let current, let kept) = phase, current === build {
      isCurrent = true
      before = kept
      action.leftovers.phase = phase
      action.leftovers.record = self.record
      phase = .empty
    }
    displaced.removeAll { $0 === build }
    guard case .built = outcome, let layers else {
      if isCurrent { phase = before }
      return action
    }
    if isClosed {
      action.outcome = .failed(closed())
      if isAbandoned {
        if isCurrent { phase = before }
        action.orphans = orphans(of: layers, isOwned: build.isOwned)
      } else if isCurrent {
        phase = .ready(layers)
      } else {
        retire(layers, isOwned: build.isOwned)
      }
      return action
    }
    guard isCurrent else {
      // Registered anew meanwhile: whoever waited gets what they waited for, and nobody else does.
      if build.isKept { retire(layers, isOwned: build.isOwned) }
      return action
    }
    if build.isInherited {
      if definition != nil {
        // The provider had nothing this time; it is asked again next time.
        phase = before
      } else if build.isKept {
        phase = .ready(layers)
      } else if let weak = build.weak {
        phase = .weak(weak, applied: layers.applied)
      }
      return action
    }
    self.record = record
    if let weak = build.weak {
      phase = .weak(weak, applied: layers.applied)
      return action
    }
    action.leftovers.source = definition?.source
    definition?.source = .spent
    phase = .ready(layers)
    return action
  }

  /// The layers that the set tears down and does not know of by another way.
  private func orphans(of layers: ServiceLayers, isOwned: Bool) -> [Orphan] {
    // What was there before the build, closing finds in its place; once it has let that go, it has claimed it.
    let known = services.flatMap { $0.layers.own.map(\.order) }
    let service = RetiredService(layers: layers, isOwned: isOwned, teardown: teardown)
    return layers.own.enumerated().compactMap { index, layer in
      if known.contains(layer.order) { return nil }
      let isInnermost = index == 0 && !layers.isInherited
      let teardown = isInnermost ? service.teardown : nil
      if isInnermost, !service.isObjectOwned, teardown == nil { return nil }
      return Orphan(layer: layer, teardown: teardown)
    }
  }
}
