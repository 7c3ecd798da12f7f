internal import CJunctorCore
internal import Synchronization

/// What has entries that can die by themselves, and clears a few of them away when asked.
package protocol Sweepable: AnyObject, Sendable {
  /// Looks at up to `limit` entries, going on from where it stopped, and removes the dead. Called with no lock held.
  ///
  /// - Returns: how many entries it looked at, and whether it has come to its end.
  func sweep(limit: Int) -> (examined: Int, atEnd: Bool)
}

/// Clears away what nobody asks for any more, a little with every activity anywhere.
///
/// A dead owner's entry would otherwise stay until its own list is used again. Every few registrations and
/// walks of a thread make the reclaimer look at a few entries, going round all lists like the hand of a clock; as it
/// looks at more entries than come in, what is dead never exceeds what lives by more than a constant factor.
///
/// ## Concurrency
/// May be used from any thread. One thread at a time takes a step; nobody waits for it.
@usableFromInline
package enum Reclaimer {
  private struct Ring {
    var members: ContiguousArray<SweepMembership.Member> = []
    var hand = 0
  }

  private static let ring = Mutex(Ring())
  // One step looks at this many entries, or half as many lists of one entry each: with a step every fourth registration
  // that is at least two for each that comes in, so that the dead never outnumber the living.
  private static let limit = 16

  /// Notes one registration; every fourth of a thread's makes one step.
  package static func noteActivity() {
    // SAFETY: the record belongs to this thread.
    if unsafe junctor_tick(junctor_thread_record()) & 3 == 0 { step() }
  }

  /// Looks at a few entries of the lists whose turn it is.
  @usableFromInline
  package static func step() {
    var budget = limit
    while budget > 0 {
      // Where another thread is at it, this one need not be.
      let turn = ring.withLockIfAvailable { ring -> SweepMembership.Member? in
        guard !ring.members.isEmpty else { return nil }
        if ring.hand >= ring.members.count { ring.hand = 0 }
        return ring.members[ring.hand]
      }
      guard let member = turn ?? nil else { return }
      // The list may be let go here for the last time; no lock is held.
      let result = member.sweep(limit: budget)
      if result.atEnd { advance(past: member) }
      budget -= result.examined + 1
    }
  }

  private static func advance(past member: SweepMembership.Member) {
    ring.withLock { ring in
      guard ring.hand < ring.members.count, ring.members[ring.hand] === member else { return }
      ring.hand += 1
    }
  }

  /// Adds a list to the ring.
  static func join(_ member: SweepMembership.Member) {
    ring.withLock { ring in
      member.index = ring.members.count
      ring.members.append(member)
    }
  }

  /// Takes a list out of the ring.
  static func leave(_ member: SweepMembership.Member) {
    ring.withLock { ring in
      let last = ring.members.count - 1
      ring.members.swapAt(member.index, last)
      ring.members[member.index].index = member.index
      ring.members.removeLast()
    }
  }

  /// How many lists take part. For tests.
  package static var memberCount: Int { ring.withLock { $0.members.count } }
}

/// One list's part in the sweeping: joined when it has something that can die, left in its `deinit`.
package final class SweepMembership: Sendable {
  /// A list as the ring knows it, weakly.
  final class Member: @unchecked Sendable {
    // SAFETY (unchecked Sendable): `index` is only touched under the ring's lock; the rest is constant and Sendable.
    private let reference: OwnerReference
    private let sweepList: @Sendable (AnyObject, Int) -> (examined: Int, atEnd: Bool)
    /// Its place in the ring, which guards it.
    var index = 0

    /// Refers to a list weakly; `nil` if its deinitialiser has begun.
    init?<List: Sweepable>(_ list: List) {
      guard let reference = OwnerReference(list) else { return nil }
      self.reference = reference
      sweepList = { object, limit in
        // SAFETY: only the object that `reference` was made for is passed in, which is a `List`.
        unsafe unsafeDowncast(object, to: List.self).sweep(limit: limit)
      }
    }

    /// Has the list look at its next few entries, if it is alive.
    func sweep(limit: Int) -> (examined: Int, atEnd: Bool) {
      guard let list = reference.object else { return (0, true) }
      return sweepList(list, limit)
    }
  }

  private let state = Mutex<Member?>(nil)

  /// Makes a membership that has not joined.
  package init() {}

  /// Joins the ring, once.
  package func join<List: Sweepable>(_ list: List) {
    state.withLock { member in
      guard member == nil, let made = Member(list) else { return }
      member = made
      Reclaimer.join(made)
    }
  }

  /// Leaves the ring, if it was joined.
  package func leave() {
    let member = state.withLock { $0.take() }
    if let member { Reclaimer.leave(member) }
  }
}
