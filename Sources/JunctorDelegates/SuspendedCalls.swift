internal import JunctorCore
internal import Synchronization

/// The calls of one list that are suspended between two targets, by the task that makes them: finds the ones that are
/// inside themselves.
///
/// ## Concurrency
/// May be used from any thread.
final class SuspendedCalls: Sendable {
  /// What one task has under way.
  private struct Calls {
    var depth = 0
    var isInCircle = false
  }

  /// Whether a call may go ahead.
  enum Permission {
    /// It may, and has to be ended.
    case permitted
    /// It may not: it is inside itself, which is found for the first time.
    case foundCircle
    /// It may not, for what was found before.
    case insideCircle
  }

  /// How many calls of one list may be inside one another.
  static let limit = 100

  private let state = Mutex<[Int: Calls]>([:])

  /// Notes a call of a task's, or refuses it.
  func begin(_ caller: Int) -> Permission {
    state.withLock { calls in
      var mine = calls[caller] ?? Calls()
      if mine.isInCircle { return .insideCircle }
      guard mine.depth < Self.limit else {
        calls[caller]?.isInCircle = true
        return .foundCircle
      }
      mine.depth += 1
      calls[caller] = mine
      return .permitted
    }
  }

  /// Notes that a call has ended.
  func end(_ caller: Int) {
    state.withLock { calls in
      guard var mine = calls[caller] else { return }
      mine.depth -= 1
      calls[caller] = mine.depth == 0 ? nil : mine
    }
  }

  /// How many tasks have calls under way. For tests.
  var count: Int { state.withLock { $0.count } }
}
