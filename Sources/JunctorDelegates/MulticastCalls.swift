internal import JunctorCore

/// One call to many targets, a target at a time: for calls that are suspended in between.
///
/// ```swift
/// var calls = targets.calls()
/// while let target = calls.next() { await target.prepare() }
/// ```
///
/// It sees the list as it stood when it was made. Whether a target was removed or has died is read when its turn comes,
/// thus again after each suspension. The current target is held until the next is asked for.
///
/// ## Concurrency
/// Belongs to the call that made it.
public struct MulticastCalls<Target> {
  private var walk: MulticastWalk

  /// Begins a call.
  init(_ registry: MulticastRegistry, optional method: OptionalMethod?, function: StaticString) {
    walk = MulticastWalk(registry, optional: method, function: function)
  }

  /// The next target that may be called.
  ///
  /// - Returns: the target, or `nil` at the end.
  /// - Complexity: amortised O(1).
  public mutating func next() -> Target? {
    while let entry = walk.next() {
      if let target = entry.target(as: Target.self) { return target }
    }
    return nil
  }

  /// Notes that the current target was called, and says whether its answer counts.
  ///
  /// - Returns: `false` if it left an optional method to the default.
  /// - Complexity: O(1).
  public mutating func didAnswer() -> Bool { walk.didAnswer() }
}

/// The same, whatever the targets are called as.
struct MulticastWalk {
  private let registry: MulticastRegistry
  private let hold: ListHold
  private let method: OptionalMethod?
  private let function: StaticString
  private let isCounting: Bool
  private var position = 0
  private var current: (entry: MulticastEntry, object: AnyObject)?
  private var reached = false
  private var sawDead = false

  /// Begins a call at the list's present state.
  init(
    _ registry: MulticastRegistry, optional method: OptionalMethod?, function: StaticString,
    isCounting: Bool = true
  ) {
    self.registry = registry
    self.isCounting = isCounting
    self.method = method
    self.function = function
    hold = registry.list.hold()
  }

  /// The entry of the next target that may be called.
  mutating func next() -> MulticastEntry? {
    current = nil
    while position < hold.count {
      let entry = hold[position]
      position += 1
      guard entry.isCallable, let entry = entry as? MulticastEntry else { continue }
      guard let object = entry.owner.object else {
        sawDead = true
        continue
      }
      if let method, !entry.mayRespond(to: method, object) { continue }
      current = (entry, object)
      return entry
    }
    if position == hold.count { finish() }
    return nil
  }

  private mutating func finish() {
    position += 1
    if sawDead { registry.list.noteDead() }
    if isCounting && !reached { registry.noteUnreached(function) }
  }

  /// Notes that the current target was called. Returns whether its answer counts.
  mutating func didAnswer() -> Bool {
    guard let current else { return false }
    if let method, !current.entry.didRespond(to: method, current.object) { return false }
    reached = true
    return true
  }
}
