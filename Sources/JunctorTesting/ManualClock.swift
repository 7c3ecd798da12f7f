internal import Junctor
internal import Synchronization

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let asking = Task { try await price.request(item, timeout: .seconds(2), clock: clock) }
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(2))
/// ```
///
/// ## Concurrency
/// May be used from any thread. Whoever sleeps is woken by `advance`, in the order of their times; a cancelled task at once.
public final class ManualClock: Clock, Sendable {
  /// A moment on the clock, as the time since it was made.
  ///
  /// ## Concurrency
  /// A value; may be used anywhere.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public var offset: Duration

    /// Makes a moment.
    ///
    /// - Parameter offset: the time since the clock was made.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// Returns the moment so much later.
    ///
    /// - Parameter duration: how much later.
    /// - Returns: that moment.
    /// - Complexity: O(1).
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the time from here to another moment.
    ///
    /// - Parameter other: the other moment.
    /// - Returns: the time; less than nothing if the other moment is earlier.
    /// - Complexity: O(1).
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether the left one is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let id: UInt64
    let deadline: Instant
    let resume: Resume<Bool>
  }

  private struct State {
    var now = Instant()
    var sleepers: [Sleeper] = []
    var watchers = CountWatchers()
  }

  private let state = Mutex(State())

  /// Makes a clock that stands at zero.
  public init() {}

  /// The moment at which the clock stands.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero: it can be moved by as little as one likes.
  public var minimumResolution: Duration { .zero }

  /// How many sleep now.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Sleeps until the clock was moved to a moment or past it.
  ///
  /// - Parameters:
  ///   - deadline: when to wake.
  ///   - tolerance: means nothing here.
  /// - Throws: `CancellationError`, if the task is cancelled before.
  /// - Complexity: O(number of sleepers).
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    var watchers: [Resume<Bool>] = []
    let slept = await withSuspension(
      { id, resume in
        let suspension = state.withLock { state -> Suspension<Bool> in
          if Task.isCancelled { return .answered(false) }
          if deadline <= state.now { return .answered(true) }
          let index = state.sleepers.firstIndex { deadline < $0.deadline }
          state.sleepers.insert(
            Sleeper(id: id, deadline: deadline, resume: resume),
            at: index ?? state.sleepers.endIndex)
          watchers = state.watchers.takeReached(state.sleepers.count)
          return .waiting
        }
        for resume in watchers { resume(true) }
        return suspension
      },
      leave: { id in
        self.state.withLock { state in
          guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return nil }
          return state.sleepers.remove(at: index).resume
        }
      },
      cancelled: false)
    if !slept { throw CancellationError() }
  }

  /// Moves the clock and wakes those whose time has come, in the order of their times.
  ///
  /// - Parameter duration: by how much; less than nothing means nothing.
  /// - Complexity: O(number of sleepers).
  public func advance(by duration: Duration) {
    let due = state.withLock { state -> [Sleeper] in
      state.now = state.now.advanced(by: max(.zero, duration))
      let now = state.now
      let due = state.sleepers.prefix { $0.deadline <= now }
      state.sleepers.removeFirst(due.count)
      return Array(due)
    }
    for sleeper in due { sleeper.resume(true) }
  }

  /// Waits until so many sleep.
  ///
  /// - Parameter count: how many.
  /// - Returns: `false` if the task was cancelled meanwhile.
  /// - Complexity: O(number of those who wait), and the wait.
  @discardableResult
  public func waitForSleepers(_ count: Int = 1) async -> Bool {
    await withSuspension(
      { id, resume in
        state.withLock { state in
          if state.sleepers.count >= count { return .answered(true) }
          if Task.isCancelled { return .answered(false) }
          state.watchers.add(id, for: count, resume)
          return .waiting
        }
      },
      leave: { id in self.state.withLock { $0.watchers.take(id) } },
      cancelled: false)
  }
}
