internal import CJunctorCore
internal import JunctorCore
internal import Synchronization

/// What the calls of a multicast tell whoever called it as a target: whether anyone answered, in that very call.
///
/// Afterwards it could not be told: the target that answered may have left or died meanwhile. A call of an optional
/// method of a nested multicast is *awaited* before it is made; the call finds that, and says how it ended.
///
/// ## Concurrency
/// May be used from any thread. Numbers only.
@usableFromInline
final class NestedAnswers: Sendable {
  private struct Awaited {
    /// Its number.
    var id: UInt64
    /// The task, or else the thread, that makes the call.
    var caller: Int
    /// The method's key.
    var method: UInt64
    /// Whether the call has come.
    var isTaken = false
    /// Whether anyone answered it.
    var wasAnswered: Bool?
  }

  private let state = Mutex<[Awaited]>([])
  private let count = Atomic<Int>(0)

  /// The task, or else the thread, that is running.
  static var caller: Int {
    // SAFETY: the task is asked for its identity and not kept.
    let task = unsafe withUnsafeCurrentTask { unsafe $0?.hashValue }
    // SAFETY: the address is used as a number.
    return unsafe task ?? Int(bitPattern: junctor_thread_record())
  }

  /// Says that a call of this multicast is about to be made as that of a target. Returns its number.
  func await(_ method: OptionalMethod) -> UInt64 {
    let id = Identifier.next()
    let caller = Self.caller
    state.withLock { $0.append(Awaited(id: id, caller: caller, method: method.key)) }
    count.add(1, ordering: .releasing)
    return id
  }

  /// Takes notice of a call that has begun. Returns the number of what awaits it, if anything does.
  @usableFromInline
  func take(_ method: OptionalMethod) -> UInt64? {
    if count.load(ordering: .acquiring) == 0 { return nil }
    let caller = Self.caller
    return state.withLock { all in
      // Of several inside one another the innermost; one that has come is not meant again.
      let index = all.lastIndex {
        $0.caller == caller && $0.method == method.key && !$0.isTaken
      }
      guard let index else { return nil }
      all[index].isTaken = true
      return all[index].id
    }
  }

  /// Says whether anyone answered the call that was awaited.
  @usableFromInline
  func settle(_ id: UInt64, wasAnswered: Bool) {
    state.withLock { all in
      guard let index = all.lastIndex(where: { $0.id == id }) else { return }
      all[index].wasAnswered = wasAnswered
    }
  }

  /// Ends the waiting. Returns whether anyone answered; `nil` where no call has come.
  @discardableResult
  func end(_ id: UInt64) -> Bool? {
    count.subtract(1, ordering: .releasing)
    return state.withLock { all in
      guard let index = all.lastIndex(where: { $0.id == id }) else { return nil }
      return all.remove(at: index).wasAnswered
    }
  }
}

/// A call of a nested multicast that is awaited.
@usableFromInline
struct AwaitedAnswer {
  /// The multicast that is called.
  let registry: MulticastRegistry
  /// The number of what awaits it.
  let id: UInt64

  /// Ends the waiting. Returns whether anyone answered; `nil` where no call has come.
  @discardableResult
  func end() -> Bool? { registry.answers.end(id) }
}
