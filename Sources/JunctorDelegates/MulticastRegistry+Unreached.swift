internal import JunctorCore
internal import Synchronization

/// Counts the calls that reached nobody, and tells whoever wants to know.
///
/// ## Concurrency
/// May be used from any thread. Retains the handler, which dies with no lock held.
final class UnreachedWatch: Sendable {
  /// How many calls reached nobody.
  let count = Atomic<UInt64>(0)
  private let state = Mutex(Handler())

  // A closure that is a lock's own value is wrapped anew at each look, where nothing is optimised; one in a structure is not.
  private struct Handler {
    var call: (@Sendable (UnreachedCall) -> Void)?
  }

  /// Who wants to know.
  var handler: (@Sendable (UnreachedCall) -> Void)? { state.withLock { $0.call } }

  /// Puts a handler in the place of the one that was there.
  func replace(_ handler: (@Sendable (UnreachedCall) -> Void)?) {
    // What was there dies outside the lock.
    let old = state.withLock { current in
      let old = current.call
      current.call = handler
      return old
    }
    _ = old
  }
}

extension MulticastRegistry {
  /// Watches for calls that no target answers.
  ///
  /// The handler runs in the call itself, after it has found nobody and before it returns, with no lock held. One handler
  /// at a time; it is retained until it is replaced.
  ///
  /// - Parameter handler: gets the call, or `nil` to watch no longer.
  /// - Complexity: O(1).
  public func watchUnreachedCalls(_ handler: (@Sendable (UnreachedCall) -> Void)?) {
    watch.replace(handler)
  }

  /// How many calls have reached nobody.
  ///
  /// - Complexity: O(1).
  public var unreachedCallCount: UInt64 { watch.count.load(ordering: .relaxed) }

  /// Notes a call that reached nobody.
  @usableFromInline
  func noteUnreached(_ function: StaticString) {
    watch.count.wrappingAdd(1, ordering: .relaxed)
    guard let handler = watch.handler else { return }
    handler(UnreachedCall(multicast: label, method: "\(function)", site: site))
  }
}
