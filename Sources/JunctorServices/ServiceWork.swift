/// How somebody asks.
enum ServiceAbility: Sendable {
  /// On some thread, at once.
  case immediate
  /// On the main actor, at once: providers of the main actor may run inline.
  case mainActor
  /// With `await`.
  case suspending
}

/// What keeps an object alive, beside those who asked for it.
enum ServiceKeeping {
  /// A set, or a container of another make.
  case bySet
  /// Nothing, and as long as there is one, everybody is given that one.
  case weakly
  /// Nothing: the next one who asks is given another.
  case byNobody

  /// The lifetime of what wraps the object.
  var lifetime: ServiceLifetime {
    switch self {
    case .bySet: .cached
    case .weakly: .weak
    case .byNobody: .transient
    }
  }
}

/// What it takes to make an object.
struct ServiceWork: Sendable {
  /// Where it comes from.
  let definition: ServiceDefinition
  /// Everything that wraps it, innermost first.
  let decorators: [ServiceDecorator]
  /// What there is already; then the provider does not run.
  var base: ServiceLayers?
  /// What is behind the set, where that is wrapped.
  var inherited: ServiceBox?

  /// Where it is said how the object is torn down.
  var closing: SharedTeardown?

  /// The decorators that have not had their turn.
  var pending: ArraySlice<ServiceDecorator> { decorators.dropFirst(base?.applied ?? 0) }

  /// Whether an asker of that ability cannot make it on the spot.
  func mustSuspend(for ability: ServiceAbility) -> Bool {
    if base == nil {
      switch definition.source {
      case .async: return true
      case .main: if ability != .mainActor { return true }
      case .value, .sync, .alias, .spent: break
      }
    }
    return pending.contains { $0.isAsynchronous }
  }

  /// Whether asking for it with `await` differs from asking without.
  var mayAwait: Bool {
    if case .alias = definition.source { return true }
    return mustSuspend(for: .immediate)
  }

  /// Whether its provider belongs to the main actor.
  var isOfMainActor: Bool {
    if case .main = definition.source { base == nil } else { false }
  }

  /// Whether an asker of that ability must make it on the very thread that asks.
  func staysOnThread(for ability: ServiceAbility) -> Bool {
    guard ability == .mainActor, base == nil else { return false }
    switch definition.source {
    // The object of another key may be one of the main actor's.
    case .main, .alias: return true
    case .value, .sync, .async, .spent: return false
    }
  }
}
