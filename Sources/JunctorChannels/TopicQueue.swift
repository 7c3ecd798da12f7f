internal import Synchronization

/// Finishes one message before it begins the next; the stack stays as it is, and everybody sees the same order.
///
/// ## Concurrency
/// May be used from any thread; deliveries run with no lock held, on the thread of whoever came first.
final class TopicQueue: Sendable {
  typealias Delivery = @Sendable ((any Actor)?) -> Receipt

  private struct State {
    var isDelivering = false
    // Reversed halves would save the copy; messages posted during a delivery are few.
    var waiting: [Delivery] = []
  }

  private let state = Mutex(State())

  /// Delivers now, and then whatever came meanwhile; or, if a delivery is under way, leaves it to that one.
  ///
  /// - Parameters:
  ///   - isolation: where the caller is.
  ///   - delivery: is given the isolation of whoever carries it out.
  ///   - first: gets the receipt, if the caller's own delivery was carried out here.
  func run(
    isolation: (any Actor)?, _ delivery: @escaping Delivery, first: (Receipt) -> Void
  ) {
    let isMine = state.withLock { state in
      if state.isDelivering {
        state.waiting.append(delivery)
        return false
      }
      state.isDelivering = true
      return true
    }
    guard isMine else { return }
    first(delivery(isolation))
    while true {
      let batch = state.withLock { state -> [Delivery] in
        defer { state.waiting = [] }
        if state.waiting.isEmpty { state.isDelivering = false }
        return state.waiting
      }
      if batch.isEmpty { return }
      for delivery in batch { _ = delivery(isolation) }
    }
  }
}
