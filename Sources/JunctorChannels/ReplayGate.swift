internal import JunctorCore
internal import Synchronization

/// Holds up what is posted to a listener while it gets what was kept for it.
///
/// A one-shot can take one message only, so none is held up for it: each stays where it is kept, unheard, and the one-shot
/// looks again before its gate opens.
///
/// ## Concurrency
/// May be used from any thread; nothing of the user's runs under its lock. Retains messages while it holds them up.
final class ReplayGate<Message: Sendable>: Sendable {
  /// What is to become of one message.
  enum Admission {
    /// It is to be delivered as usual.
    case deliver
    /// The listener has got it already.
    case pass
    /// It is held up, and delivered by whoever delivers what was kept.
    case held
  }

  private struct State {
    var held = RingBuffer<ReplayStore<Message>.Item>()
    /// The number up to which the copy tells what the listener gets; `nil` until there is a copy.
    var copied: UInt64?
    /// The lowest and the highest number that a one-shot has let pass meanwhile.
    var passed: ClosedRange<UInt64>?
    /// The thread that delivers what was kept, by its record; 0 before. Of no meaning once the gate is open.
    var thread: UInt = 0
    /// What that thread posted meanwhile, and so the listener.
    var turns = PostTurns()
  }

  private let state = Mutex(State())
  private let isOnce: Bool
  /// The same number, once the listener has caught up; the highest there is until then.
  private let cutoff = Atomic(UInt64.max)

  /// Whether it is a pattern's deputy's, by which the pattern's listener hears this channel for the first time. (Another
  /// deputy continues what that listener hears already.) Written once, before the store names the listener.
  private let isFirstOfPattern = Atomic(false)

  /// Makes a closed gate.
  ///
  /// - Parameter isOnce: whether it is a one-shot's.
  init(isOnce: Bool) { self.isOnce = isOnce }

  /// Notes that the pattern's listener has heard nothing of this channel before.
  func noteFirstOfPattern() { isFirstOfPattern.store(true, ordering: .releasing) }

  /// Whether it was noted so. Ask when the listener was found in the store: otherwise it may be noted yet.
  var hasNotedFirst: Bool { isFirstOfPattern.load(ordering: .acquiring) }

  /// Decides about one post.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - context: what belongs to its post.
  ///   - isTaken: whether somebody who joined before has taken it out of what was kept: who comes now is not the first.
  /// - Complexity: O(1); one atomic load once the listener has caught up.
  func admit(_ message: Message, _ context: PostContext, isTaken: Bool = false) -> Admission {
    let number = context.number.load(ordering: .acquiring)
    // Not numbered: posted before anything was kept here.
    if number == 0 { return .deliver }
    let cutoff = cutoff.load(ordering: .acquiring)
    if cutoff != .max { return number > cutoff ? .deliver : .pass }
    let thread = PostTurns.thread
    let (admission, circle) = state.withLock { state -> (Admission, [SourceSite]?) in
      // Asked again: under the lock it cannot open.
      let cutoff = self.cutoff.load(ordering: .acquiring)
      if cutoff != .max { return (number > cutoff ? .deliver : .pass, nil) }
      // Of what was posted after the copy the listener is to have all.
      if state.copied.map({ number <= $0 }) ?? isTaken { return (.pass, nil) }
      if isOnce {
        let passed = state.passed ?? number...number
        state.passed = min(passed.lowerBound, number)...max(passed.upperBound, number)
        return (.pass, nil)
      }
      state.held.append(
        ReplayStore<Message>.Item(
          message: message, context: context, ticket: context.group?.enter(), isHeld: true))
      return (.held, state.thread == thread ? state.turns.note(context.site) : nil)
    }
    if let circle { PostTurns.report(context.name, circle) }
    return admission
  }

  /// Adds to what was copied what was held up before and is not in the copy: heard, and so not kept, because it was held.
  ///
  /// - Parameters:
  ///   - copy: what was kept for the listener, in order.
  ///   - cutoff: the number of the last message that there was when it was copied.
  /// - Returns: both, in the order of their numbers.
  /// - Complexity: O(n log n) in their number.
  func begin(
    _ copy: [ReplayStore<Message>.Item], _ cutoff: UInt64
  ) -> [ReplayStore<Message>.Item] {
    let thread = PostTurns.thread
    let held = state.withLock { state -> [ReplayStore<Message>.Item] in
      state.copied = cutoff
      state.thread = thread
      var early: [ReplayStore<Message>.Item] = []
      var later = RingBuffer<ReplayStore<Message>.Item>()
      while let item = state.held.popFirst() {
        if item.number <= cutoff { early.append(item) } else { later.append(item) }
      }
      state.held = later
      return early
    }
    guard !held.isEmpty else { return copy }
    let known = Set(held.map(\.number))
    return (copy.filter { !known.contains($0.number) } + held).sorted { $0.number < $1.number }
  }

  /// The number of the first message that a one-shot has let pass, if there is one.
  var firstPassed: UInt64? { state.withLock { $0.passed?.lowerBound } }

  /// Opens a one-shot's gate, unless a message has passed that was not there when it looked last.
  ///
  /// - Parameter cutoff: the number of the last message that there was then; `nil` to open it whatever has passed.
  /// - Returns: whether it is open.
  func openOnce(_ cutoff: UInt64?) -> Bool {
    state.withLock { state in
      if let cutoff, let passed = state.passed, passed.upperBound > cutoff { return false }
      self.cutoff.store(cutoff ?? 0, ordering: .releasing)
      return true
    }
  }

  /// What was held up next; opens the gate when that is nothing.
  func next() -> ReplayStore<Message>.Item? {
    state.withLock { state in
      if let item = state.held.popFirst() { return item }
      cutoff.store(state.copied ?? 0, ordering: .releasing)
      return nil
    }
  }
}

extension ReplayStore.Item {
  /// The message's place among all that its channel kept.
  var number: UInt64 { context.number.load(ordering: .acquiring) }

  /// Whether somebody has it, or lost it for want of room.
  var isHeard: Bool { context.isHeard }
}
