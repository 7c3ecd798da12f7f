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

  /// Registers an asynchronous provider in the place of another, and means it.
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
    _ provider: @escaping @Sendable (Services) async throws -> P?
  ) {
    register(
      ServiceKey(P.self, name: name),
      ServiceDefinition(
        source: .async { services, _ in try await provider(services).map { TypedBox($0) } },
        lifetime: lifetime, verb: .override, site: SourceSite(fileID: fileID, line: line),
        needs: needs))
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
        source: .main { services, _ in try provider(services).map { TypedBox($0) } },
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
    try await resolved(
      ServiceRequest(
        key: ServiceKey(P.self, name: name), asker: self,
        site: SourceSite(fileID: fileID, line: line), ability: .suspending))
  }

  /// Gives a service as a request says.
  func resolved<P: Sendable>(_ request: ServiceRequest) async throws -> P {
    guard let box = try await findAwaiting(request) else { throw missing(request) }
    return unsafe typed(box)
  }
}

// MARK: - With an argument

extension Services {
  /// Registers an asynchronous provider that is given an argument.
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
    _ provider: @escaping @Sendable (Services, Argument) async throws -> P?
  ) {
    provide(
      P.self, name, .provide, Argument.self, lifetime, needs,
      SourceSite(fileID: fileID, line: line), source(provider))
  }

  /// Registers an asynchronous provider that is given an argument in the place of another, and means it.
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
    _ provider: @escaping @Sendable (Services, Argument) async throws -> P?
  ) {
    provide(
      P.self, name, .override, Argument.self, lifetime, needs,
      SourceSite(fileID: fileID, line: line), source(provider))
  }

  private func source<P: Sendable, Argument: Hashable & Sendable>(
    _ provider: @escaping @Sendable (Services, Argument) async throws -> P?
  ) -> ServiceDefinition.Source {
    .async { services, argument in
      guard let argument = argument?.value as? Argument else { return nil }
      return try await provider(services, argument).map { TypedBox($0) }
    }
  }

  /// Registers a provider that runs on the main actor and is given an argument.
  ///
  /// - Parameters:
  ///   - type: the type it is found under, usually `(any SomeProtocol).self`.
  ///   - name: a name that tells it from others of that type.
  ///   - argument: the argument's type.
  ///   - lifetime: how long the object lives, and who shares it.
  ///   - needs: what the provider will ask for, so that `validate()` can tell without running it.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  ///   - provider: makes the object, on the main actor; is given the set that registered it, and the argument.
  /// - Complexity: O(1) on average.
  public func provideOnMainActor<P: Sendable, Argument: Hashable & Sendable>(
    _ type: P.Type, name: ServiceName? = nil, argument: Argument.Type,
    lifetime: ServiceLifetime = .transient, needs: [ServiceKey] = [],
    fileID: StaticString = #fileID, line: UInt = #line,
    _ provider: @escaping @MainActor @Sendable (Services, Argument) throws -> P?
  ) {
    provide(
      P.self, name, .provide, Argument.self, lifetime, needs,
      SourceSite(fileID: fileID, line: line),
      .main { services, argument in
        guard let argument = argument?.value as? Argument else { return nil }
        return try provider(services, argument).map { TypedBox($0) }
      })
  }

  /// Gives a service that is made for an argument, whatever its provider needs.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - name: the name it was registered with; `nil` for the one without.
  ///   - argument: what the provider is given. Its type must be the one the provider was registered with.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Returns: the service.
  /// - Throws: `ServiceError`: nobody provides it, its provider failed, or it needs itself; `CancellationError` when the
  ///   asking task is cancelled while it waits.
  /// - Complexity: O(sets up to the one that has it), and the provider's own.
  public func resolve<P: Sendable, Argument: Hashable & Sendable>(
    _ type: P.Type, name: ServiceName? = nil, argument: Argument,
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> P {
    try await resolved(
      request(
        P.self, name: name, argument: argument, site: SourceSite(fileID: fileID, line: line),
        ability: .suspending))
  }
}
