// MARK: - The current set

extension Services {
  /// The set of the running task.
  @TaskLocal static var scopedCurrent: Services?

  /// The set of the running task, as `withServices(_:operation:)` set it; `nil` outside of any.
  ///
  /// - Complexity: O(1).
  public static var current: Services? { scopedCurrent }
}

/// Makes a set the current one for an operation, and for the tasks made in it.
///
/// - Parameters:
///   - services: the set.
///   - operation: what is done with it.
/// - Returns: what the operation returns.
/// - Throws: what the operation throws.
/// - Complexity: O(1), and the operation's own.
public func withServices<Result>(
  _ services: Services, operation: () throws -> Result
) rethrows -> Result {
  try Services.$scopedCurrent.withValue(services, operation: operation)
}

/// Makes a set the current one for an asynchronous operation, and for the tasks made in it.
///
/// - Parameters:
///   - services: the set.
///   - operation: what is done with it, on the caller's isolation.
/// - Returns: what the operation returns.
/// - Throws: what the operation throws.
/// - Complexity: O(1), and the operation's own.
public func withServices<Result>(
  _ services: Services, operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  try await Services.$scopedCurrent.withValue(services, operation: operation)
}
