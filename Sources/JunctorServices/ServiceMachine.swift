internal import JunctorCore

/// What one slot knows: its definition and how far the object has got. A plain value; `ServiceSlot` carries the actions out.
struct ServiceMachine {
  /// How far the object has got.
  indirect enum Phase {
    /// There is none.
    case empty
    /// It is being built; what there was before, should nothing come of it.
    case building(ServiceBuild, before: Phase)
    /// It is there, perhaps without its last decorators.
    case ready(ServiceLayers)
    /// It was there, with so many decorators, and is held weakly.
    case weak(WeakLayers, applied: Int)
  }

  /// What was taken out of a machine and dies outside its lock.
  struct Leftovers {
    /// How far the object had got.
    var phase = Phase.empty
    /// Who it was built by.
    var record: ServiceRecord?
    /// What was refused.
    var definition: ServiceDefinition?
    /// What has done its work.
    var source: ServiceDefinition.Source?
  }

  /// What to do after a change.
  struct ChangeAction {
    /// Whether the table showed something that readers may still be looking at.
    var mustAwaitReaders = false
    /// What was taken out and dies outside the lock.
    var leftovers = Leftovers()
    /// The definition that was replaced.
    var replaced: ServiceDefinition?
    /// Whether nothing was changed, since the set is closed.
    var isRefused = false
    /// The number of the registration.
    var generation: UInt64 = 0
  }

  /// What is registered, if anything is.
  var definition: ServiceDefinition?
  /// What wraps the object, innermost first.
  private(set) var decorators: [ServiceDecorator] = []
  /// How far the object has got.
  var phase = Phase.empty
  /// Grows with every registration.
  private(set) var generation: UInt64 = 0
  /// Which registration of another slot it was derived from.
  private var origin: UInt64 = 0
  /// The places of providers that were registered one over another, at most a few.
  private(set) var duplicates: [(old: SourceSite, new: SourceSite)] = []
  /// How the object is torn down, where that was said or may be needed elsewhere.
  private(set) var closing: SharedTeardown?
  /// Whether the set is closed.
  var isClosed = false
  /// Whether closing waits for builds no longer: they tear their objects down themselves.
  var isAbandoned = false
  /// Who was built by what, when and how long.
  var record: ServiceRecord?
  /// What the last run of the provider failed with, in words.
  var failure: String?
  /// The builds that were running when their service was registered anew.
  var displaced: [ServiceBuild] = []
  /// Objects that are given out no longer and are still to be torn down.
  private(set) var retired: [RetiredService] = []

  /// How the object is torn down, where it does not say so itself.
  var teardown: ServiceTeardown? { closing?.value }

  /// Whether look-ups stop here.
  var isPresent: Bool { definition != nil || !decorators.isEmpty }

  /// Whether there is no object, or one that was held weakly and has died, and nothing else that the set will have to tear
  /// down.
  var isDead: Bool {
    guard retired.isEmpty, displaced.isEmpty else { return false }
    return switch phase {
    case .empty: true
    case .weak(let weak, _): !weak.outermost.isAlive
    case .building, .ready: false
    }
  }

  /// Whether the next request may start a build.
  var needsContext: Bool {
    guard let definition else { return false }
    switch phase {
    case .empty, .weak:
      return definition.lifetime != .transient && definition.lifetime != .callerScope
    case .ready(let layers): return layers.applied != decorators.count
    case .building: return false
    }
  }

  /// The maker of a transient that look-ups may use without the lock.
  var maker: ServiceMaker? {
    guard !isClosed, decorators.isEmpty else { return nil }
    return definition?.maker
  }

  /// Whether a build is the one that the slot's object is to come from, and not one of an earlier registration.
  func isWaiting(for build: ServiceBuild) -> Bool {
    if case .building(let current, _) = phase { current === build } else { false }
  }

  /// The maker that look-ups are shown: one that records while the history is on; none after a run that failed, which the
  /// next that does not takes back.
  var shownMaker: ServiceMaker? {
    guard failure == nil else { return nil }
    return WiringHistory.isOn ? maker?.recording : maker
  }

  /// The object that look-ups may read without the lock.
  var published: ServiceBox? {
    guard !isClosed, definition != nil, case .ready(let layers) = phase,
      layers.applied == decorators.count
    else { return nil }
    return layers.box
  }

  /// The builds that are running.
  var builds: [ServiceBuild] {
    guard case .building(let build, _) = phase else { return displaced }
    return displaced + [build]
  }
}

// MARK: - Registering

extension ServiceMachine {
  /// Puts a definition in the place of whatever was there.
  mutating func define(_ new: ServiceDefinition?) -> ChangeAction {
    var action = ChangeAction()
    if isClosed {
      action.isRefused = true
      action.leftovers.definition = new
      return action
    }
    action.mustAwaitReaders = published != nil || maker != nil
    action.replaced = definition
    action.leftovers.phase = phase
    action.leftovers.record = record
    if let definition { retire(phase, isOwned: definition.isOwned) }
    if case .building(let build, _) = phase { displaced.append(build) }
    generation += 1
    action.generation = generation
    if let definition, let new, definition.verb == .provide, new.verb == .provide {
      if duplicates.count < 8 { duplicates.append((definition.site, new.site)) }
    } else {
      duplicates = []
    }
    definition = new
    record = nil
    failure = nil
    phase = .empty
    if case .value(let box)? = new?.source {
      definition?.source = .spent
      phase = .ready(.givenIn(box))
    }
    return action
  }

  /// Takes over what another slot has registered, unless it is there already.
  mutating func derive(_ work: ServiceWork, generation: UInt64) -> ChangeAction {
    var action = ChangeAction()
    if !isClosed, closing == nil { closing = work.closing }
    if generation > origin {
      var definition = work.definition
      definition.verb = .derived
      action = define(definition)
      origin = generation
    }
    action.mustAwaitReaders = adopt(work.decorators).mustAwaitReaders || action.mustAwaitReaders
    return action
  }

  /// Lets go what was derived from earlier registrations of another slot than one.
  mutating func letGo(before generation: UInt64) -> ChangeAction {
    guard generation > origin else { return ChangeAction() }
    let action = define(nil)
    // That one itself may come yet.
    origin = generation - 1
    return action
  }

  /// Adds those of a slot's decorators that are not there yet. What is built stays built; what is missing is applied at
  /// the next request.
  mutating func adopt(_ all: [ServiceDecorator]) -> ChangeAction {
    var action = ChangeAction()
    guard !isClosed else {
      action.isRefused = true
      return action
    }
    // A slot's decorators only ever become more, so that the first ones are the same.
    action.mustAwaitReaders = maker != nil
    decorators += all.dropFirst(decorators.count)
    return action
  }

  /// Adds a decorator.
  mutating func decorate(_ decorator: ServiceDecorator) -> ChangeAction {
    adopt(decorators + [decorator])
  }

  /// Keeps what must be torn down with the set, since somebody may be using it until then.
  mutating func retire(_ phase: Phase, isOwned: Bool) {
    switch phase {
    case .ready(let layers): retire(layers, isOwned: isOwned)
    case .building(_, let before): retire(before, isOwned: isOwned)
    case .empty, .weak: break
    }
  }

  /// Keeps an object that must be torn down with the set.
  mutating func retire(_ layers: ServiceLayers, isOwned: Bool) {
    // A wrapper of what the alternate gave goes with that; there may be one for each of its transients.
    if layers.isInherited { return }
    let service = RetiredService(layers: layers, isOwned: isOwned, teardown: teardown)
    if service.needsTeardown { retired.append(service) }
  }

  /// Where it is said how the object is torn down: one place for all that exist once per scope or argument.
  ///
  /// - Returns: `nil` if the set is closed and what was said has been let go.
  mutating func shareTeardown(_ other: SharedTeardown? = nil) -> SharedTeardown? {
    if closing == nil, !isClosed { closing = other ?? SharedTeardown() }
    return closing
  }

  /// Lets everything go.
  ///
  /// - Returns: what dies outside the lock.
  mutating func empty() -> [Any] {
    let leftovers: [Any] = [definition as Any, decorators, phase, closing as Any, retired]
    isAbandoned = true
    // What a build that is still running gives is torn down as it was said.
    if builds.isEmpty { closing = nil }
    if case .building(let build, _) = phase {
      phase = .building(build, before: .empty)
    } else {
      phase = .empty
    }
    // Something stays, so that look-ups stop here and hear that the set is closed.
    definition?.source = .spent
    definition?.maker = nil
    decorators = []
    retired = []
    return leftovers
  }
}

// MARK: - Starting and closing

extension ServiceMachine {
  /// What the set tears down of this slot.
  var services: [RetiredService] {
    var services = retired
    var phase = phase
    if case .building(_, let before) = phase { phase = before }
    if case .ready(let layers) = phase {
      services.append(
        RetiredService(
          layers: layers, isOwned: definition?.isOwned ?? false,
          teardown: definition == nil ? nil : teardown))
    }
    return services
  }
}
