internal import JunctorCore
internal import Synchronization

// MARK: - Asynchronous and main-actor providers

extension Services {
  /// Registers an asynchronous provider, in the place of whatever was there in this set.
  ///
  /// It runs once, in a task of its own, however many tasks ask meanwhile. A task that is cancelled while it waits leaves;
  /// the provider's task is cancelled when the last one has left. Once the object is there, a subscript finds it as well.
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
    _ provider: @escaping @Sendable (Services) async throws -> P?
  ) {
    register(
      ServiceKey(P.self, name: name),
      ServiceDefinition(
        source: .async { services, _ in try await provider(services).map { TypedBox($0) } },
        lifetime: lifetime, site: SourceSite(fileID: fileID, line: line), needs: needs))
  }

  /// Registers a provider that runs on the main actor.
  ///
  /// - Parameters:
  ///   - type: the type it is found under, usually `(any SomeProtocol).self`.
  ///   - name: a name that tells it from others of that type.
  ///   - lifetime: how long the object lives, and who shares it.
  ///   - needs: what the provider will ask for, so that `validate()` can tell without running it.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  ///   - provider: makes the object, on the main actor; is given the set that registered it.
  /// - Complexity: O(1) on average.
  public func provideOnMainActor<P: Sendable>(
    _ type: P.Type, name: ServiceName? = nil, lifetime: ServiceLifetime = .cached,
    needs: [ServiceKey] = [], fileID: StaticString = #fileID, line: UInt = #line,
    _ provider: @escaping @MainActor @Sendable (Services) throws -> P?
  ) {
    register(
      ServiceKey(P.self, name: name),
      ServiceDefinition(
        source: .main { services in try provider(services).map { TypedBox($0) } },
        lifetime: lifetime, site: SourceSite(fileID: fileID, line: line), needs: needs))
  }

  /// Gives a service, whatever its provider needs: suspension, the main actor, or nothing.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - name: the name it was registered with; `nil` for the one without.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Returns: the service.
  /// - Throws: `ServiceError`: nobody provides it, its provider failed, or it needs itself; `CancellationError` when the
  ///   asking task is cancelled while it waits.
  /// - Complexity: O(sets up to the one that has it) when it is built and cached.
  public func resolve<P: Sendable>(
    _ type: P.Type, name: ServiceName? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> P {
    let request = ServiceRequest(
      key: ServiceKey(P.self, name: name), asker: self,
      site: SourceSite(fileID: fileID, line: line))
    guard let box = try await findAwaiting(request) else { throw missing(request) }
    return unsafe typed(box)
  }

  /// Gives a service from this set or from what is behind it.
  func findAwaiting(_ request: ServiceRequest) async throws -> ServiceBox? {
    var walk = AlternateWalk(self)
    var current = self
    while true {
      let (phase, alternate) = current.state.withLock { ($0.phase, $0.alternate) }
      if phase != .open {
        throw ServiceError.closed(request.key, set: current, askedAt: request.site)
      }
      if let slot = current.slot(request.key),
        let box = try await slot.obtainAwaiting(in: current, request)
      {
        return box
      }
      switch alternate {
      case .none: return nil
      case .foreign(let provider): return try current.ask(provider, request)
      case .set:
        guard let next = walk.next() else {
          if walk.isRing { current.reportRing() }
          return nil
        }
        current = next
      }
    }
  }

  /// Gives a service from what is behind this set.
  func findBehindAwaiting(_ request: ServiceRequest) async throws -> ServiceBox? {
    switch state.withLock({ $0.alternate }) {
    case .none: nil
    case .set(let set): try await set.findAwaiting(request)
    case .foreign(let provider): try ask(provider, request)
    }
  }
}
