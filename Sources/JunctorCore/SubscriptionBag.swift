internal import Synchronization

/// Keeps subscriptions together; when it goes, they all end.
///
/// ## Concurrency
/// May be used from any thread and from `deinit`. Retains what it keeps; forgets what has ended as it grows.
public final class SubscriptionBag: Sendable {
  private struct State {
    var subscriptions: [Subscription] = []
    var limit = 16
  }

  private let state = Mutex(State())

  /// Makes an empty bag.
  public init() {}

  /// Keeps a subscription until the bag goes or is emptied.
  ///
  /// - Parameter subscription: is retained.
  /// - Complexity: amortised O(1).
  public func insert(_ subscription: Subscription) {
    let crowd = state.withLock { state -> [Subscription] in
      state.subscriptions.append(subscription)
      return state.subscriptions.count > state.limit ? state.subscriptions : []
    }
    guard !crowd.isEmpty else { return }
    // Asked and let go outside the lock; whoever inserts meanwhile is not disturbed.
    let ended = Set(crowd.lazy.filter { !$0.isActive }.map(ObjectIdentifier.init))
    let gone = state.withLock { state -> [Subscription] in
      let gone = state.subscriptions.filter { ended.contains(ObjectIdentifier($0)) }
      state.subscriptions.removeAll { ended.contains(ObjectIdentifier($0)) }
      state.limit = max(16, 2 * state.subscriptions.count)
      return gone
    }
    _ = gone
  }

  /// How many it keeps, ended ones that it has not yet forgotten included.
  ///
  /// - Complexity: O(1).
  public var count: Int { state.withLock { $0.subscriptions.count } }

  /// Ends and forgets everything in it; it may be used again.
  ///
  /// - Complexity: O(n).
  public func cancelAll() {
    let all = state.withLock { state -> [Subscription] in
      defer { state = State() }
      return state.subscriptions
    }
    for subscription in all { subscription.cancel() }
  }
}
