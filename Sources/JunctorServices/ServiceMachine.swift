internal import JunctorCore

/// What one slot knows: its definition and how far the object has got. A plain value; `ServiceSlot` carries the actions out.
struct ServiceMachine {
  /// How far the object has got.
  enum Phase {
    /// There is none.
    case empty
    /// It is being built.
    case building(ServiceBuild)
    /// It is there.
    case ready(Ready)
    /// It was there and is held weakly.
    case weak(WeakService)
  }

  /// An object that is there.
  struct Ready: Sendable {
    /// What is given out.
    var box: ServiceBox
    /// What the decorators were given, where there are any.
    var inner: ServiceBox?
    /// The order in which objects came about; dependents come after what they depend on.
    var order: UInt64
  }

  /// What to do about a request.
  enum RequestAction {
    /// Ask the alternate.
    case absent
    /// Give this.
    case found(ServiceBox)
    /// Ask the alternate and decorate what it gives.
    case decorateInherited
    /// Run the provider, for all who wait.
    case build(ServiceBuild, ServiceDefinition, decorators: [ServiceDecorator], inner: ServiceBox?)
    /// Wait for who runs it.
    case wait(ServiceBuild)
    /// Run the provider, for this asker alone.
    case transient(ServiceDefinition, decorators: [ServiceDecorator])
    /// One object per scope or argument.
    case derive(ServiceDefinition, decorators: [ServiceDecorator], generation: UInt64)
    /// Throw: the set is closed.
    case closed
  }

  /// What to do after a change.
  struct ChangeAction {
    /// Whether the table showed something that readers may still be looking at.
    var mustAwaitReaders = false
    /// What was taken out and dies outside the lock.
    var leftovers: [Any] = []
    /// The definition that was replaced.
    var replaced: ServiceDefinition?
  }

  /// What is registered, if anything is.
  var definition: ServiceDefinition?
  /// What wraps the object, innermost first.
  var decorators: [ServiceDecorator] = []
  /// How far the object has got.
  var phase = Phase.empty
  /// Grows with every registration.
  var generation: UInt64 = 0
  /// The places of providers that were registered one over another, at most a few.
  var duplicates: [(old: SourceSite, new: SourceSite)] = []
  /// How the object is torn down, where it does not say so itself.
  var teardown: ServiceTeardown?
  /// Whether the set is closed.
  var isClosed = false
  /// A build that closing no longer waits for tears its object down itself.
  var isAbandoned = false
  /// Who was built by what, when and how long.
  var record: ServiceRecord?
  /// What the last run of the provider failed with, in words.
  var failure: String?

  /// Whether look-ups stop here.
  var isPresent: Bool { definition != nil || !decorators.isEmpty }

  /// Whether the object was held weakly and has died.
  var isDead: Bool {
    if case .weak(let weak) = phase { !weak.isAlive } else { false }
  }

  /// Whether the next request may start a build.
  var needsContext: Bool {
    guard let definition else { return false }
    switch phase {
    case .empty, .weak:
      return definition.lifetime != .transient && definition.lifetime != .callerScope
    case .building, .ready: return false
    }
  }

  /// The maker of a transient that look-ups may use without the lock.
  var maker: ServiceMaker? {
    guard !isClosed, decorators.isEmpty else { return nil }
    return definition?.maker
  }

  /// The maker that look-ups are shown: none while each run is recorded, or the last one failed, which is then taken back
  /// by the next that does not.
  var shownMaker: ServiceMaker? { failure == nil && !WiringHistory.isOn ? maker : nil }

  /// The object that look-ups may read without the lock.
  var published: ServiceBox? {
    guard !isClosed, case .ready(let ready) = phase, definition != nil else { return nil }
    return ready.box
  }
}

// MARK: - Registering

extension ServiceMachine {
  /// Puts a definition in the place of whatever was there.
  mutating func define(_ new: ServiceDefinition?) -> ChangeAction {
    var action = ChangeAction()
    action.mustAwaitReaders = published != nil || maker != nil
    action.replaced = definition
    action.leftovers = [phase, definition as Any, record as Any]
    generation += 1
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
      if decorators.isEmpty {
        phase = .ready(Ready(box: box, inner: nil, order: Identifier.next()))
      }
    }
    return action
  }

  /// Adds a decorator. What is built stays built; it is decorated again at the next request.
  mutating func decorate(_ decorator: ServiceDecorator) -> ChangeAction {
    var action = ChangeAction()
    decorators.append(decorator)
    // The provider that runs now shall not run again; `finish` sees that there is more to wrap.
    if case .building = phase { return action }
    action.mustAwaitReaders = published != nil || maker != nil
    action.leftovers = [phase, record as Any]
    generation += 1
    if case .ready(let ready) = phase, definition != nil {
      // The undecorated object is what the next build starts from.
      if case .spent? = definition?.source {
        definition?.source = .value(ready.inner ?? ready.box)
      }
    }
    phase = .empty
    return action
  }
}

// MARK: - Requests

extension ServiceMachine {
  /// Answers a request.
  ///
  /// - Parameters:
  ///   - argument: what is asked with.
  ///   - makeBuild: makes the build that others will wait for, should there have to be one.
  mutating func request(
    argument: ServiceArgument?, makeBuild: (UInt64, ServiceDefinition) -> ServiceBuild
  ) -> RequestAction {
    if isClosed { return .closed }
    guard let definition else { return decorators.isEmpty ? .absent : .decorateInherited }
    switch phase {
    case .ready(let ready): return .found(ready.box)
    case .building(let build): return .wait(build)
    case .weak(let weak):
      if let box = weak.box { return .found(box) }
    case .empty: break
    }
    if definition.takesArgument, argument != nil, definition.verb != .derived,
      definition.lifetime == .cached || definition.lifetime == .weak
    {
      return .derive(definition, decorators: decorators, generation: generation)
    }
    switch definition.lifetime.kind {
    case .transient, .callerScope:
      return .transient(definition, decorators: decorators)
    case .scoped where definition.verb != .derived:
      return .derive(definition, decorators: decorators, generation: generation)
    case .cached, .weak, .scoped:
      let build = makeBuild(generation, definition)
      phase = .building(build)
      return .build(build, definition, decorators: decorators, inner: nil)
    }
  }

  /// Answers a request for something that the alternate gave and this set decorates.
  mutating func requestDecorated(
    _ inner: ServiceBox, makeBuild: (UInt64, ServiceDefinition?) -> ServiceBuild
  ) -> RequestAction {
    if isClosed { return .closed }
    if decorators.isEmpty { return .found(inner) }
    switch phase {
    case .ready(let ready):
      // The set has come to an object of its own meanwhile: that one is shown to look-ups and stays.
      if definition != nil { return .found(ready.box) }
      if let source = ready.inner, isSameService(source, inner) { return .found(ready.box) }
    case .building(let build): return .wait(build)
    case .weak(let weak): if definition != nil, let box = weak.box { return .found(box) }
    case .empty: break
    }
    let build = makeBuild(generation, definition)
    phase = .building(build)
    let stand = ServiceDefinition(
      source: .value(inner), verb: .decorate, site: decorators[0].site, isOwned: false)
    return .build(build, stand, decorators: decorators, inner: inner)
  }
}

// MARK: - The end of a build

extension ServiceMachine {
  /// What to do when a build has ended.
  struct FinishAction {
    /// What dies outside the lock.
    var change = ChangeAction()
    /// What the asker and the waiters get.
    var outcome: ServiceBuild.Outcome
    /// A new object that nobody will get, to be torn down at once.
    var orphan: ServiceBox?
  }

  /// Takes the result of a build in.
  mutating func finish(
    _ build: ServiceBuild, with outcome: ServiceBuild.Outcome, inner: ServiceBox?,
    record: ServiceRecord, closed: @autoclosure () -> any Error
  ) -> FinishAction {
    var action = FinishAction(outcome: outcome)
    guard case .building(let current) = phase, current === build, build.generation == generation
    else {
      // Registered anew meanwhile: whoever waited gets what they waited for, and it is not kept.
      return action
    }
    phase = .empty
    switch outcome {
    case .built(let box):
      self.record = record
      if isClosed {
        action.outcome = .failed(closed())
        if isAbandoned {
          action.orphan = box
        } else {
          phase = .ready(Ready(box: box, inner: inner, order: Identifier.next()))
        }
        return action
      }
      if build.isInherited {
        // Where a provider had nothing this time, it is asked again next time.
        if definition == nil, build.decorators == decorators.count {
          phase = .ready(Ready(box: box, inner: inner, order: Identifier.next()))
        }
        return action
      }
      if definition?.lifetime == .weak {
        if let weak = build.weak { phase = .weak(weak) }
        return action
      }
      if let definition { action.change.leftovers = [definition.source] }
      if build.decorators == decorators.count {
        definition?.source = .spent
        phase = .ready(Ready(box: box, inner: inner, order: Identifier.next()))
      } else {
        // Decorated anew meanwhile: the next request goes on from what was built.
        definition?.source = .value(inner ?? box)
      }
    case .nothing, .failed:
      break
    }
    return action
  }
}
