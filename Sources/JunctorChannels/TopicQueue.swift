internal import JunctorCore
internal import Synchronization

/// Finishes one message before it begins the next; the stack stays as it is, and everybody sees the same order.
///
/// ## Concurrency
/// May be used from any thread; deliveries run with no lock held, on the thread of whoever came first.
final class TopicQueue: Sendable {
  /// Delivers one message; is given the isolation of whoever carries it out, and whether its poster waits for the receipt.
  typealias Delivery = @Sendable (_ isolation: (any Actor)?, _ isAwaited: Bool) -> Receipt

  /// What came of one message that nobody's listener posted; belongs to the lock.
  private final class Origin {
    var turns = PostTurns()
  }

  private enum Item {
    case delivery(Delivery, Origin?)
    /// A task that delivers by itself, across suspensions, and goes on with the rest afterwards.
    case task(id: UInt64)
  }

  private enum Turn {
    case delivery(Delivery)
    case task(Resume<Bool>)
  }

  private struct State {
    var isDelivering = false
    /// The thread that delivers, by its record; 0 where a task does.
    var thread: UInt = 0
    /// What the message that is being delivered came of, once something came of it.
    var origin: Origin?
    var waiting = RingBuffer<Item>()
    /// What resumes the tasks that wait; those that were cancelled are gone from here.
    var tasks: [UInt64: Resume<Bool>] = [:]

    /// Puts a message behind the others. Returns where the last ones were posted, if it goes round in a circle.
    mutating func append(
      _ delivery: @escaping Delivery, at site: SourceSite, by thread: UInt
    ) -> [SourceSite]? {
      // What the thread that delivers posts meanwhile, a listener does.
      guard thread == self.thread else {
        waiting.append(.delivery(delivery, nil))
        return nil
      }
      let origin = origin ?? Origin()
      self.origin = origin
      waiting.append(.delivery(delivery, origin))
      return origin.turns.note(site)
    }

    /// Whose turn it is, or the end of it.
    mutating func next(on thread: UInt) -> Turn? {
      while let item = waiting.popFirst() {
        switch item {
        case .delivery(let delivery, let origin):
          (self.thread, self.origin) = (thread, origin)
          return .delivery(delivery)
        case .task(let id):
          guard let resume = tasks.removeValue(forKey: id) else { continue }
          (self.thread, origin) = (0, nil)
          return .task(resume)
        }
      }
      isDelivering = false
      (self.thread, origin) = (0, nil)
      return nil
    }
  }

  private let state = Mutex(State())

  /// Delivers now, and then whatever came meanwhile; or, if a delivery is under way, leaves it to that one.
  ///
  /// - Parameters:
  ///   - isolation: where the caller is.
  ///   - site: where it was posted.
  ///   - delivery: delivers the message.
  ///   - first: gets the receipt, if the caller's own delivery was carried out here.
  /// - Returns: where the last posts were made, if they go round in a circle and this one shows it.
  func run(
    isolation: (any Actor)?, at site: SourceSite, _ delivery: @escaping Delivery,
    first: (Receipt) -> Void
  ) -> [SourceSite]? {
    let thread = PostTurns.thread
    let (isMine, circle) = state.withLock { state -> (Bool, [SourceSite]?) in
      if state.isDelivering { return (false, state.append(delivery, at: site, by: thread)) }
      state.isDelivering = true
      state.thread = thread
      return (true, nil)
    }
    guard isMine else { return circle }
    first(delivery(isolation, true))
    leave(isolation: isolation)
    return nil
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
    let thread = PostTurns.thread
    while let turn = state.withLock({ $0.next(on: thread) }) {
      switch turn {
      case .delivery(let delivery): _ = delivery(isolation, false)
      case .task(let resume):
        resume(true)
        return
      }
    }
  }
}
