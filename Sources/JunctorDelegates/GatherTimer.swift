internal import Dispatch
internal import JunctorCore

/// Ways to measure a gather's time limit.
///
/// ## Concurrency
/// May be used from any thread. The work runs on a thread of the timer's.
public enum GatherTimer {
  /// A timer of the system's, on a queue of its own.
  ///
  /// - Parameters:
  ///   - limit: how long to wait.
  ///   - work: what is done then.
  /// - Returns: calls it off.
  /// - Complexity: O(1).
  @Sendable
  public static func dispatch(
    after limit: Duration, _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let item = GatherWork(work)
    DispatchQueue.global(qos: .userInitiated).asyncAfter(
      deadline: .now() + limit.dispatchInterval
    ) { item.run() }
    return { item.cancel() }
  }

  /// A timer that runs on a clock, for tests with a clock of one's own.
  ///
  /// - Parameter clock: measures the time.
  /// - Returns: the timer.
  /// - Complexity: O(1).
  public static func on<C: Clock>(
    _ clock: C
  ) -> @Sendable (Duration, @escaping @Sendable () -> Void) -> @Sendable () -> Void
  where C.Duration == Duration {
    { limit, work in
      let task = Task {
        do {
          try await clock.sleep(for: limit.waitable)
          work()
        } catch {
          // Called off.
        }
      }
      return { task.cancel() }
    }
  }
}
