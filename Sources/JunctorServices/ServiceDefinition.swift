internal import JunctorCore

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
    case main(@MainActor @Sendable (Services) throws -> ServiceBox?)
    /// The object of another key, converted.
    case alias(ServiceKey, @Sendable (ServiceBox) throws -> ServiceBox?)
    /// The provider has done its work and was let go.
    case spent

    /// Whether asking for it with `await` differs from asking without.
    var mayAwait: Bool {
      switch self {
      case .async, .main, .alias: true
      case .value, .sync, .spent: false
      }
    }

    /// Whether the provider runs in a task of its own.
    var isAsynchronous: Bool {
      switch self {
      case .async, .main: true
      case .value, .sync, .alias, .spent: false
      }
    }
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
}

/// Tears an object down.
typealias ServiceTeardown = @Sendable (ServiceBox) async throws -> Void

/// Wraps a service.
struct ServiceDecorator: Sendable {
  /// Where it was registered.
  let site: SourceSite
  /// What it is said to ask for.
  let needs: [ServiceKey]
  /// Wraps a service; is given the set as well.
  let apply: @Sendable (ServiceBox, Services) throws -> ServiceBox
}

/// What a service is asked with.
final class ServiceArgument: Sendable, Hashable {
  /// The argument.
  let value: any Hashable & Sendable

  /// Holds an argument.
  init(_ value: any Hashable & Sendable) { self.value = value }

  static func == (left: ServiceArgument, right: ServiceArgument) -> Bool {
    left === right || AnyHashable(left.value) == AnyHashable(right.value)
  }

  func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
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
  /// Whether the asker is on the main actor and main-actor providers may run inline.
  var isOnMainActor = false
}
