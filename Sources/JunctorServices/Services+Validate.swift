internal import JunctorCore
internal import Synchronization

// MARK: - Validating

extension Services {
  /// Checks this set and what is behind it, and throws all problems in one report.
  ///
  /// No provider runs. What a service needs is known from the `needs` of its registration, from those of its
  /// decorators, and from what its provider was given if it has run.
  ///
  /// A provider that names no `needs` and has not run cannot be looked into: what it will miss, or that it leads back to
  /// itself, is found when it runs. Those are listed at the end of the report, if there is one. In a test they can be
  /// run first, `try await app.start()`, and then validated.
  ///
  /// - Parameter roots: what the application asks for itself. If there are any, services that none of them needs are
  ///   reported as unused.
  /// - Throws: `ServiceError` of the code `invalid`, whose text has all problems.
  /// - Complexity: O(n log n) in registrations and needs; a need that is not found where it is named is looked for among all
  ///   registrations.
  public func validate(roots: [ServiceKey] = []) throws {
    var validation = ServiceValidation(self)
    let problems = validation.run(roots: roots)
    if !problems.isEmpty { throw ServiceError.invalid(self, problems, unseen: validation.unseen) }
  }

  /// Checks this set and what is behind it, without running a provider.
  ///
  /// - Parameter roots: what the application asks for itself. If there are any, services that none of them needs are
  ///   reported as unused.
  /// - Returns: the problems, in the order of registration, nearest set first.
  /// - Complexity: O(n log n) in registrations and needs; a need that is not found where it is named is looked for among all
  ///   registrations.
  public func problems(roots: [ServiceKey] = []) -> [ServiceProblem] {
    var validation = ServiceValidation(self)
    return validation.run(roots: roots)
  }
}
