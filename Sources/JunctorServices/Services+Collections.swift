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
    contribute(
      ServiceKey(P.self), priority,
      ServiceDefinition(
        source: .sync { services, _ in try provider(services).map { TypedBox($0) } },
        lifetime: lifetime, verb: .contribute, site: SourceSite(fileID: fileID, line: line),
        needs: needs))
  }

  /// Adds a member that is made asynchronously or on the main actor; `resolveAll(_:)` gives it.
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
    _ provider: @escaping @Sendable (Services) async throws -> P?
  ) {
    contribute(
      ServiceKey(P.self), priority,
      ServiceDefinition(
        source: .async { services, _ in try await provider(services).map { TypedBox($0) } },
        lifetime: lifetime, verb: .contribute, site: SourceSite(fileID: fileID, line: line),
        needs: needs))
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
  /// - Throws: `ServiceError`: a member's provider failed or is asynchronous, or a member needs the collection.
  /// - Complexity: O(members).
  public func all<P: Sendable>(
    _ type: P.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) throws -> [P] {
    let request = ServiceRequest(
      key: ServiceKey(P.self), asker: self, site: SourceSite(fileID: fileID, line: line))
    var members: [Member] = []
    for set in AlternateWalk.sets(from: self).reversed() {
      let own = try set.ownMembers(request)
      let wrappers = try set.wrappers(of: members, request)
      for (index, slot) in wrappers.enumerated() {
        let (inner, keeping) = members[index]
        if let box = try slot.decorated(inner, keeping, in: set, request) {
          members[index].box = box
        }
      }
      members =
        try own.compactMap { slot in
          try slot.obtain(in: set, request).box.map { ($0, slot.keeping) }
        } + members
    }
    return members.map { unsafe typed($0.box) }
  }

  /// Gives the collection of a type, also where providers suspend or need the main actor.
  ///
  /// - Parameters:
  ///   - type: the members' type, usually `(any SomeProtocol).self`.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Returns: the members, nearest set first, within a set by priority and then in the order of registration.
  /// - Throws: `ServiceError`: a member's provider failed, or a member needs the collection; `CancellationError` when the
  ///   asking task is cancelled while it waits.
  /// - Complexity: O(members).
  public func resolveAll<P: Sendable>(
    _ type: P.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> [P] {
    let request = ServiceRequest(
      key: ServiceKey(P.self), asker: self, site: SourceSite(fileID: fileID, line: line),
      ability: .suspending)
    var members: [Member] = []
    for set in AlternateWalk.sets(from: self).reversed() {
      let own = try set.ownMembers(request)
      let wrappers = try set.wrappers(of: members, request)
      for (index, slot) in wrappers.enumerated() {
        let (inner, keeping) = members[index]
        if let box = try await slot.decoratedAwaiting(inner, keeping, in: set, request) {
          members[index].box = box
        }
      }
      var nearer: [Member] = []
      for slot in own {
        if let box = try await slot.obtainAwaiting(in: set, request).box {
          nearer.append((box, slot.keeping))
        }
      }
      members = nearer + members
    }
    return members.map { unsafe typed($0.box) }
  }
}

// MARK: - Behind them

extension Services {
  /// A member, and what keeps it alive.
  private typealias Member = (box: ServiceBox, keeping: ServiceKeeping)

  private func contribute(_ key: ServiceKey, _ priority: Int, _ definition: ServiceDefinition) {
    let slot = ServiceSlot(key, priority: priority)
    slot.state.withLock { _ = $0.define(definition) }
    let isOpen = state.withLock { state in
      guard state.phase == .open else { return false }
      // A decorator that is being added meanwhile comes by itself, or is here already; it is taken over once.
      let decorators = state.slots[key]?.state.withLock { $0.decorators } ?? []
      slot.state.withLock { _ = $0.adopt(decorators) }
      var members = state.contributions[key.type] ?? []
      // Later ones of the same priority come later.
      let index = members.firstIndex { $0.priority < priority } ?? members.endIndex
      members.insert(slot, at: index)
      state.contributions[key.type] = members
      joinWiring(&state)
      return true
    }
    if !isOpen { reportClosed(key, at: definition.site) }
  }

  /// The members that this set itself has.
  private func ownMembers(_ request: ServiceRequest) throws -> [ServiceSlot] {
    let (phase, own) = state.withLock { ($0.phase, $0.contributions[request.key.type] ?? []) }
    if phase != .open { throw ServiceError.closed(request.key, set: self, askedAt: request.site) }
    return own
  }

  /// The slots that wrap members of the sets behind this one here, one for each; none if nothing does.
  private func wrappers(
    of members: [Member], _ request: ServiceRequest
  ) throws -> [ServiceSlot] {
    let decorators = slot(request.key)?.state.withLock { $0.decorators } ?? []
    if members.isEmpty || decorators.isEmpty { return [] }
    func wrapper() -> ServiceSlot {
      let slot = ServiceSlot(request.key)
      slot.state.withLock { _ = $0.adopt(decorators) }
      return slot
    }
    // A wrapper holds what it wraps, or refers to it weakly, so that no other can be at its address.
    let names = members.map {
      $0.keeping == .byNobody ? nil : ObjectIdentifier($0.box.object ?? $0.box)
    }
    let type = request.key.type
    let (isOpen, slots, leftovers) = state.withLock { state in
      let old = state.decoratedMembers[type] ?? [:]
      guard state.phase == .open else { return (false, old, old) }
      var new: [ObjectIdentifier: ServiceSlot] = [:]
      for case let name? in names where new[name] == nil {
        let slot = old[name] ?? ServiceSlot(request.key)
        slot.state.withLock { _ = $0.adopt(decorators) }
        new[name] = slot
      }
      state.decoratedMembers[type] = new
      return (true, new, old)
    }
    // Wrappers of members that are no longer there die here.
    withExtendedLifetime(leftovers) {}
    if !isOpen { throw ServiceError.closed(request.key, set: self, askedAt: request.site) }
    return names.map { $0.flatMap { slots[$0] } ?? wrapper() }
  }
}
