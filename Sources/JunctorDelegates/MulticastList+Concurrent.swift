internal import JunctorCore

extension MulticastList where Target: Sendable {
  /// Calls every target at the same time, in a task each, and returns what they answered in their order.
  ///
  /// The targets are those that are alive and may respond when the call begins; each is held until all have answered.
  ///
  /// - Parameters:
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  ///   - call: calls one target.
  /// - Returns: what each target that answered returned or threw, in the order of the targets.
  /// - Complexity: O(n), and a task for each target.
  public func concurrently<Answer: Sendable, Failure: Error>(
    optional method: OptionalMethod? = nil, function: StaticString = #function,
    _ call: @escaping @Sendable (Target) async throws(Failure) -> Answer
  ) async -> [Result<Answer, Failure>] {
    var walk = MulticastWalk(registry, optional: method, function: function, isCounting: false)
    var entries: [(MulticastEntry, Target)] = []
    while let entry = walk.next() {
      if let target = entry.target(as: Target.self) { entries.append((entry, target)) }
    }
    let answers = await withTaskGroup(
      of: (Int, Result<Answer, Failure>).self, returning: [Result<Answer, Failure>?].self
    ) { group in
      for (index, (_, target)) in entries.enumerated() {
        group.addTask {
          do throws(Failure) {
            return (index, .success(try await call(target)))
          } catch {
            return (index, .failure(error))
          }
        }
      }
      var answers = [Result<Answer, Failure>?](repeating: nil, count: entries.count)
      for await (index, answer) in group { answers[index] = answer }
      return answers
    }
    let counted = zip(entries, answers).compactMap { entry, answer -> Result<Answer, Failure>? in
      guard let method else { return answer }
      return entry.0.didRespond(to: method, entry.1 as AnyObject) ? answer : nil
    }
    if counted.isEmpty { registry.noteUnreached(function) }
    return counted
  }
}
