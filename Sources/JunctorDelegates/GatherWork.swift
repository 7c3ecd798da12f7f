internal import Synchronization

/// Work that is done once or called off; either way what it holds is let go at once.
final class GatherWork: Sendable {
  private let state: Mutex<(@Sendable () -> Void)?>

  init(_ work: @escaping @Sendable () -> Void) { state = Mutex(work) }

  func run() {
    let work = state.withLock { $0.take() }
    work?()
  }

  func cancel() {
    let work = state.withLock { $0.take() }
    _ = work
  }
}
