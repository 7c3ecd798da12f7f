internal import Dispatch
internal import Synchronization

/// One thing that waits in a mailbox.
///
/// A protocol of classes rather than a parameter of the mailbox: code that does not know the item's type looks its layout
/// up at every step, and that took most of the time of a delivery.
package protocol MailboxItem: AnyObject, Sendable {
  /// Hands it over. Returns whether it was delivered, rather than found cancelled.
  func run() -> Bool
}

/// What waits for one asynchronous listener: first in, first out, one at a time, one drain job per burst.
///
/// - Handing in never waits for the listener, nor for other work on its queue, nor for a drain that is under way.
/// - Items never overlap and never change places, on a concurrent queue either.
/// - A drain job gives way to other work on its target after `batch` items.
///
/// ## Concurrency
/// May be used from any thread. Items run on the target with no lock held; a mailbox is retained by its drain job until
/// that ends.
package final class Mailbox: Sendable {
  private let target: DeliveryTarget
  // Several items may be handled at the same time, one in each job. An actor handles one at a time whatever is asked.
  private let isConcurrent: Bool
  /// What waits, and who waits for it.
  let state: Mutex<MailboxState<any MailboxItem>>
  // Beside the state, though always changed with it, under its lock: a post asks for every listener of an actor.
  private let isDraining = Atomic(false)
  private let batch = 64

  /// Makes an empty mailbox.
  ///
  /// - Parameters:
  ///   - target: where items are handed over; on the actor, if it is one.
  ///   - limit: how much may wait.
  ///   - isConcurrent: whether items may overlap, on a queue or an executor.
  package init(
    target: DeliveryTarget, limit: MailboxLimit = .unbounded, isConcurrent: Bool = false
  ) {
    self.target = target
    switch target {
    case .queue, .executor: self.isConcurrent = isConcurrent
    case .actor, .weakActor: self.isConcurrent = false
    }
    state = Mutex(MailboxState(limit: limit))
  }

  /// Hands an item in.
  ///
  /// - Complexity: amortised O(1), whatever waits.
  @discardableResult
  package func send(_ item: any MailboxItem) -> MailboxOutcome {
    let accepted = state.withLock { state in
      defer { noteDraining(state) }
      return state.accept(item, isConcurrent: isConcurrent)
    }
    if accepted.schedule { schedule() }
    return accepted.outcome
    // What was displaced dies here, after the lock was left.
  }

  /// Hands an item in if none has to give way to it; `nil`, with nothing done, if one had to.
  ///
  /// - Complexity: amortised O(1), whatever waits.
  package func sendIfRoom(_ item: any MailboxItem) -> MailboxOutcome? {
    let accepted = state.withLock { state in
      defer { noteDraining(state) }
      return state.hasRoom ? state.accept(item, isConcurrent: isConcurrent) : nil
    }
    if let accepted, accepted.schedule { schedule() }
    return accepted?.outcome
  }

  /// Whether there is room for another item now.
  package var hasRoom: Bool { state.withLock { $0.hasRoom } }

  /// How many items wait. What is being handled does not.
  package var pending: Int { state.withLock { $0.count } }

  /// Whether nothing waits and nothing is being handled.
  ///
  /// Acquiring: what the last item did is seen by whoever finds that it has been handled.
  package var isIdle: Bool { !isDraining.load(ordering: .acquiring) }

  /// What became of the items so far.
  package var counters: MailboxCounters { state.withLock { $0.counters } }

  /// Drops what waits and accepts nothing more. Returns how many items were dropped.
  @discardableResult
  package func close() -> Int {
    let (items, wake) = state.withLock { $0.close() }
    for resume in wake { resume(true) }
    return items.count
  }

  /// Call it at the end of whatever may have changed that, still under the lock.
  private func noteDraining(_ state: MailboxState<any MailboxItem>) {
    isDraining.store(state.isDraining, ordering: .releasing)
  }

  // MARK: - Draining

  private func schedule() {
    switch target {
    case .queue(let queue):
      queue.async { if self.drainBatch() { self.schedule() } }
    case .actor(let actor):
      Task.detached { await self.drain(on: actor) }
    case .weakActor(let find):
      guard let actor = find() else {
        close()
        let rest = state.withLock { state in
          defer { noteDraining(state) }
          return state.stopDraining()
        }
        for resume in rest { resume(true) }
        return
      }
      Task.detached { await self.drain(on: actor) }
    case .executor(let executor):
      Task.detached(executorPreference: executor) {
        while self.drainBatch() { await Task.yield() }
      }
    }
  }

  private func drain(on actor: isolated any Actor) async {
    while drainBatch() { await Task.yield() }
  }

  /// Handles up to `batch` items. Returns whether there may be more.
  private func drainBatch() -> Bool {
    var item: (any MailboxItem)?
    var wasDelivered: Bool?
    for _ in 0..<(isConcurrent ? 1 : batch) {
      let (next, wake, rest) = state.withLock { state in
        defer { noteDraining(state) }
        if let wasDelivered { state.finished(delivered: wasDelivered) }
        return state.next()
      }
      // Whoever waits for the end of the one before hears of it here, when it has been counted.
      item = next
      wake?(true)
      for resume in rest { resume(true) }
      guard let item else { return false }
      wasDelivered = item.run()
    }
    // A job that handles one item is at its end; the others go on elsewhere.
    let rest = state.withLock { state in
      defer { noteDraining(state) }
      if let wasDelivered { state.finished(delivered: wasDelivered) }
      return isConcurrent ? state.stopDraining() : []
    }
    item = nil
    for resume in rest { resume(true) }
    return !isConcurrent
  }
}
