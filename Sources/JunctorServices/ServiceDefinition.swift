internal import JunctorCore
internal import Synchronization

/// What `provide` and `set` say about a service.
struct ServiceDefinition: Sendable {
  /// Where the object comes from.
  enum Source: Sendable {
    /// An object that is there.
    case value(ServiceBox)
    /// A provider that runs where it is asked.
    case sync(@Sendable (Services, ServiceArgument?) throws -> ServiceBox?)
    /// A provider that suspends.
    case async(@Sendable (Services, ServiceArgument?) async throws -> ServiceBox?)
    /// A provider of the main actor.
    case main(@MainActor @Sendable (Services, ServiceArgument?) throws -> ServiceBox?)
    /// The object of another key, converted.
    case alias(ServiceKey, @Sendable (ServiceBox) throws -> ServiceBox?)
    /// The provider has done its work and was let go.
    case spent
  }

  /// Which verb made it.
  enum Verb: Sendable { case set, provide, override, alias, contribute, derived, decorate }

  /// Where the object comes from.
  var source: Source
  /// How long the object lives, and who shares it.
  var lifetime = ServiceLifetime.cached
  /// Which verb made it.
  var verb = Verb.provide
  /// Where it was registered.
  var site: SourceSite
  /// What the provider is said to ask for.
  var needs: [ServiceKey] = []
  /// Whether the set tears the object down.
  var isOwned = true
  /// Makes a transient the quick way.
  var maker: ServiceMaker?
  /// Whether every argument that is asked with makes an object of its own.
  var takesArgument = false

  /// Whether there may be an object of it for every scope or argument.
  var isDerivedFrom: Bool {
    if case .scoped = lifetime.kind { return true }
    return takesArgument
  }

  /// What keeps its objects alive.
  var keeping: ServiceKeeping {
    // What an alias gives is another's.
    if case .alias = source { return .bySet }
    return switch lifetime.kind {
    case .cached, .scoped: .bySet
    case .weak: .weakly
    case .transient, .callerScope: .byNobody
    }
  }
}

/// Tears an object down.
typealias ServiceTeardown = @Sendable (ServiceBox) async throws -> Void

/// Says how the objects of one service are torn down, however many there are.
///
/// ## Concurrency
/// Belongs to the slot that the service was registered in; those of the objects that exist once per scope or argument hold
/// it as well, so that what is said later counts for them too. May be used under a slot's lock.
final class SharedTeardown: Sendable {
  private let state = Mutex<ServiceTeardown?>(nil)

  /// What tears them down instead of their own `close()`.
  var value: ServiceTeardown? { state.withLock { $0 } }

  /// Puts something else in the place of what was said before.
  ///
  /// - Returns: that; it must die outside every lock.
  func replace(with new: @escaping ServiceTeardown) -> ServiceTeardown? {
    state.withLock { old in
      defer { old = new }
      return old
    }
  }
}

/// Wraps a service.
struct ServiceDecorator: Sendable {
  /// What wraps it; is given the set as well.
  enum Wrap: Sendable {
    /// Wraps it where it is asked.
    case sync(@Sendable (ServiceBox, Services) throws -> ServiceBox)
    /// Wraps it, and may suspend meanwhile.
    case async(@Sendable (ServiceBox, Services) async throws -> ServiceBox)
  }

  /// Where it was registered.
  let site: SourceSite
  /// What it is said to ask for.
  let needs: [ServiceKey]
  /// Wraps a service.
  let wrap: Wrap

  /// Whether wrapping may suspend.
  var isAsynchronous: Bool { if case .async = wrap { true } else { false } }
}

/// What a service is asked with.
///
/// Comparing two runs the user's code: hold no lock.
final class ServiceArgument: Sendable, Equatable {
  /// The argument.
  let value: any Hashable & Sendable
  /// The argument's hash, taken once: the user's code for it must not run under a lock.
  let hash: Int

  /// Holds an argument.
  init(_ value: any Hashable & Sendable) {
    self.value = value
    hash = AnyHashable(value).hashValue
  }

  static func == (left: ServiceArgument, right: ServiceArgument) -> Bool {
    left === right
      || left.hash == right.hash && AnyHashable(left.value) == AnyHashable(right.value)
  }
}

/// One question, as it travels from set to set.
struct ServiceRequest: Sendable {
  /// What is asked for.
  var key: ServiceKey
  /// The set that was asked first.
  let asker: Services
  /// Where it was asked.
  let site: SourceSite
  /// What it is asked with.
  var argument: ServiceArgument?
  /// How the asker asks.
  var ability = ServiceAbility.immediate

  /// The same question about something else, without the argument.
  func about(_ key: ServiceKey) -> ServiceRequest {
    var request = self
    request.key = key
    request.argument = nil
    return request
  }
}
