internal import JunctorCore

extension MulticastList {
  /// Begins a call that goes from target to target with suspensions in between.
  ///
  /// - Parameters:
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  /// - Returns: the targets, one at a time.
  /// - Complexity: O(1), or O(n) for the first after a change.
  public func calls(
    optional method: OptionalMethod? = nil, function: StaticString = #function
  ) -> MulticastCalls<Target> {
    MulticastCalls(registry, optional: method, function: function)
  }

  /// Calls every target, one after another in order, on the caller's isolation.
  ///
  /// - Parameters:
  ///   - policy: what happens when a target throws.
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  ///   - call: calls one target.
  /// - Throws: the first error that a target threw.
  /// - Complexity: O(n).
  public nonisolated(nonsending) func forEach<Failure: Error>(
    onError policy: MulticastErrorPolicy = .callAll, optional method: OptionalMethod? = nil,
    function: StaticString = #function,
    _ call: nonisolated(nonsending) (Target) async throws(Failure) -> Void
  ) async throws(Failure) {
    try await walk(policy, method, function, call) { _ in }
  }

  /// Calls every target, one after another in order, and returns what the last one answered.
  ///
  /// - Parameters:
  ///   - policy: what happens when a target throws.
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  ///   - call: calls one target.
  /// - Returns: the last answer, or `nil` if nobody answered.
  /// - Throws: the first error that a target threw.
  /// - Complexity: O(n).
  public nonisolated(nonsending) func last<Result, Failure: Error>(
    onError policy: MulticastErrorPolicy = .callAll, optional method: OptionalMethod? = nil,
    function: StaticString = #function,
    _ call: nonisolated(nonsending) (Target) async throws(Failure) -> Result
  ) async throws(Failure) -> Result? {
    var last: Result?
    try await walk(policy, method, function, call) { last = $0 }
    return last
  }

  /// Calls every target, one after another in order, and returns all answers.
  ///
  /// - Parameters:
  ///   - policy: what happens when a target throws.
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  ///   - call: calls one target.
  /// - Returns: the answers, in order; none if nobody answered.
  /// - Throws: the first error that a target threw.
  /// - Complexity: O(n).
  public nonisolated(nonsending) func all<Result, Failure: Error>(
    onError policy: MulticastErrorPolicy = .callAll, optional method: OptionalMethod? = nil,
    function: StaticString = #function,
    _ call: nonisolated(nonsending) (Target) async throws(Failure) -> Result
  ) async throws(Failure) -> [Result] {
    var all: [Result] = []
    try await walk(policy, method, function, call) { all.append($0) }
    return all
  }

  private nonisolated(nonsending) func walk<Result, Failure: Error>(
    _ policy: MulticastErrorPolicy, _ method: OptionalMethod?, _ function: StaticString,
    _ call: nonisolated(nonsending) (Target) async throws(Failure) -> Result,
    _ answer: (Result) -> Void
  ) async throws(Failure) {
    var calls = calls(optional: method, function: function)
    var failure: Failure?
    while let target = calls.next() {
      do throws(Failure) {
        let result = try await call(target)
        if calls.didAnswer() { answer(result) }
      } catch {
        calls.didThrow()
        if failure == nil { failure = error }
        if policy == .stop { break }
      }
    }
    if let failure { throw failure }
  }
}
