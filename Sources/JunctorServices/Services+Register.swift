internal import CJunctorServices
internal import JunctorCore
internal import Synchronization

// MARK: - Registering

extension Services {
  /// Registers an object. Replaces whatever was registered under that type and name in this set.
  ///
  /// The set does not tear the object down unless `owned` says so.
  ///
  /// - Parameters:
  ///   - type: the type it is found under, usually `(any SomeProtocol).self`.
  ///   - name: a name that tells it from others of that type.
  ///   - object: the object.
  ///   - owned: whether `close()` tears it down.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Complexity: O(1) on average.
  public func set<P: Sendable>(
    _ type: P.Type, name: ServiceName? = nil, to object: P, owned: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    register(
      ServiceKey(P.self, name: name),
      ServiceDefinition(
        source: .value(TypedBox(object)), verb: .set,
        site: SourceSite(fileID: fileID, line: line), isOwned: owned))
  }

  /// Registers a provider. Replaces whatever was registered under that type and name in this set.
  ///
  /// The provider runs at the first request, once, and is let go when it has given an object. Returning `nil` means that
  /// it has nothing to give this time: the alternate is asked. What it throws is not kept either.
  ///
  /// A second `provide` under the same type and name in the same set is reported; say `override` where it is meant.
  ///
  /// - Parameters:
  ///   - type: the type it is found under, usually `(any SomeProtocol).self`.
  ///   - name: a name that tells it from others of that type.
  ///   - lifetime: how long the object lives, and who shares it.
  ///   - needs: what the provider will ask for, so that `validate()` can tell without running it.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  ///   - provider: makes the object; is given the set that registered it.
  /// - Complexity: O(1) on average.
  public func provide<P: Sendable>(
    _ type: P.Type, name: ServiceName? = nil, lifetime: ServiceLifetime = .cached,
    needs: [ServiceKey] = [], fileID: StaticString = #fileID, line: UInt = #line,
    _ provider: @escaping @Sendable (Services) throws -> P?
  ) {
    provide(
      P.self, name, .provide, lifetime, needs, SourceSite(fileID: fileID, line: line), provider)
  }

  /// Registers a provider in the place of another, and means it.
  ///
  /// With what was built before it is as with `remove(_:name:)`.
  ///
  /// - Parameters:
  ///   - type: the type it is found under, usually `(any SomeProtocol).self`.
  ///   - name: a name that tells it from others of that type.
  ///   - lifetime: how long the object lives, and who shares it.
  ///   - needs: what the provider will ask for, so that `validate()` can tell without running it.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  ///   - provider: makes the object; is given the set that registered it.
  /// - Complexity: O(1) on average.
  public func override<P: Sendable>(
    _ type: P.Type, name: ServiceName? = nil, lifetime: ServiceLifetime = .cached,
    needs: [ServiceKey] = [], fileID: StaticString = #fileID, line: UInt = #line,
    _ provider: @escaping @Sendable (Services) throws -> P?
  ) {
    provide(
      P.self, name, .override, lifetime, needs, SourceSite(fileID: fileID, line: line), provider)
  }

  /// Registers an object in the place of what was there, and means it.
  ///
  /// - Parameters:
  ///   - type: the type it is found under, usually `(any SomeProtocol).self`.
  ///   - name: a name that tells it from others of that type.
  ///   - object: the object.
  ///   - owned: whether `close()` tears it down.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Complexity: O(1) on average.
  public func override<P: Sendable>(
    _ type: P.Type, name: ServiceName? = nil, to object: P, owned: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    register(
      ServiceKey(P.self, name: name),
      ServiceDefinition(
        source: .value(TypedBox(object)), verb: .override,
        site: SourceSite(fileID: fileID, line: line), isOwned: owned))
  }

  /// Registers a provider that is given an argument.
  ///
  /// With the lifetime `cached` there is one object for each argument; the default makes one at every request.
  ///
  /// - Parameters:
  ///   - type: the type it is found under, usually `(any SomeProtocol).self`.
  ///   - name: a name that tells it from others of that type.
  ///   - argument: the argument's type.
  ///   - lifetime: how long the object lives, and who shares it.
  ///   - needs: what the provider will ask for, so that `validate()` can tell without running it.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  ///   - provider: makes the object; is given the set that registered it, and the argument.
  /// - Complexity: O(1) on average.
  public func provide<P: Sendable, Argument: Hashable & Sendable>(
    _ type: P.Type, name: ServiceName? = nil, argument: Argument.Type,
    lifetime: ServiceLifetime = .transient, needs: [ServiceKey] = [],
    fileID: StaticString = #fileID, line: UInt = #line,
    _ provider: @escaping @Sendable (Services, Argument) throws -> P?
  ) {
    provide(
      P.self, name, .provide, Argument.self, lifetime, needs,
      SourceSite(fileID: fileID, line: line), source(provider))
  }

  /// Registers a provider that is given an argument in the place of another, and means it.
  ///
  /// - Parameters:
  ///   - type: the type it is found under, usually `(any SomeProtocol).self`.
  ///   - name: a name that tells it from others of that type.
  ///   - argument: the argument's type.
  ///   - lifetime: how long the object lives, and who shares it.
  ///   - needs: what the provider will ask for, so that `validate()` can tell without running it.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  ///   - provider: makes the object; is given the set that registered it, and the argument.
  /// - Complexity: O(1) on average.
  public func override<P: Sendable, Argument: Hashable & Sendable>(
    _ type: P.Type, name: ServiceName? = nil, argument: Argument.Type,
    lifetime: ServiceLifetime = .transient, needs: [ServiceKey] = [],
    fileID: StaticString = #fileID, line: UInt = #line,
    _ provider: @escaping @Sendable (Services, Argument) throws -> P?
  ) {
    provide(
      P.self, name, .override, Argument.self, lifetime, needs,
      SourceSite(fileID: fileID, line: line), source(provider))
  }

  /// Lets the object of one type be found under another as well.
  ///
  /// ```swift
  /// services.provide(FileStore.self) { _ in FileStore() }
  /// services.alias((any Reading).self, to: FileStore.self) { $0 }
  /// services.alias((any Writing).self, to: FileStore.self) { $0 }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type it is to be found under.
  ///   - name: a name that tells it from others of that type.
  ///   - target: the type it is registered under, in this set or behind it.
  ///   - targetName: the name it is registered under.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  ///   - convert: sees the object as the new type; runs at every request.
  /// - Complexity: O(1) on average.
  public func alias<P: Sendable, Target: Sendable>(
    _ type: P.Type, name: ServiceName? = nil, to target: Target.Type,
    named targetName: ServiceName? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ convert: @escaping @Sendable (Target) -> P?
  ) {
    let key = ServiceKey(Target.self, name: targetName)
    register(
      ServiceKey(P.self, name: name),
      ServiceDefinition(
        source: .alias(key) { box in
          // SAFETY: what is found under the key of `Target` is a `TypedBox<Target>`; see `typed(_:)`.
          convert(unsafe unsafeDowncast(box, to: TypedBox<Target>.self).value).map { TypedBox($0) }
        },
        lifetime: .transient, verb: .alias, site: SourceSite(fileID: fileID, line: line),
        needs: [key], isOwned: false))
  }

  /// Takes a registration out of this set; the alternate answers from now on.
  ///
  /// An object that was built is let go; one with something to give back, by `close()` or `onClose(_:_:)`, is kept until
  /// the set is closed, and torn down then, since somebody may be using it. What other sets keep for a scope is let go with
  /// these.
  ///
  /// The set keeps the place of every type and name that it has known, about 650 bytes, until it goes itself: register what
  /// comes and goes under ever new names in child sets, which leave nothing.
  ///
  /// - Parameters:
  ///   - type: the type it was registered under.
  ///   - name: the name it was registered with.
  /// - Complexity: O(1) on average, and O(objects that this set keeps for scopes and arguments) if it was `scoped`.
  public func remove<P: Sendable>(_ type: P.Type, name: ServiceName? = nil) {
    remove(ServiceKey(P.self, name: name))
  }

  /// Takes what is made for an argument out of this set; the alternate answers from now on.
  ///
  /// What was made for an argument and kept is let go as `remove(_:name:)` says.
  ///
  /// - Parameters:
  ///   - type: the type it was registered under.
  ///   - name: the name it was registered with.
  ///   - argument: the argument's type.
  /// - Complexity: O(objects that this set keeps for scopes and arguments).
  public func remove<P: Sendable, Argument: Hashable & Sendable>(
    _ type: P.Type, name: ServiceName? = nil, argument: Argument.Type
  ) {
    remove(ServiceKey(P.self, name: name, argument: ObjectIdentifier(Argument.self)))
  }
}

// MARK: - Behind them

extension Services {
  /// Registers a provider that runs where it is asked.
  private func provide<P: Sendable>(
    _ type: P.Type, _ name: ServiceName?, _ verb: ServiceDefinition.Verb,
    _ lifetime: ServiceLifetime, _ needs: [ServiceKey], _ site: SourceSite,
    _ provider: @escaping @Sendable (Services) throws -> P?
  ) {
    register(
      ServiceKey(P.self, name: name),
      ServiceDefinition(
        source: .sync { services, _ in try provider(services).map { TypedBox($0) } },
        lifetime: lifetime, verb: verb, site: site, needs: needs,
        maker: maker(lifetime, name, site, provider)))
  }

  /// Registers a provider that is given an argument.
  func provide<P: Sendable, Argument: Hashable & Sendable>(
    _ type: P.Type, _ name: ServiceName?, _ verb: ServiceDefinition.Verb,
    _ argument: Argument.Type, _ lifetime: ServiceLifetime, _ needs: [ServiceKey],
    _ site: SourceSite, _ source: ServiceDefinition.Source
  ) {
    register(
      ServiceKey(P.self, name: name, argument: ObjectIdentifier(Argument.self)),
      ServiceDefinition(
        source: source, lifetime: lifetime, verb: verb, site: site, needs: needs,
        takesArgument: true))
  }

  /// A provider with an argument, without its types.
  private func source<P: Sendable, Argument: Hashable & Sendable>(
    _ provider: @escaping @Sendable (Services, Argument) throws -> P?
  ) -> ServiceDefinition.Source {
    .sync { services, argument in
      // The key has the argument's type in it, so that a request of another type never comes here.
      guard let argument = argument?.value as? Argument else { return nil }
      return try provider(services, argument).map { TypedBox($0) }
    }
  }

  /// Takes the registration under a key out.
  private func remove(_ key: ServiceKey) {
    guard let slot = slot(key) else { return }
    letGoDerived(of: slot, after: slot.update { $0.define(nil) })
  }

  /// Lets go what the definition that was replaced has made for a scope or for arguments.
  private func letGoDerived(of slot: ServiceSlot, after action: ServiceMachine.ChangeAction) {
    if action.replaced?.isDerivedFrom == true {
      letGoDerived(of: slot, before: action.generation)
    }
  }

  /// Makes a transient the quick way; `nil` for the other lifetimes.
  private func maker<P: Sendable>(
    _ lifetime: ServiceLifetime, _ name: ServiceName?, _ site: SourceSite,
    _ provider: @escaping @Sendable (Services) throws -> P?
  ) -> ServiceMaker? {
    switch lifetime.kind {
    case .transient:
      TypedMaker(site: site, isForCaller: false, name: name.map { "\($0)" }, provider)
    case .callerScope:
      TypedMaker(site: site, isForCaller: true, name: name.map { "\($0)" }, provider)
    case .cached, .weak, .scoped: nil
    }
  }

  /// Registers a definition under a key.
  func register(_ key: ServiceKey, _ definition: ServiceDefinition) {
    guard let slot = slotForRegistering(key, at: definition.site) else { return }
    let action = slot.update { $0.define(definition) }
    if action.isRefused { return reportClosed(key, at: definition.site) }
    letGoDerived(of: slot, after: action)
    if let old = action.replaced, old.verb == .provide, definition.verb == .provide {
      Junctor.report(
        ServiceError.duplicate(key, set: self, old: old.site, new: definition.site))
    }
  }

  /// The slot under a key, made at the first registration; `nil` when the set is closed, which is reported.
  func slotForRegistering(_ key: ServiceKey, at site: SourceSite) -> ServiceSlot? {
    let slot: ServiceSlot? = state.withLock { state in
      guard state.phase == .open else { return nil }
      if let slot = state.slots[key] { return slot }
      let slot = ServiceSlot(key, wrapsInherited: true)
      state.slots[key] = slot
      let (type, name) = key.numbers
      // SAFETY: writers of this set take turns by the lock; the slot, held by the state, lives as long as the set.
      unsafe junctor_set_add(core, type, name, slot.cell)
      joinWiring(&state)
      return slot
    }
    if slot == nil { reportClosed(key, at: site) }
    return slot
  }

  /// Reports a registration in a set that is closed.
  func reportClosed(_ key: ServiceKey, at site: SourceSite) {
    ServiceError.report(ServiceError.closed(key, set: self, askedAt: site), key: key, at: site)
  }

  /// Makes the set known to the wiring. Call it with the lock held.
  func joinWiring(_ state: inout ServicesState) {
    if state.wiring == 0 { state.wiring = WiringRegistry.add(self) }
  }
}
