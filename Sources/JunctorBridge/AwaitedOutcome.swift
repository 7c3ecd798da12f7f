internal import Dispatch
internal import Synchronization

/// What a thread waits for that a task finds out.
///
/// ## Concurrency
/// One thread waits, one task finishes it, each once. The thread must not be one of those that run tasks.
final class AwaitedOutcome: Sendable {
  private let outcome = Mutex(false)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Lets the thread go on.
  func finish(_ value: Bool) {
    outcome.withLock { $0 = value }
    semaphore.signal()
  }

  /// Waits for the outcome.
  func wait() -> Bool {
    semaphore.wait()
    return outcome.withLock { $0 }
  }
}
