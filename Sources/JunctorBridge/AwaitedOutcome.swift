internal import Dispatch
internal import Synchronization

/// What a thread waits for that a task finds out.
///
/// ## Concurrency
/// One thread waits, once; who finishes it first decides. The thread must not be one of those that run tasks.
final class AwaitedOutcome: Sendable {
  private let outcome = Mutex<Bool?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Lets the thread go on, unless it may already.
  func finish(_ value: Bool) {
    let isFirst = outcome.withLock { outcome in
      guard outcome == nil else { return false }
      outcome = value
      return true
    }
    if isFirst { semaphore.signal() }
  }

  /// Waits for the outcome.
  func wait() -> Bool {
    semaphore.wait()
    return outcome.withLock { $0 ?? false }
  }
}
