internal import JunctorCore
internal import Synchronization

// MARK: - Decorators

extension Services {
  /// Wraps what this set would give under a type, whether it is registered here or comes from behind it.
  ///
  /// The members of the type's collection, as this set gives it, are wrapped as well. A later decorator wraps what an
  /// earlier one gave. Sets behind this one are not concerned: they give what they gave. What is made for an argument is not
  /// wrapped.
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
    decorate(
      ServiceKey(P.self, name: name),
      ServiceDecorator(
        site: SourceSite(fileID: fileID, line: line), needs: needs,
        wrap: .sync { box, services in
          // SAFETY: what is found under the key of `P` is a `TypedBox<P>`; see `typed(_:)`.
          TypedBox(try wrap(unsafe services.typed(box), services))
        }))
  }

  /// Wraps what this set would give, and may suspend: until it has, ask with `resolve(_:)`.
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
    _ wrap: @escaping @Sendable (P, Services) async throws -> P
  ) {
    decorate(
      ServiceKey(P.self, name: name),
      ServiceDecorator(
        site: SourceSite(fileID: fileID, line: line), needs: needs,
        wrap: .async { box, services in
          // SAFETY: as above.
          TypedBox(try await wrap(unsafe services.typed(box), services))
        }))
  }

  private func decorate(_ key: ServiceKey, _ decorator: ServiceDecorator) {
    guard let slot = slotForRegistering(key, at: decorator.site) else { return }
    let action = slot.update { $0.decorate(decorator) }
    if action.isRefused { return reportClosed(key, at: decorator.site) }
    guard key.name == nil else { return }
    let members = state.withLock { $0.contributions[key.type] ?? [] }
    let decorators = slot.state.withLock { $0.decorators }
    for member in members { _ = member.update { $0.adopt(decorators) } }
  }
}
