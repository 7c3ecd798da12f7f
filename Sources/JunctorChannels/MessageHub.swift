internal import JunctorCore
internal import Synchronization

/// What a message sequence and its iterators share: one buffer for each iterator, and one for those that may come.
///
/// ## Concurrency
/// May be used from any thread; nothing of the user's runs under its lock. Retained by its sequence, its iterators and
/// its entry in the list of listeners; retains its registration.
final class MessageHub<Message: Sendable>: Sendable {
  private let state: Mutex<MessageHubState<Message>>

  /// Makes a hub that keeps messages for the sequence already.
  init(limit: MailboxLimit) { state = Mutex(MessageHubState(limit: limit)) }

  // MARK: - The side of the poster

  /// Puts a message into every buffer.
  ///
  /// - Complexity: O(number of iterators).
  func accept(_ message: Message) -> MailboxOutcome {
    let accepted = state.withLock { $0.accept(message) }
    for resume in accepted.resume { resume(message) }
    return accepted.outcome
    // What was displaced dies here, after the lock was left.
  }

  /// Puts a message into every buffer if that displaces none; `nil`, with nothing done, otherwise.
  ///
  /// - Complexity: O(number of iterators).
  func acceptIfRoom(_ message: Message) -> MailboxOutcome? {
    let accepted = state.withLock { $0.hasRoom ? $0.accept(message) : nil }
    for resume in accepted?.resume ?? [] { resume(message) }
    return accepted?.outcome
  }

  /// Waits until every buffer has room. Returns `false` if the task was cancelled meanwhile.
  nonisolated(nonsending) func waitForRoom() async -> Bool {
    await withSuspension(
      { id, resume in
        state.withLock { Task.isCancelled ? .answered(false) : $0.waitForRoom(id, resume) }
      },
      leave: { id in self.state.withLock { $0.roomWaiters.take(id) } },
      cancelled: false)
  }

  /// Accepts nothing more; what waits may still be taken.
  func finish() {
    let (ended, wake) = state.withLock { $0.finish() }
    for resume in ended { resume(nil) }
    for resume in wake { resume(true) }
  }

  // MARK: - The side of the sequence

  /// Notes the registration, to be ended with the last who wants messages.
  func begin(_ registration: Registration) { state.withLock { $0.registration = registration } }

  /// Ends the listening.
  func end() {
    let registration = state.withLock { $0.registration.take() }
    registration?.cancel()
    finish()
  }

  /// Makes the buffer of one more iterator. Returns its number.
  func addCursor() -> UInt64 {
    let id = Identifier.next()
    state.withLock { $0.addCursor(id) }
    return id
  }

  /// Takes the next message for an iterator, or waits for it; `nil` at the end.
  nonisolated(nonsending) func next(_ cursor: UInt64) async -> Message? {
    var ended = MessageHubState<Message>.Ended()
    let message = await withSuspension(
      { id, resume in
        let suspension = state.withLock { state -> Suspension<Message?> in
          if Task.isCancelled {
            ended = state.endCursor(cursor)
            return .answered(nil)
          }
          return state.next(cursor, id, resume, &ended.wake)
        }
        ended.tell()
        return suspension
      },
      leave: { id in self.stopWaiting(cursor, id) },
      cancelled: nil)
    // What a cancelled iterator left dies here.
    _ = ended
    return message
  }

  private func stopWaiting(_ cursor: UInt64, _ waiter: UInt64) -> Resume<Message?>? {
    let found = state.withLock { state in
      state.stopWaiting(cursor, waiter).map { ($0, state.endCursor(cursor)) }
    }
    found?.1.tell()
    return found?.0
  }

  /// Forgets an iterator that has gone; ends the listening with the last.
  func removeCursor(_ id: UInt64) {
    let (ended, registration) = state.withLock { state in
      let ended = state.endCursor(id)
      state.cursors[id] = nil
      return (ended, state.isWanted ? nil : state.registration.take())
    }
    ended.tell()
    registration?.cancel()
  }

  /// Forgets the sequence, which has gone; ends the listening if nobody iterates.
  func removeRoot() {
    let (left, wake, registration) = state.withLock { state in
      let (left, wake) = state.endRoot()
      return (left, wake, state.isWanted ? nil : state.registration.take())
    }
    for resume in wake { resume(true) }
    registration?.cancel()
    _ = left
  }

  // MARK: - Counting

  /// How many messages wait, all iterators together.
  var pending: Int { state.withLock { $0.pending } }

  /// How many wait for a message, all iterators together. For tests.
  var waitingCount: Int {
    state.withLock { $0.cursors.values.reduce(0) { $0 + $1.waiters.count } }
  }

  /// What became of the messages, all iterators together.
  var counters: MailboxCounters { state.withLock { $0.counters } }

  /// What became of one iterator's messages.
  func counts(of cursor: UInt64) -> DeliveryCounts {
    state.withLock { state in
      guard let found = state.cursors[cursor] else {
        return DeliveryCounts(MailboxCounters(), pending: 0)
      }
      return DeliveryCounts(found.buffer.counters, pending: found.buffer.count)
    }
  }
}
