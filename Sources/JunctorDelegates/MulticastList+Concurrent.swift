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
    let began = WiringHistory.begin()
    let awaited = method.flatMap { registry.answers.take($0) }
    let lineage = CallLineage.current
    switch lineage?.permission(for: registry.id) ?? .permitted {
    case .permitted: break
    case .foundCircle:
      registry.reportCircle(function)
      fallthrough
    case .insideCircle:
      if let awaited { registry.answers.settle(awaited, wasAnswered: false) }
      return []
    }
    let entries = callable(method)
    let inner = CallLineage(list: registry.id, outer: lineage)
    defer { inner.end() }
    let answers = await CallLineage.$current.withValue(inner) {
      await withTaskGroup(
        of: (Int, Result<Answer, Failure>?).self, returning: [Result<Answer, Failure>?].self
      ) { group in
        for (index, entry) in entries.enumerated() {
          group.addTask { (index, await entry.answer(to: method, call)) }
        }
        var answers = [Result<Answer, Failure>?](repeating: nil, count: entries.count)
        for await (index, answer) in group { answers[index] = answer }
        return answers
      }
    }
    let counted = answers.compactMap { $0 }
    if let awaited { registry.answers.settle(awaited, wasAnswered: !counted.isEmpty) }
    if counted.isEmpty { registry.noteUnreached(function) }
    if began != 0 {
      let failed = counted.contains { if case .failure = $0 { true } else { false } }
      registry.record(function, reached: counted.count, began: began, failed: failed)
    }
    return counted
  }

  /// The living targets that may be called and may respond, in order.
  private func callable(_ method: OptionalMethod?) -> [ConcurrentTarget<Target>] {
    var targets: [ConcurrentTarget<Target>] = []
    let hold = registry.list.hold()
    var sawDead = false
    for index in 0..<hold.count {
      guard hold[index].isCallable, let entry = hold[index] as? MulticastEntry else { continue }
      guard let object = entry.owner.object else {
        sawDead = true
        continue
      }
      if let method, !entry.mayRespond(to: method, object) { continue }
      guard let target = entry.target(as: Target.self) else { continue }
      targets.append(ConcurrentTarget(entry: entry, target: target))
    }
    if sawDead { registry.list.noteDead() }
    return targets
  }
}

/// One target of a call to many at the same time.
private struct ConcurrentTarget<Target: Sendable>: Sendable {
  /// Its place.
  let entry: MulticastEntry
  /// The target, held until all have answered.
  let target: Target

  /// Calls it. Returns what it answered; `nil` if it left an optional method to the default.
  func answer<Answer: Sendable, Failure: Error>(
    to method: OptionalMethod?, _ call: @Sendable (Target) async throws(Failure) -> Answer
  ) async -> Result<Answer, Failure>? {
    let object = target as AnyObject
    // In the task that makes the call: that is how the two are known to belong together.
    let nested = method.flatMap { entry.awaitAnswer(to: $0, object) }
    do throws(Failure) {
      let answer = try await call(target)
      if let method, !entry.didRespond(to: method, object, nested) { return nil }
      return .success(answer)
    } catch {
      entry.didThrow(nested)
      return .failure(error)
    }
  }
}
