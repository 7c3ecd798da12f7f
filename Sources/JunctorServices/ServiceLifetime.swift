/// How long a provided object lives, and who shares it.
///
/// | lifetime | provider runs | lives in | is given |
/// | --- | --- | --- | --- |
/// | `cached` | once | the set that registered it | that set |
/// | `transient` | at every request | nobody's keeping | the set that registered it |
/// | `callerScope` | at every request | nobody's keeping | the set that was asked |
/// | `weak` | when nobody holds the last one | its users' keeping | the set that registered it |
/// | `scoped(_:)` | once per set with that scope | that set | that set |
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct ServiceLifetime: Sendable, Hashable {
  /// What `ServiceLifetime` stands for.
  enum Kind: Sendable, Hashable {
    /// Once, kept by the set that registered it.
    case cached
    /// At every request.
    case transient
    /// At every request, with the set that was asked.
    case callerScope
    /// As long as somebody holds it.
    case weak
    /// Once for every set with a scope.
    case scoped(ServiceScope)
  }

  /// Which lifetime it is.
  let kind: Kind

  /// Built once, kept by the set that registered it until that set dies or is closed. The default.
  public static let cached = ServiceLifetime(kind: .cached)

  /// Built at every request, kept by nobody but the asker.
  public static let transient = ServiceLifetime(kind: .transient)

  /// Built at every request, and given the set that was asked, so that it sees what that set overrides.
  public static let callerScope = ServiceLifetime(kind: .callerScope)

  /// Built when it is asked for and nobody holds the last one. Must be an instance of a class.
  public static let weak = ServiceLifetime(kind: .weak)

  /// Built once for every set with that scope, and kept by that set.
  ///
  /// - Parameter scope: the scope; the nearest set that carries it, from the set that was asked up to the one that
  ///   registered the service, keeps the object.
  /// - Returns: the lifetime.
  /// - Complexity: O(1).
  public static func scoped(_ scope: ServiceScope) -> ServiceLifetime {
    ServiceLifetime(kind: .scoped(scope))
  }
}

extension ServiceLifetime: CustomStringConvertible {
  /// The lifetime as it is written.
  public var description: String {
    switch kind {
    case .cached: "cached"
    case .transient: "transient"
    case .callerScope: "callerScope"
    case .weak: "weak"
    case .scoped(let scope): "scoped(\(scope))"
    }
  }
}
