/// Which messages a channel keeps for listeners that come later.
///
/// What is kept lives in the exchange, as long as that does; no channel value and no listener need exist meanwhile.
///
/// - A listener gets what was kept, oldest first, and then what is posted from then on: none is missed, none comes twice,
///   and none overtakes another, whatever is posted from other threads while it joins.
/// - A plain listener gets it before `listen` returns; one of an actor, a queue or an executor gets it there; a message
///   sequence finds it in its buffer.
/// - What a listener posts to the same channel while it catches up, it gets after that.
/// - What a listener that goes while it catches up has not had is for the next one that comes, but for what waits on a queue
///   by then.
/// - Filters by sender hold. A one-shot gets the oldest that it may. A message that was consumed is not kept. Patterns
///   are given what their channels kept, once.
///
/// ## Concurrency
/// A value; may be used anywhere. Listeners are called with no lock held.
public struct ReplayPolicy: Sendable, Hashable {
  /// What `ReplayPolicy` stands for.
  enum Kind: Sendable, Hashable {
    /// None is kept.
    case none
    /// The last are kept.
    case last
    /// Those that nobody heard are kept.
    case untilFirst
  }

  /// Which policy it is.
  let kind: Kind
  /// How many messages are kept; the oldest gives way.
  let limit: Int

  /// None is kept.
  public static let none = ReplayPolicy(kind: .none, limit: 0)

  /// The last so many are kept, for every listener that comes.
  ///
  /// - Parameter count: how many; zero or less means none.
  /// - Returns: the policy.
  /// - Complexity: O(1).
  public static func last(_ count: Int) -> ReplayPolicy {
    count > 0 ? ReplayPolicy(kind: .last, limit: count) : .none
  }

  /// What nobody listened to is kept until somebody does; at most 65 536 messages.
  public static let untilFirstListener = untilFirstListener(limit: 65_536)

  /// What nobody listened to is kept until somebody does.
  ///
  /// - Parameter limit: how many messages are kept; the oldest gives way. Zero or less means none.
  /// - Returns: the policy.
  /// - Complexity: O(1).
  public static func untilFirstListener(limit: Int) -> ReplayPolicy {
    limit > 0 ? ReplayPolicy(kind: .untilFirst, limit: limit) : .none
  }
}
