import Dispatch
import Foundation
import Synchronization

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

  /// How long the threads take for a loop when all of them run at the same time.
  ///
  /// On a machine with other work one thread often has ended before the next one begins, and nothing is contended. So the
  /// loop is run in many short bursts, each of which begins when every thread has come to it, and the median counts.
  ///
  /// - Parameters:
  ///   - turns: how often each does it, in all bursts together.
  ///   - work: the loop.
  /// - Returns: nanoseconds on the clock.
  func time(_ turns: Int, _ work: @escaping SharedOperation) -> Double {
    let bursts = turns >= 10_000 ? 101 : 1
    let count = members.count
    let arrived = Mark()
    let times = Times()
    run(turns / bursts) { turns in
      for burst in 1...bursts {
        arrived.wait(for: (2 * burst - 1) * count)
        let began = Clock.wall.now
        work(turns)
        if arrived.wait(for: 2 * burst * count) { times.add(Clock.wall.now - began) }
      }
    }
    return times.median * Double(turns) / Double(turns / bursts)
  }

  /// Where threads wait for one another without sleeping.
  private final class Mark: Sendable {
    private let count = Atomic<Int>(0)

    /// Comes to the mark and waits until so many have, all times together. Tells whether this one was the last.
    @discardableResult
    func wait(for all: Int) -> Bool {
      let isLast = count.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == all
      while count.load(ordering: .acquiring) < all {}
      return isLast
    }
  }

  /// The times of bursts, each noted by whoever ended it.
  private final class Times: Sendable {
    private let all = Mutex<[Double]>([])

    func add(_ time: Double) { all.withLock { $0.append(time) } }

    var median: Double { all.withLock { $0.sorted()[$0.count / 2] } }
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
