internal import Synchronization

/// Work that is done once or called off; either way what it holds is let go at once.
///
/// ## Concurrency
/// May be used from any thread. The work runs, and dies, with no lock held.
final class GatherWork: Sendable {
  private let state: Mutex<(@Sendable () -> Void)?>

  /// Keeps work until it is done or called off.
  init(_ work: @escaping @Sendable () -> Void) { state = Mutex(work) }

  /// Does the work, unless it was called off.
  func run() {
    let work = state.withLock { $0.take() }
    work?()
  }

  /// Calls the work off, unless it was done.
  func cancel() {
    let work = state.withLock { $0.take() }
    _ = work
  }
}
