internal import JunctorCore
internal import Synchronization

/// Runs an operation, but waits for it no longer than a limit; then its task is cancelled.
///
/// - Throws: what the operation throws, or `ServiceError` of the code `timedOut`.
func withLimit(
  _ limit: Duration?, clock: any Clock<Duration>, key: ServiceKey,
  _ operation: @escaping @Sendable () async throws -> Void
) async throws {
  guard let limit else { return try await operation() }
  let race = Race()
  let work = Task {
    do {
      try await operation()
      race.end(.success(()))
    } catch {
      race.end(.failure(error))
    }
  }
  let timer = Task {
    do { try await clock.sleep(for: limit.waitable) } catch { return }
    race.end(.failure(ServiceError.timedOut(key, after: limit)))
    work.cancel()
  }
  defer { timer.cancel() }
  try await withCheckedThrowingContinuation { race.begin($0) }
}

/// Gives the first of several results to one continuation.
private final class Race: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, any Error>)
    case ended(Result<Void, any Error>)
  }

  private let state = Mutex(State.idle)

  func begin(_ continuation: CheckedContinuation<Void, any Error>) {
    let result: Result<Void, any Error>? = state.withLock { state in
      if case .ended(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    if let result { continuation.resume(with: result) }
  }

  func end(_ result: Result<Void, any Error>) {
    let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
      switch state {
      case .idle:
        state = .ended(result)
        return nil
      case .waiting(let continuation):
        state = .ended(result)
        return continuation
      case .ended: return nil
      }
    }
    continuation?.resume(with: result)
  }
}
