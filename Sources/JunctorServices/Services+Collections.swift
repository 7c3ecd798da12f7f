internal import JunctorCore
internal import Synchronization

// MARK: - Collections

extension Services {
  /// Adds a member to the collection of a type; it is built when the collection is first asked for.
  ///
  /// - Parameters:
  ///   - type: the members' type, usually `(any SomeProtocol).self`.
  ///   - priority: higher comes first among the members of this set; equals come in the order of registration.
  ///   - lifetime: how long the member lives, and who shares it.
  ///   - needs: what the provider will ask for, so that `validate()` can tell without running it.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  ///   - provider: makes the member; is given this set. `nil` means that there is none this time.
  /// - Complexity: O(members of this set).
  public func contribute<P: Sendable>(
    _ type: P.Type, priority: Int = 0, lifetime: ServiceLifetime = .cached,
    needs: [ServiceKey] = [], fileID: StaticString = #fileID, line: UInt = #line,
    _ provider: @escaping @Sendable (Services) throws -> P?
  ) {
    let site = SourceSite(fileID: fileID, line: line)
    let key = ServiceKey(P.self)
    let slot = ServiceSlot(key, priority: priority)
    let definition = ServiceDefinition(
      source: .sync { services, _ in try provider(services).map { TypedBox($0) } },
      lifetime: lifetime, verb: .contribute, site: site, needs: needs)
    slot.state.withLock { _ = $0.define(definition) }
    let isOpen = state.withLock { state in
      guard state.phase == .open else { return false }
      let decorators = state.slots[key]?.state.withLock { $0.decorators } ?? []
      slot.state.withLock { $0.decorators = decorators }
      var members = state.contributions[key.type] ?? []
      // Later ones of the same priority come later.
      let index = members.firstIndex { $0.priority < priority } ?? members.endIndex
      members.insert(slot, at: index)
      state.contributions[key.type] = members
      joinWiring(&state)
      return true
    }
    if !isOpen {
      ServiceError.report(ServiceError.closed(key, set: self, askedAt: site), key: key, at: site)
    }
  }

  /// Gives the collection of a type: what this set and those behind it contributed.
  ///
  /// Only what was contributed belongs to it, not what was registered by `set` or `provide`.
  ///
  /// - Parameters:
  ///   - type: the members' type, usually `(any SomeProtocol).self`.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Returns: the members, nearest set first, within a set by priority and then in the order of registration.
  /// - Throws: `ServiceError`: a member's provider failed, or a member needs the collection.
  /// - Complexity: O(members).
  public func all<P: Sendable>(
    _ type: P.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) throws -> [P] {
    let request = ServiceRequest(
      key: ServiceKey(P.self), asker: self, site: SourceSite(fileID: fileID, line: line))
    return try members(request).map { unsafe typed($0) }
  }

  private func members(_ request: ServiceRequest) throws -> [ServiceBox] {
    // From the set that is farthest away to the nearest one, so that each decorates what is behind it.
    var sets = [self]
    var walk = AlternateWalk(self)
    while let set = walk.next() { sets.append(set) }
    var members: [ServiceBox] = []
    for set in sets.reversed() {
      let (phase, own) = set.state.withLock { ($0.phase, $0.contributions[request.key.type] ?? []) }
      if phase != .open { throw ServiceError.closed(request.key, set: set, askedAt: request.site) }
      let inherited = try set.decorateMembers(members, request)
      members = try own.compactMap { try $0.obtain(in: set, request) } + inherited
    }
    return members
  }

  /// Wraps members of the sets behind this one in its decorators, each object once.
  private func decorateMembers(
    _ members: [ServiceBox], _ request: ServiceRequest
  ) throws -> [ServiceBox] {
    guard !members.isEmpty, let slot = slot(request.key) else { return members }
    let decorators = slot.state.withLock { $0.decorators }
    guard !decorators.isEmpty else { return members }
    let names = members.map { ObjectIdentifier($0.object ?? $0) }
    let (slots, leftovers) = state.withLock { state in
      let old = state.decoratedMembers[request.key.type] ?? [:]
      var new: [ObjectIdentifier: ServiceSlot] = [:]
      for name in names where new[name] == nil {
        if let slot = old[name], slot.state.withLock({ $0.decorators.count }) == decorators.count {
          new[name] = slot
        } else {
          let slot = ServiceSlot(request.key)
          slot.state.withLock { $0.decorators = decorators }
          new[name] = slot
        }
      }
      state.decoratedMembers[request.key.type] = new
      return (new, old)
    }
    // Wrappers of members that are no longer there die here.
    _ = leftovers
    return try zip(names, members).map { name, member in
      try slots[name]?.decorated(member, in: self, request) ?? member
    }
  }
}

// MARK: - Decorators

extension Services {
  /// Wraps what this set would give under a type, whether it is registered here or comes from behind it.
  ///
  /// The members of the type's collection, as this set gives it, are wrapped as well. A later decorator wraps what an
  /// earlier one gave. Sets behind this one are not concerned: they give what they gave.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - name: the name of the service to wrap.
  ///   - needs: what the decorator will ask for, so that `validate()` can tell without running it.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  ///   - wrap: wraps a service; is given this set as well. Runs once for each object.
  /// - Complexity: O(members of this set).
  public func decorate<P: Sendable>(
    _ type: P.Type, name: ServiceName? = nil, needs: [ServiceKey] = [],
    fileID: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @Sendable (P, Services) throws -> P
  ) {
    let site = SourceSite(fileID: fileID, line: line)
    let key = ServiceKey(P.self, name: name)
    let decorator = ServiceDecorator(site: site, needs: needs) { box, services in
      // SAFETY: what is found under the key of `P` is a `TypedBox<P>`; see `typed(_:)`.
      TypedBox(try wrap(unsafe unsafeDowncast(box, to: TypedBox<P>.self).value, services))
    }
    guard let slot = slotForRegistering(key, at: site) else { return }
    var leftovers = [slot.update { $0.decorate(decorator) }]
    guard name == nil else { return }
    let (members, wrappers) = state.withLock { state in
      (state.contributions[key.type] ?? [], state.decoratedMembers.removeValue(forKey: key.type))
    }
    for member in members { leftovers.append(member.update { $0.decorate(decorator) }) }
    withExtendedLifetime((leftovers, wrappers)) {}
  }
}
