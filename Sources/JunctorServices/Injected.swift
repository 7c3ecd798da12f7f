internal import JunctorCore

/// A service of the set that was current when the property's owner was made.
///
/// ```swift
/// struct Reader {
///   @Injected var time: any TimeSource
///   @Injected(name: .archive) var store: any Store
/// }
/// let reader = withServices(app) { Reader() }
/// ```
///
/// The set is noted when the owner is made and held; the service is looked up at every access, so that it is built no
/// earlier than needed. Where nobody provides it, or there was no current set, that is a mistake in the program, and the
/// access stops it with the sentence that `require` would have thrown. `$time` gives the service or throws.
///
/// ## Concurrency
/// A value; may be used anywhere.
@propertyWrapper
public struct Injected<P: Sendable>: Sendable {
  private let services: Services?
  private let name: ServiceName?
  private let site: SourceSite

  /// Notes the current set.
  ///
  /// - Parameters:
  ///   - name: the name that the service is registered with.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Complexity: O(1).
  public init(name: ServiceName? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
    services = Services.current
    self.name = name
    site = SourceSite(fileID: fileID, line: line)
  }

  /// The service.
  ///
  /// - Complexity: as `Services.require(_:)`.
  public var wrappedValue: P {
    do {
      return try get()
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The property itself, for `$property.get()`.
  public var projectedValue: Injected<P> { self }

  /// Gives the service, or says why not.
  ///
  /// - Returns: the service.
  /// - Throws: `ServiceError`, also when there was no current set.
  /// - Complexity: as `Services.require(_:)`.
  public func get() throws -> P {
    guard let services else {
      throw ServiceError(
        .missing,
        """
        Can't inject '\(ServiceKey(P.self, name: name))' at \(site): there is no current set. Make its owner inside \
        'withServices(_:operation:)'.
        """,
        key: ServiceKey(P.self, name: name), sites: [site])
    }
    return try services.injected(P.self, name: name, site: site)
  }
}
