internal import Synchronization

/// The exchange that stands in for the shared one in the current task.
enum ExchangeScope {
  /// That exchange; `nil` outside of any scope.
  @TaskLocal static var current: Exchange?
}

extension Exchange {
  /// Lets an exchange stand in for the shared one during an operation and in the tasks made in it.
  ///
  /// Meant for tests: tests that run side by side do not hear each other. Channels of the shared exchange, made before
  /// or inside, mean those of `exchange` meanwhile; channels of other exchanges are what they were. Detached tasks and
  /// queues are outside. Once any scope was opened, every post on the shared exchange asks for its task's scope, which
  /// costs some twenty nanoseconds.
  ///
  /// - Parameters:
  ///   - exchange: stands in for the shared one.
  ///   - operation: what is done meanwhile.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  /// - Complexity: O(number of the shared exchange's channels) the first time, then O(1).
  public static func withShared<Result>(
    _ exchange: Exchange, operation: () throws -> Result
  ) rethrows -> Result {
    process.allowScopes()
    return try ExchangeScope.$current.withValue(exchange, operation: operation)
  }

  /// Lets an exchange stand in for the shared one during an asynchronous operation and its tasks.
  ///
  /// - Parameters:
  ///   - exchange: stands in for the shared one.
  ///   - operation: what is done meanwhile, on the caller's isolation.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  /// - Complexity: O(number of the shared exchange's channels) the first time, then O(1).
  public static func withShared<Result>(
    _ exchange: Exchange, operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    process.allowScopes()
    return try await ExchangeScope.$current.withValue(exchange, operation: operation)
  }

  /// Makes every topic, present and future, ask for the task's scope.
  ///
  /// A flag of the topics rather than of the process: a post looks at its topic's flags anyway.
  private func allowScopes() { addInherited(.scoped) }

  /// Gives flags to every topic, present and future; whoever asks second waits for nobody and does it as well.
  func addInherited(_ flags: TopicFlags) {
    let topics = state.withLock { state -> [Topic]? in
      if state.everywhere.isSuperset(of: flags) { return nil }
      state.inherited.insert(flags)
      return state.topics
    }
    guard let topics else { return }
    for topic in topics { topic.insert(flags) }
    state.withLock { $0.everywhere.formUnion(flags) }
  }
}
