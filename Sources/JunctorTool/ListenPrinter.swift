internal import Dispatch
internal import JunctorBridge
internal import JunctorCore
internal import Synchronization

/// Prints what a subscription delivers.
///
/// It prints where it is called, so that whatever comes faster waits where the engine keeps it, which is bounded; what was
/// lost there is said as it happens.
///
/// ## Concurrency
/// The engine calls `take`, one frame after another; everything else may be called from any thread. Knows its route weakly.
final class ListenPrinter: Sendable {
  private struct State {
    var left: Int
    var lost: UInt64 = 0
    var waiters = Waiters<Bool>()
    var route = WeakRoute(route: nil)
  }

  private struct WeakRoute: Sendable {
    weak let route: (any BridgeRoute)?
  }

  private let state: Mutex<State>
  private let beginning = DispatchSemaphore(value: 0)
  private let channel: String
  private let environment: ToolEnvironment

  /// Prints so many messages of a channel at most.
  init(_ channel: String, limit: Int, _ environment: ToolEnvironment) {
    state = Mutex(State(left: limit))
    self.channel = channel
    self.environment = environment
  }

  /// Lets what has come be printed, and what comes; says from now on what a route loses.
  func begin(_ route: (any BridgeRoute)?) {
    state.withLock { $0.route = WeakRoute(route: route) }
    beginning.signal()
  }

  /// Prints the lines of a frame, as many as are still wanted, and says that it was handled if that is all of them: a frame
  /// of which a part was not printed comes again. Waits until printing has begun.
  func take(_ delivery: BridgeDelivery, _ lines: [String]) {
    beginning.wait()
    beginning.signal()
    let (wanted, route) = state.withLock { state in
      let wanted = min(state.left, lines.count)
      state.left -= wanted
      return (wanted, state.route.route)
    }
    for line in lines.prefix(wanted) { environment.print(line + "\n") }
    if wanted == lines.count { delivery.settle(.handled) }
    if let route { note(route.dropped, isLast: false) }
    let waiters = state.withLock { $0.left == 0 ? $0.waiters.takeAll() : [] }
    for resume in waiters { resume(true) }
  }

  /// Waits until as many were printed as are wanted.
  func wait() async {
    _ = await withSuspension(
      { id, resume in
        state.withLock { state -> Suspension<Bool> in
          if state.left == 0 || Task.isCancelled { return .answered(true) }
          state.waiters.add(id, resume)
          return .waiting
        }
      },
      leave: { id in self.state.withLock { $0.waiters.take(id) } }, cancelled: false)
  }

  /// Says how much was lost in all.
  func sum(_ dropped: UInt64) { note(dropped, isLast: true) }

  /// Says how much was lost: at first, whenever it has doubled, and at the end.
  private func note(_ dropped: UInt64, isLast: Bool) {
    let isNews = state.withLock { state in
      guard dropped > state.lost, isLast || dropped >= 2 * state.lost else { return false }
      state.lost = dropped
      return true
    }
    guard isNews else { return }
    environment.complain(
      "Can't print every message of '\(TerminalText.line(channel))': \(counted(dropped, "frame")) came faster than "
        + "could be printed, and \(dropped == 1 ? "is" : "are") lost. Print to a file, or listen with '--durable'."
    )
  }
}
