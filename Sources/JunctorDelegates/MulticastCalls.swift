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
/// Calls of one list that a task makes inside one another come to an end: beyond a hundred there are no targets, and that
/// is reported once.
///
/// ## Concurrency
/// Belongs to the call that made it, and ends with it.
public struct MulticastCalls<Target>: ~Copyable {
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

  /// Notes that the call of the current target ended in an error.
  ///
  /// Somebody was reached, and nothing was learnt of what it implements.
  ///
  /// - Complexity: O(1).
  public mutating func didThrow() { walk.didThrow() }
}

/// The same, whatever the targets are called as.
struct MulticastWalk: ~Copyable {
  /// The target whose turn it is.
  private struct Current {
    var entry: MulticastEntry
    var object: AnyObject
    var awaited: AwaitedAnswer?
  }

  private let registry: MulticastRegistry
  private let hold: ListHold
  private let method: OptionalMethod?
  private let function: StaticString
  /// The task that makes the calls, where they are counted.
  private let caller: Int?
  /// What awaits to hear whether anyone answered.
  private let awaited: UInt64?
  private var position = 0
  private var current: Current?
  private var reached = 0
  /// When the call began, if it is to be recorded; otherwise 0.
  private var began = WiringHistory.begin()
  private var failed = false
  private var sawDead = false

  /// Begins a call at the list's present state.
  init(_ registry: MulticastRegistry, optional method: OptionalMethod?, function: StaticString) {
    self.registry = registry
    self.method = method
    self.function = function
    awaited = method.flatMap { registry.answers.take($0) }
    let caller = NestedAnswers.caller
    let permission = registry.suspended.begin(caller)
    if case .permitted = permission {
      self.caller = caller
      hold = registry.list.hold()
    } else {
      self.caller = nil
      hold = ListHold.empty
      // Nobody is reached, which is reported in other words.
      reached = 1
      began = 0
    }
    if case .foundCircle = permission { registry.reportCircle(function) }
  }

  deinit {
    current?.awaited?.end()
    if let awaited {
      registry.answers.settle(awaited, wasAnswered: reached > 0 && caller != nil)
    }
    if let caller { registry.suspended.end(caller) }
    if began != 0 { registry.record(function, reached: reached, began: began, failed: failed) }
  }

  /// The entry of the next target that may be called.
  mutating func next() -> MulticastEntry? {
    current.take()?.awaited?.end()
    while position < hold.count {
      let entry = hold[position]
      position += 1
      guard entry.isCallable, let entry = entry as? MulticastEntry else { continue }
      guard let object = entry.owner.object else {
        sawDead = true
        continue
      }
      if let method, !entry.mayRespond(to: method, object) { continue }
      let awaited = method.flatMap { entry.awaitAnswer(to: $0, object) }
      current = Current(entry: entry, object: object, awaited: awaited)
      return entry
    }
    if position == hold.count { finish() }
    return nil
  }

  private mutating func finish() {
    position += 1
    if sawDead { registry.list.noteDead() }
    if reached == 0 { registry.noteUnreached(function) }
  }

  /// Notes that the current target was called. Returns whether its answer counts.
  mutating func didAnswer() -> Bool {
    guard let called = current else { return false }
    current?.awaited = nil
    if let method, !called.entry.didRespond(to: method, called.object, called.awaited) {
      return false
    }
    reached += 1
    return true
  }

  /// Notes that the call of the current target ended in an error.
  mutating func didThrow() {
    guard current != nil else { return }
    current?.awaited?.end()
    current?.awaited = nil
    reached += 1
    failed = true
  }
}
