import Dispatch
import Foundation

/// Threads that wait to run a loop together.
final class Crew {
  private final class Member: Sendable {
    let start = DispatchSemaphore(value: 0)
  }

  // SAFETY: written by the crew's owner while every member waits at its `start`, read by members after it; the
  // semaphores order the two.
  private final class Assignment: @unchecked Sendable {
    var turns = 0
    var work: SharedOperation?
  }

  private let members: [Member]
  private let assignment = Assignment()
  private let done = DispatchSemaphore(value: 0)

  /// Hires so many threads; they end with the crew.
  init(_ count: Int) {
    members = (0..<count).map { _ in Member() }
    for member in members {
      let (assignment, done) = (assignment, done)
      Thread.detachNewThread {
        while true {
          member.start.wait()
          guard let work = assignment.work else { return }
          work(assignment.turns)
          done.signal()
        }
      }
    }
  }

  deinit {
    assignment.work = nil
    for member in members { member.start.signal() }
  }

  /// Runs a loop on every thread at once and returns when all have done it.
  ///
  /// - Parameters:
  ///   - turns: how often each does it.
  ///   - work: the loop.
  func run(_ turns: Int, _ work: @escaping SharedOperation) {
    assignment.turns = turns
    assignment.work = work
    for member in members { member.start.signal() }
    for _ in members { done.wait() }
  }
}

/// Keeps a second thread alive and asleep: a process that never had one shows locks at half their price.
func parkSecondThread() {
  let forever = DispatchSemaphore(value: 0)
  Thread.detachNewThread { forever.wait() }
}
