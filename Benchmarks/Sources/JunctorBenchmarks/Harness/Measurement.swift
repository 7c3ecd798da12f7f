import CAllocations
import Foundation

/// How long and how often is measured.
struct Plan {
  /// How many repetitions of each side.
  let repetitions: Int
  /// How long each takes at least, in nanoseconds.
  let duration: Double

  /// What the tables are made with.
  static let full = Plan(repetitions: 9, duration: 20_000_000)
  /// What does to see allocation counts and gross ratios.
  static let quick = Plan(repetitions: 3, duration: 2_000_000)
}

/// Keeps a value from being optimised away, and what led to it.
///
/// - Parameter value: the value.
@inline(never)
@_optimize(none)
func consume<Value: ~Copyable>(_ value: borrowing Value) {}

/// Measures one case.
///
/// - Parameters:
///   - subject: what is measured.
///   - plan: how long and how often.
/// - Returns: the medians; ours and the baseline's alternate, so that both see the same machine.
func measure(_ subject: Case, _ plan: Plan) -> Result {
  if case .memory(let count, let prepare) = subject.work {
    let ours = measureMemory(count, prepare)
    var baseline: Figure?
    if case .memory(let count, let prepare)? = subject.baseline?.work {
      baseline = measureMemory(count, prepare)
    }
    return Result(subject: subject, ours: ours, baseline: baseline)
  }
  let ours = Side(subject.work, plan)
  let baseline = subject.baseline.map { Side($0.work, plan) }
  for _ in 0..<plan.repetitions {
    ours.repeatOnce()
    baseline?.repeatOnce()
  }
  return Result(
    subject: subject, ours: ours.figure(batch: subject.batch),
    baseline: baseline?.figure(batch: subject.batch))
}

/// One side of a comparison, made ready.
private final class Side {
  private let run: Operation
  private let threads: Int
  private let time: (Int) -> Double
  private let turns: Int
  private var times: [Double] = []

  convenience init(_ work: Work, _ plan: Plan) {
    switch work {
    case .loop(let make):
      let run = make()
      self.init(run, 1, plan) { turns in Clock.thread.nanoseconds { run(turns) } }
    case .waiting(let make):
      let run = make()
      self.init(run, 1, plan) { turns in Clock.wall.nanoseconds { run(turns) } }
    case .threads(let count, let make):
      let shared = make()
      let crew = Crew(count)
      self.init({ turns in crew.run(turns, shared) }, count, plan) { turns in
        crew.time(turns, shared)
      }
    case .memory:
      preconditionFailure("Can't time a case of bytes: it has no loop. Use measureMemory.")
    }
  }

  private init(
    _ run: @escaping Operation, _ threads: Int, _ plan: Plan, _ time: @escaping (Int) -> Double
  ) {
    self.run = run
    self.threads = threads
    self.time = time
    // The number of turns doubles until it takes long enough to be scaled up.
    var turns = 1
    run(1)
    while true {
      let time = time(turns)
      if time >= plan.duration / 4 || turns > 1 << 30 {
        self.turns = max(1, Int((Double(turns) * plan.duration / max(time, 1)).rounded(.up)))
        break
      }
      turns *= 2
    }
  }

  func repeatOnce() {
    times.append(time(turns) / Double(turns) / Double(threads))
  }

  func figure(batch: Int) -> Figure {
    // Other threads may allocate now and then; the smallest of several counts is the loop's own.
    let counted = min(turns, 1_000)
    var allocations = UInt64.max
    for _ in 0..<3 {
      let before = allocations_made()
      run(counted)
      allocations = min(allocations, allocations_made() - before)
    }
    let sorted = times.sorted()
    return Figure(
      value: sorted[sorted.count / 2] / Double(batch),
      allocations: Double(allocations) / Double(counted * threads * batch))
  }
}

/// The bytes and allocations of each of many things.
private func measureMemory(_ count: Int, _ prepare: (Int) -> () -> Any) -> Figure {
  // The first few warm up what is made once.
  consume(prepare(16)())
  let build = prepare(count)
  let allocations = allocations_made()
  let bytes = heap_bytes_in_use()
  let held = build()
  let figure = Figure(
    value: (Double(heap_bytes_in_use()) - Double(bytes)) / Double(count),
    allocations: Double(allocations_made() - allocations) / Double(count))
  consume(held)
  return figure
}

/// What time is read from.
enum Clock {
  /// The processor time of the calling thread.
  case thread
  /// The clock on the wall.
  case wall

  /// How long something takes.
  ///
  /// - Parameter body: the thing.
  /// - Returns: nanoseconds.
  func nanoseconds(_ body: () -> Void) -> Double {
    let start = now
    body()
    return now - start
  }

  /// The time now, in nanoseconds.
  var now: Double {
    var time = timespec()
    clock_gettime(self == .thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
