internal import JunctorCore

// Every sentence of this module about a service that cannot be given. The step of a provider is added to the path where the
// error leaves it.
extension ServiceError {
  /// What becomes of an error that a provider threw.
  static func providerFailed(_ error: any Error, step: ServiceStep) -> any Error {
    if let error = error as? ServiceError { return error.passing(step) }
    // Whoever is cancelled wants to hear that and nothing else.
    if error is CancellationError { return error }
    return ServiceError(
      .providerFailed,
      """
      Can't provide '\(step.key)': its provider at \(step.site) threw '\(error)'. Mend what it needs, or catch the \
      error there and return nil to let the alternate answer.
      """,
      key: step.key, cause: error, sites: [step.site], path: [step])
  }

  /// The error of a service that needs itself.
  static func cycle(_ path: [ServiceStep]) -> ServiceError {
    let name = path.first.map { "\($0.key)" } ?? ""
    var way = path.dropLast().map(\.description) + [path.last.map { "\($0.key)" } ?? ""]
    if way.count > 40 {
      way.replaceSubrange(20..<(way.count - 20), with: ["… \(way.count - 40) more …"])
    }
    return ServiceError(
      .cycle,
      """
      Can't provide '\(name)': it needs itself: \(way.joined(separator: " → ")). Give one of them what it needs \
      later, by a method or by asking its set when it is first used.
      """,
      key: path.first?.key, sites: path.dropLast().map(\.site), path: path)
  }

  /// The error of too many providers inside one another.
  static func tooDeep(_ step: ServiceStep, depth: Int) -> ServiceError {
    ServiceError(
      .tooDeep,
      """
      Can't provide '\(step.key)': \(depth) providers are waiting for one another. Look for one at \(step.site) \
      that asks for ever new arguments or sets.
      """,
      key: step.key, sites: [step.site])
  }

  /// The error of a provider that finds no room to run in.
  static func noStack(_ step: ServiceStep, isOnMainActor: Bool) -> ServiceError {
    let cause =
      isOnMainActor
      ? "the main thread's stack is used up, and a provider of the main actor can have no other"
      : "the stack is used up and the system gave no thread with another"
    return ServiceError(
      .noStack,
      """
      Can't provide '\(step.key)': \(cause). Resolve what it needs beforehand, so that fewer providers wait for one \
      another.
      """,
      key: step.key, sites: [step.site])
  }

  /// The error of a provider that cannot be waited for here.
  static func needsAwait(_ key: ServiceKey, isMainActor: Bool, site: SourceSite) -> ServiceError {
    let what = isMainActor ? "runs on the main actor" : "is asynchronous"
    let cure =
      isMainActor
      ? "Ask with 'try await resolve(…)', or with 'requireOnMainActor(…)' on the main actor"
      : "Ask with 'try await resolve(…)'"
    return ServiceError(
      .needsAwait, "Can't provide '\(key)' at once: its provider at \(site) \(what). \(cure).",
      key: key, sites: [site])
  }

  /// The error of a service whose scope no set carries.
  static func noScope(
    _ key: ServiceKey, scope: ServiceScope, set: Services, at site: SourceSite
  ) -> ServiceError {
    ServiceError(
      .noScope,
      """
      Can't provide '\(key)': it lives in the scope '\(scope)', which no set between '\(set.name)' and the one that \
      registered it carries. Ask a set that was made with 'scope: "\(scope)"', or one behind which such a set is.
      """,
      key: key, sites: [site, set.site])
  }

  /// The error of a service that cannot be held weakly.
  static func notAnObject(_ step: ServiceStep) -> ServiceError {
    ServiceError(
      .notAnObject,
      """
      Can't hold '\(step.key)' weakly: its provider at \(step.site) made no instance of a class. Make it one, or use \
      the lifetime 'cached' or 'transient'.
      """,
      key: step.key, sites: [step.site])
  }

  /// The error of a set that is closed.
  static func closed(_ key: ServiceKey, set: Services, askedAt: SourceSite) -> ServiceError {
    ServiceError(
      .closed,
      """
      Can't provide '\(key)': the set '\(set.name)' is closed. Ask before 'close()', or stop whoever asks at \
      \(askedAt) first.
      """,
      key: key, sites: [askedAt, set.site])
  }

  /// The sentence about a service that nobody provides.
  static func missing(
    _ key: ServiceKey, askedAt site: SourceSite, searched: [String], hints: [String]
  ) -> String {
    let sets = searched.map { "'\($0)'" }.joined(separator: ", ")
    let hint = hints.isEmpty ? "" : " " + hints.joined(separator: " ")
    let name = key.name.map { ", name: \"\($0)\"" } ?? ""
    let isNear = hints.contains { $0.contains(": ask with") }
    return """
      Can't find '\(key)', asked for at \(site): nobody provides it in \(sets).\(hint) \
      \(isNear ? "Or register" : "Register") it with 'provide(\(key.spelling)\(name))' \
      \(searched.count == 1 ? "there" : "in one of these").
      """
  }

  /// The error of a service that could not be started.
  static func startFailed(_ key: ServiceKey, causes: [any Error], site: SourceSite) -> ServiceError
  {
    let more =
      causes.count > 1
      ? " Closing what had been started failed for \(counted(causes.count - 1, "service"))." : ""
    return ServiceError(
      .startFailed,
      """
      Can't start '\(key)': '\(causes.first.map { "\($0)" } ?? "")'. Mend the cause and call 'start()' again; what had \
      been started is closed.\(more)
      """,
      key: key, cause: causes.first, causes: causes, sites: [site])
  }

  /// The error of a set that one of its services starts while it is being started.
  static func startsItself(_ set: Services, at site: SourceSite) -> ServiceError {
    ServiceError(
      .cycle,
      """
      Can't start '\(set.name)' at \(site): it is being started, and that waits for who asks. Take the call out of what \
      is started or provided there.
      """,
      sites: [site, set.site])
  }

  /// The error of a set that is to be started and is closed.
  static func startsClosed(_ set: Services, at site: SourceSite) -> ServiceError {
    ServiceError(
      .closed,
      """
      Can't start '\(set.name)' at \(site): it is closed, or was closed meanwhile. Start it before 'close()', or make \
      a new set.
      """,
      sites: [site, set.site])
  }

  /// The error of services that could not be closed.
  static func closeFailed(_ set: Services, _ causes: [any Error]) -> ServiceError {
    ServiceError(
      .closeFailed,
      """
      Can't close '\(set.name)' cleanly: \(causes.count) of its services failed: \
      \(causes.map { "'\($0)'" }.joined(separator: ", ")). Mend their 'close()'; the set is closed all the same.
      """,
      cause: causes.first, causes: causes, sites: [set.site])
  }

  /// The error of a service that took too long to close.
  static func timedOut(_ key: ServiceKey, after limit: Duration) -> ServiceError {
    ServiceError(
      .timedOut,
      """
      Can't close '\(key)' in time: it took longer than \(limit). Let its 'close()' end when its task is cancelled, or \
      give it more time.
      """,
      key: key)
  }

  /// The error of a set in which problems were found.
  static func invalid(
    _ set: Services, _ problems: [ServiceProblem], unseen: [ServiceStep]
  ) -> ServiceError {
    var list = problems.enumerated().map { "\n\($0 + 1). \($1)" }.joined()
    if !unseen.isEmpty {
      let more = unseen.count > 8 ? " and \(unseen.count - 8) more" : ""
      let names = unseen.prefix(8).map { "'\($0.key)' (\($0.site))" }.joined(separator: ", ")
      list +=
        "\nNothing is known of what these ask for; if it is anything, name it in their 'needs': \(names)\(more)."
    }
    return ServiceError(
      .invalid,
      "Can't use '\(set.name)' as it is: \(counted(problems.count, "problem")) found. Mend them one by one:\(list)",
      sites: problems.flatMap(\.sites))
  }

  /// The error of a double that its test has left unimplemented.
  package static func unimplemented(_ key: ServiceKey) -> ServiceError {
    ServiceError(
      .unimplemented,
      "Can't give '\(key)': the test has left it unimplemented. Register a double for it.", key: key
    )
  }

  // MARK: Reports

  /// The report of a provider that does not return.
  static func stalled(_ step: ServiceStep, waiters: Int, askedAt: SourceSite) -> Diagnostic {
    Diagnostic(
      Diagnostic.Code("services.stalled"),
      """
      Can't provide '\(step.key)' yet: its provider at \(step.site), asked at \(askedAt), has not returned for a \
      while, and \(counted(waiters, "thread")) or \(waiters == 1 ? "task waits" : "tasks wait") for it. See what it \
      waits for.
      """, sites: [step.site, askedAt])
  }

  /// The report of a provider that replaces another.
  static func duplicate(
    _ key: ServiceKey, set: Services, old: SourceSite, new: SourceSite
  ) -> Diagnostic {
    Diagnostic(
      Diagnostic.Code("services.duplicate"),
      """
      Can't keep two providers of '\(key)' in '\(set.name)': \(new) replaces \(old). Take one out, name one, or say \
      'override' where the replacement is meant.
      """, sites: [new, old])
  }

  /// The report of alternates that form a ring.
  static func ring(_ set: Services) -> Diagnostic {
    Diagnostic(
      Diagnostic.Code("services.ring"),
      """
      Can't search behind '\(set.name)' any further: its alternates form a ring. Set 'alternateServices' of one of \
      them to nil.
      """, sites: [set.site])
  }

  /// The error as a report, for where nothing can be thrown.
  static func report(_ error: any Error, key: ServiceKey, at site: SourceSite) {
    let code = (error as? ServiceError)?.code.description ?? "providerFailed"
    let sites = [site] + ((error as? ServiceError)?.sites ?? [])
    Junctor.report(Diagnostic(Diagnostic.Code("services.\(code)"), "\(error)", sites: sites))
  }
}
