/// What somebody who waits is told, once.
package typealias Resume<Answer> = @Sendable (Answer) -> Void

/// Whether somebody has to wait.
package enum Suspension<Answer: Sendable>: Sendable {
  /// Not at all; this is the answer.
  case answered(Answer)
  /// Until somebody resumes it.
  case waiting
}

/// Suspends the task until it is resumed or cancelled.
///
/// - Parameters:
///   - enter: notes who waits, under a number, or answers at once. A task that is cancelled already must be answered
///     there; asked under the lock that guards the notes, so that a later cancellation finds the note.
///   - leave: takes the note of a cancelled task out and returns what resumes it, if it has not been resumed.
///   - cancelled: what a task that is cancelled while it waits is told.
package nonisolated(nonsending) func withSuspension<Answer: Sendable>(
  _ enter: (UInt64, @escaping Resume<Answer>) -> Suspension<Answer>,
  leave: @escaping @Sendable (UInt64) -> Resume<Answer>?,
  cancelled: Answer
) async -> Answer {
  let id = Identifier.next()
  return await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      if case .answered(let answer) = enter(id, { continuation.resume(returning: $0) }) {
        continuation.resume(returning: answer)
      }
    }
  } onCancel: {
    leave(id)?(cancelled)
  }
}
