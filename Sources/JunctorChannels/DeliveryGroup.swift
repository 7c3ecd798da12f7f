internal import JunctorCore
internal import Synchronization

/// The deliveries of one `send` that are under way.
///
/// ## Concurrency
/// May be used from any thread. Retained by its tickets; retains the errors that listeners threw.
final class DeliveryGroup: Sendable {
  private struct State {
    var open = 0
    var dropped = 0
    var isClosed = false
    var failures: [Receipt.Failure] = []
    var waiters = Waiters<Bool>()
  }

  private let state = Mutex(State())

  /// Makes the ticket of one delivery.
  func enter() -> DeliveryTicket {
    state.withLock { $0.open += 1 }
    return DeliveryTicket(self)
  }

  /// Makes the ticket of one delivery, if somebody still waits for it.
  func enterIfAwaited() -> DeliveryTicket? {
    let isAwaited = state.withLock { state in
      if state.isClosed { return false }
      state.open += 1
      return true
    }
    return isAwaited ? DeliveryTicket(self) : nil
  }

  /// Notes that nobody waits any longer.
  func close() { state.withLock { $0.isClosed = true } }

  /// Notes that one delivery is over.
  fileprivate func leave() {
    let waiters = state.withLock { state -> [Resume<Bool>] in
      state.open -= 1
      return state.open == 0 ? state.waiters.takeAll() : []
    }
    for resume in waiters { resume(true) }
  }

  fileprivate func note(_ failure: Receipt.Failure) {
    state.withLock { $0.failures.append(failure) }
  }

  fileprivate func noteDropped() { state.withLock { $0.dropped += 1 } }

  /// How many messages were dropped by listeners that were catching up.
  var dropped: Int { state.withLock { $0.dropped } }

  /// What listeners threw since this was last asked.
  func takeFailures() -> [Receipt.Failure] {
    state.withLock { state in
      defer { state.failures = [] }
      return state.failures
    }
  }

  /// Waits until no delivery is under way. Returns `false` if the task was cancelled meanwhile.
  nonisolated(nonsending) func wait() async -> Bool {
    await withSuspension(
      { id, resume in
        state.withLock { state in
          if state.open == 0 { return .answered(true) }
          if Task.isCancelled { return .answered(false) }
          state.waiters.add(id, resume)
          return .waiting
        }
      },
      leave: { id in self.state.withLock { $0.waiters.take(id) } },
      cancelled: false)
  }
}

/// One delivery that somebody waits for: over when this goes, be it delivered, dropped or cancelled.
///
/// ## Concurrency
/// May be used from any thread. Retained by the delivery alone.
final class DeliveryTicket: Sendable {
  private let group: DeliveryGroup

  fileprivate init(_ group: DeliveryGroup) { self.group = group }

  deinit { group.leave() }

  /// Tells the sender that a buffer had no room for it.
  func noteDropped() { group.noteDropped() }

  /// Hands an error to the sender, and reports it where the channel says so.
  func fail(_ error: any Error, by entry: _ListEntry, of topic: Topic) {
    group.note(Receipt.Failure(error: error, listener: entry.site))
    if topic.currentFlags.isDisjoint(with: [.collectsErrors, .stopsAtError]) {
      topic.report(error, by: entry)
    }
  }
}
