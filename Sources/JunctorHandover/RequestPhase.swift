internal import Synchronization

/// Decides who ends a request, and wakes those who await the end.
///
/// ## Concurrency
/// May be used from any thread. Continuations are resumed outside the lock.
final class RequestPhase: Sendable {
  private enum Phase { case open, claimed, ended }

  private struct State {
    var phase = Phase.open
    var ending: String?
    var isDelivered = false
    var isHandlerTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Whether nobody has begun to end the request.
  var isOpen: Bool { state.withLock { $0.phase == .open } }

  /// Whether the receiver has been prepared with the model that the request came with.
  var isDelivered: Bool {
    get { state.withLock { $0.isDelivered } }
    set { state.withLock { $0.isDelivered = newValue } }
  }

  /// How the request ended, in words, from the moment at which it is no longer open.
  var ending: String? { state.withLock { $0.ending } }

  /// Claims the right to end the request; true for one caller only, who then calls `finish()`.
  func claim(because reason: String) -> Bool {
    state.withLock { state in
      guard state.phase == .open else { return false }
      state.phase = .claimed
      state.ending = reason
      return true
    }
  }

  /// Makes the end visible and wakes those who await it.
  func finish() {
    let waiting = state.withLock { state in
      state.phase = .ended
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Claims the right to call the handler; true for one caller only.
  func claimHandler() -> Bool {
    state.withLock { state in
      guard !state.isHandlerTaken else { return false }
      state.isHandlerTaken = true
      return true
    }
  }

  /// Returns when the request has ended. A task that is cancelled meanwhile ends it.
  func ended() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isEnded = state.withLock { state in
          guard state.phase != .ended else { return true }
          state.waiting.append(continuation)
          return false
        }
        if isEnded { continuation.resume() }
      }
    } onCancel: {
      if claim(because: "the task that awaited its result was cancelled") { finish() }
    }
  }
}
