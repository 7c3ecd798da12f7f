public import Junctor

extension Exchange {
  /// Waits until every asynchronous delivery is done, and those that it caused, and so on.
  ///
  /// It is about what has been posted: not about what other threads post meanwhile, nor about what loops over message
  /// sequences have yet to take. A listener whose executor stands still is waited for; run the executor first.
  ///
  /// - Returns: `false` if the task was cancelled meanwhile.
  /// - Complexity: O(number of listeners), and the wait.
  @discardableResult
  public nonisolated(nonsending) func settle() async -> Bool { await waitForRest() }
}
