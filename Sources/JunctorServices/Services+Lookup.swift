public import CJunctorServices
public import JunctorCore

// MARK: - Asking

extension Services {
  /// The service, or `nil` when nobody provides it.
  ///
  /// A provider that fails is reported to `Junctor.diagnostics`, since a subscript cannot throw in an expression like
  /// `services[(any TimeSource).self]?.now`; use `require(_:)` to handle the error.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Complexity: O(sets up to the one that has it), without a lock or an allocation, when it is built and cached.
  @inlinable
  public subscript<P: Sendable>(
    _ type: P.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> P? {
    // SAFETY: the record is this thread's own, and `core` this set's; `take` and `make` leave the look-up begun here.
    let reader = unsafe junctor_reader_record()
    let found = unsafe junctor_find(reader, core, UInt(bitPattern: ObjectIdentifier(P.self)), 0)
    if let box = unsafe found.box { return unsafe take(P.self, box, found, reader) }
    if unsafe found.cell == nil { return nil }
    return unsafe optional(P.self, name: nil, found, reader, SourceSite(fileID: fileID, line: line))
  }

  /// The service of that name, or `nil` when nobody provides it.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - name: the name it was registered with.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Complexity: as without a name, and a hash of the name.
  @inlinable
  public subscript<P: Sendable>(
    _ type: P.Type, name name: ServiceName, fileID: StaticString = #fileID, line: UInt = #line
  ) -> P? {
    // SAFETY: as without a name.
    let reader = unsafe junctor_reader_record()
    let found = unsafe find(reader, UInt(bitPattern: ObjectIdentifier(P.self)), name)
    if let box = unsafe found.box { return unsafe take(P.self, box, found, reader) }
    if unsafe found.cell == nil { return nil }
    return unsafe optional(
      P.self, name: name, found, reader, SourceSite(fileID: fileID, line: line))
  }

  /// Gives a service, or says who asked for what where and what to do.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Returns: the service.
  /// - Throws: `ServiceError`: nobody provides it, its provider failed, or it needs itself.
  /// - Complexity: O(sets up to the one that has it), without a lock or an allocation, when it is built and cached.
  @inlinable
  public func require<P: Sendable>(
    _ type: P.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) throws -> P {
    // SAFETY: as in the subscript.
    let reader = unsafe junctor_reader_record()
    let found = unsafe junctor_find(reader, core, UInt(bitPattern: ObjectIdentifier(P.self)), 0)
    if let box = unsafe found.box { return unsafe take(P.self, box, found, reader) }
    return try unsafe required(
      P.self, name: nil, found, reader, SourceSite(fileID: fileID, line: line))
  }

  /// Gives a service of a name, or says who asked for what where and what to do.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - name: the name it was registered with; `nil` for the one without.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Returns: the service.
  /// - Throws: `ServiceError`: nobody provides it, its provider failed, or it needs itself.
  /// - Complexity: as without a name, and a hash of the name.
  @inlinable
  public func require<P: Sendable>(
    _ type: P.Type, name: ServiceName?, fileID: StaticString = #fileID, line: UInt = #line
  ) throws -> P {
    guard let name else { return try require(P.self, fileID: fileID, line: line) }
    // SAFETY: as in the subscript.
    let reader = unsafe junctor_reader_record()
    let found = unsafe find(reader, UInt(bitPattern: ObjectIdentifier(P.self)), name)
    if let box = unsafe found.box { return unsafe take(P.self, box, found, reader) }
    return try unsafe required(
      P.self, name: name, found, reader, SourceSite(fileID: fileID, line: line))
  }

  /// Gives a service that is made for an argument.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - name: the name it was registered with; `nil` for the one without.
  ///   - argument: what the provider is given. Its type must be the one the provider was registered with.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Returns: the service.
  /// - Throws: `ServiceError`: nobody provides it, its provider failed, or it needs itself.
  /// - Complexity: O(sets up to the one that has it), and the provider's own.
  public func require<P: Sendable, Argument: Hashable & Sendable>(
    _ type: P.Type, name: ServiceName? = nil, argument: Argument,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws -> P {
    try required(
      request(
        P.self, name: name, argument: argument, site: SourceSite(fileID: fileID, line: line),
        ability: .immediate))
  }

  /// Gives a service whose provider may belong to the main actor, to somebody on the main actor.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - name: the name it was registered with; `nil` for the one without.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Returns: the service.
  /// - Throws: `ServiceError`: nobody provides it, its provider failed, or it needs itself.
  /// - Complexity: as `require(_:)`.
  @MainActor
  public func requireOnMainActor<P: Sendable>(
    _ type: P.Type, name: ServiceName? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) throws -> P {
    try required(
      ServiceRequest(
        key: ServiceKey(P.self, name: name), asker: self,
        site: SourceSite(fileID: fileID, line: line), ability: .mainActor))
  }
}

extension Services {
  /// Gives somebody on the main actor a service that is made for an argument.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - name: the name it was registered with; `nil` for the one without.
  ///   - argument: what the provider is given. Its type must be the one the provider was registered with.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Returns: the service.
  /// - Throws: `ServiceError`: nobody provides it, its provider failed, or it needs itself.
  /// - Complexity: as `require(_:argument:)`.
  @MainActor
  public func requireOnMainActor<P: Sendable, Argument: Hashable & Sendable>(
    _ type: P.Type, name: ServiceName? = nil, argument: Argument,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws -> P {
    try required(
      request(
        P.self, name: name, argument: argument, site: SourceSite(fileID: fileID, line: line),
        ability: .mainActor))
  }

  /// A question with an argument.
  func request<P: Sendable, Argument: Hashable & Sendable>(
    _ type: P.Type, name: ServiceName?, argument: Argument, site: SourceSite,
    ability: ServiceAbility
  ) -> ServiceRequest {
    ServiceRequest(
      key: ServiceKey(P.self, name: name, argument: ObjectIdentifier(Argument.self)), asker: self,
      site: site, argument: ServiceArgument(argument), ability: ability)
  }
}

extension Services: ServicesProvider {
  /// Returns a service, or `nil` when there is none in this set or behind it.
  ///
  /// - Parameters:
  ///   - type: what is asked for.
  ///   - name: the name that was asked with.
  /// - Returns: the service, or `nil`.
  /// - Throws: `ServiceError`: its provider failed, or it needs itself.
  /// - Complexity: as `require(_:)`.
  public func service<P: Sendable>(_ type: P.Type, name: ServiceName?) throws -> P? {
    try find(
      ServiceRequest(
        key: ServiceKey(P.self, name: name), asker: self, site: SourceSite(fileID: "", line: 0))
    ).map { unsafe typed($0) }
  }
}

// MARK: - Behind them

extension Services {
  /// What a subscript gives that has found no box: a transient, or whatever else there may be.
  // SAFETY: as `make`.
  @unsafe
  @inlinable
  @inline(never)
  func optional<P: Sendable>(
    _ type: P.Type, name: ServiceName?, _ found: junctor_found,
    _ reader: UnsafeMutablePointer<junctor_reader>, _ site: SourceSite
  ) -> P? {
    do {
      return try unsafe make(P.self, name: name, found, reader, site)
    } catch {
      report(error, ServiceKey(P.self, name: name), at: site)
      return nil
    }
  }

  /// What `require` gives that has found no box: a transient, or whatever else there may be.
  // SAFETY: as `make`.
  @unsafe
  @inlinable
  @inline(never)
  func required<P: Sendable>(
    _ type: P.Type, name: ServiceName?, _ found: junctor_found,
    _ reader: UnsafeMutablePointer<junctor_reader>, _ site: SourceSite
  ) throws -> P {
    if unsafe found.cell != nil,
      let value = try unsafe make(P.self, name: name, found, reader, site)
    {
      return value
    }
    throw missing(P.self, name: name, site: site)
  }

  /// What `require` gives where the place is known already.
  func injected<P: Sendable>(
    _ type: P.Type, name: ServiceName?, site: SourceSite
  ) throws -> P {
    // SAFETY: as in the subscript.
    let reader = unsafe junctor_reader_record()
    let number = UInt(bitPattern: ObjectIdentifier(P.self))
    let found =
      if let name { unsafe find(reader, number, name) } else {
        unsafe junctor_find(reader, core, number, 0)
      }
    if let box = unsafe found.box { return unsafe take(P.self, box, found, reader) }
    return try unsafe required(P.self, name: name, found, reader, site)
  }

  /// The slow way.
  @usableFromInline
  func slow<P: Sendable>(_ type: P.Type, name: ServiceName?, _ site: SourceSite) throws -> P? {
    try find(ServiceRequest(key: ServiceKey(P.self, name: name), asker: self, site: site))
      .map { unsafe typed($0) }
  }

  /// What is behind a set whose provider had nothing.
  @usableFromInline
  func behind<P: Sendable>(
    _ type: P.Type, name: ServiceName?, _ set: Services, _ site: SourceSite
  ) throws -> P? {
    try set.findBehind(
      ServiceRequest(key: ServiceKey(P.self, name: name), asker: self, site: site)
    ).map { unsafe typed($0) }
  }

  /// The error for a service that nobody provides.
  @usableFromInline
  func missing<P: Sendable>(
    _ type: P.Type, name: ServiceName?, site: SourceSite
  ) -> any Error {
    missing(ServiceRequest(key: ServiceKey(P.self, name: name), asker: self, site: site))
  }

  /// Reports an error that cannot be thrown.
  @usableFromInline
  func report(_ error: any Error, _ key: ServiceKey, at site: SourceSite) {
    ServiceError.report(error, key: key, at: site)
  }

  /// The slow way of `require`, as a request.
  func required<P: Sendable>(_ request: ServiceRequest) throws -> P {
    guard let box = try find(request) else { throw missing(request) }
    return unsafe typed(box)
  }

  /// Takes a service out of its box.
  @unsafe
  func typed<P: Sendable>(_ box: ServiceBox) -> P {
    // SAFETY: a key is made of the type `P` and a box that is registered, provided, decorated or converted under that
    // key is made by code that is generic over the same `P`; see `Services+Register.swift` and `Witness`.
    unsafe unsafeDowncast(box, to: TypedBox<P>.self).value
  }
}
