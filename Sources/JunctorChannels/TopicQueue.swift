internal import JunctorCore
internal import Synchronization

/// Finishes one message before it begins the next; the stack stays as it is, and everybody sees the same order.
///
/// ## Concurrency
/// May be used from any thread; deliveries run with no lock held, on the thread of whoever came first.
final class TopicQueue: Sendable {
  /// Delivers one message; is given the isolation of whoever carries it out.
  typealias Delivery = @Sendable ((any Actor)?) -> Receipt

  private enum Item {
    case delivery(Delivery)
    /// A task that delivers by itself, across suspensions, and goes on with the rest afterwards.
    case task(id: UInt64)
  }

  private enum Turn {
    case delivery(Delivery)
    case task(Resume<Bool>)
  }

  private struct State {
    var isDelivering = false
    var waiting = RingBuffer<Item>()
    /// What resumes the tasks that wait; those that were cancelled are gone from here.
    var tasks: [UInt64: Resume<Bool>] = [:]

    /// Whose turn it is, or the end of it.
    mutating func next() -> Turn? {
      while let item = waiting.popFirst() {
        switch item {
        case .delivery(let delivery): return .delivery(delivery)
        case .task(let id): if let resume = tasks.removeValue(forKey: id) { return .task(resume) }
        }
      }
      isDelivering = false
      return nil
    }
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
        state.waiting.append(.delivery(delivery))
        return false
      }
      state.isDelivering = true
      return true
    }
    guard isMine else { return }
    first(delivery(isolation))
    leave(isolation: isolation)
  }

  /// Waits for its turn, to deliver across suspensions; `leave` must follow. Returns `false` if the task was cancelled.
  nonisolated(nonsending) func enter() async -> Bool {
    await withSuspension(
      { id, resume in
        state.withLock { state in
          if Task.isCancelled { return .answered(false) }
          if state.isDelivering {
            state.waiting.append(.task(id: id))
            state.tasks[id] = resume
            return .waiting
          }
          state.isDelivering = true
          return .answered(true)
        }
      },
      leave: { id in self.state.withLock { $0.tasks.removeValue(forKey: id) } },
      cancelled: false)
  }

  /// Delivers whatever came meanwhile, up to the next task, whose turn it is then.
  func leave(isolation: (any Actor)?) {
    while let turn = state.withLock({ $0.next() }) {
      switch turn {
      case .delivery(let delivery): _ = delivery(isolation)
      case .task(let resume):
        resume(true)
        return
      }
    }
  }
}
