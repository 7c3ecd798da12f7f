internal import Junctor
internal import Synchronization

/// A task executor that runs nothing until a test says so.
///
/// ```swift
/// let executor = ManualExecutor()
/// channel.listen(for: model, on: .executor(executor)) { me, message in … }
/// channel.post(message)
/// executor.runAll()
/// ```
///
/// ## Concurrency
/// May be used from any thread. Jobs run one after another in the order in which they came, on the thread that calls
/// `runAll` or `runNext`, with no lock held.
public final class ManualExecutor: TaskExecutor {
  private struct State {
    var jobs = RingBuffer<UnownedJob>()
    var watchers = Waiters<Bool>()
  }

  private let state = Mutex(State())

  /// Makes an executor without jobs.
  public init() {}

  /// Keeps a job until it is run.
  ///
  /// - Parameter job: what the runtime hands in.
  /// - Complexity: amortised O(1).
  public func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let watchers = state.withLock { state in
      state.jobs.append(unowned)
      return state.watchers.takeAll()
    }
    for resume in watchers { resume(true) }
  }

  /// How many jobs wait.
  public var pending: Int { state.withLock { $0.jobs.count } }

  /// Runs the job that came first.
  ///
  /// - Returns: whether there was one.
  /// - Complexity: O(1), and the job.
  @discardableResult
  public func runNext() -> Bool {
    guard let job = state.withLock({ $0.jobs.popFirst() }) else { return false }
    // SAFETY: each job is taken out once, and the executor lives at least as long as this call.
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    return true
  }

  /// Runs jobs, those that come meanwhile too, until none waits.
  ///
  /// - Returns: how many were run.
  /// - Complexity: O(number of jobs), and the jobs.
  @discardableResult
  public func runAll() -> Int {
    var count = 0
    while runNext() { count += 1 }
    return count
  }

  /// Waits until a job is there.
  ///
  /// - Returns: `false` if the task was cancelled meanwhile.
  /// - Complexity: O(1), and the wait.
  @discardableResult
  public func waitForJob() async -> Bool {
    await withSuspension(
      { id, resume in
        state.withLock { state in
          if !state.jobs.isEmpty { return .answered(true) }
          if Task.isCancelled { return .answered(false) }
          state.watchers.add(id, resume)
          return .waiting
        }
      },
      leave: { id in self.state.withLock { $0.watchers.take(id) } },
      cancelled: false)
  }
}
