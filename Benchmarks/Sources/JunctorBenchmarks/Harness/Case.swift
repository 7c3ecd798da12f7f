/// Does something so many times.
typealias Operation = (Int) -> Void

/// Does something so many times, on several threads at once.
typealias SharedOperation = @Sendable (Int) -> Void

/// What is done and measured, on either side of a comparison.
enum Work: Sendable {
  /// Prepares something and returns the loop that is timed: the processor time of its thread, which other programs
  /// on the machine do not lengthen.
  case loop(@Sendable () -> Operation)
  /// Prepares something and returns a loop that waits for other threads: the time on the clock.
  case waiting(@Sendable () -> Operation)
  /// Prepares something and returns the loop that so many threads run at once; the time is that of all of them
  /// together, divided by what they did together.
  case threads(Int, @Sendable () -> SharedOperation)
  /// Prepares and returns what builds so many things and holds them; the bytes and allocations of each are counted, those
  /// of the preparation and the time are not.
  case memory(Int, @Sendable (Int) -> () -> Any)
}

/// What a case is compared with.
struct Baseline: Sendable {
  /// A short name for the table.
  let name: String
  /// What is done.
  let work: Work
}

/// What a contract asks of a case.
enum Must: Sendable {
  /// At most so many times the baseline's time (or bytes).
  case ratio(Double)
  /// At most so many nanoseconds more than the baseline.
  case over(Double)
  /// At most so many nanoseconds, on a machine whose uncontended mutex costs 17.
  case nanoseconds(Double)
  /// At most so many allocations for one operation.
  case allocations(Double)
  /// At most so many bytes for each thing.
  case bytes(Double)
}

/// One line of the table.
struct Case: Sendable {
  /// The part of the package.
  let area: String
  /// What is measured.
  let name: String
  /// With which number of what.
  let param: String
  /// How many operations one turn of the loop does.
  let batch: Int
  /// What it is compared with.
  let baseline: Baseline?
  /// What the contracts ask of it.
  let musts: [Must]
  /// What is measured.
  let work: Work

  /// Describes a loop.
  init(
    _ area: String, _ name: String, _ param: String = "", batch: Int = 1,
    baseline: Baseline? = nil, must musts: [Must] = [], _ make: @escaping @Sendable () -> Operation
  ) {
    self.init(area, name, param, batch, baseline, musts, .loop(make))
  }

  /// Describes a loop that waits for other threads.
  init(
    waiting area: String, _ name: String, _ param: String = "", batch: Int = 1,
    baseline: Baseline? = nil, must musts: [Must] = [], _ make: @escaping @Sendable () -> Operation
  ) {
    self.init(area, name, param, batch, baseline, musts, .waiting(make))
  }

  /// Describes a loop that several threads run at once, compared with the same loop on one thread.
  init(
    _ area: String, _ name: String, _ param: String = "", threads: Int, must musts: [Must] = [],
    _ make: @escaping @Sendable () -> SharedOperation
  ) {
    let alone = Baseline(name: "one thread", work: .threads(1, make))
    self.init(area, name, param, baseline: alone, must: musts, threads: threads, make)
  }

  /// Describes a loop that several threads run at once, compared with another.
  init(
    _ area: String, _ name: String, _ param: String = "", baseline: Baseline, must musts: [Must],
    threads: Int, _ make: @escaping @Sendable () -> SharedOperation
  ) {
    self.init(area, name, param, 1, baseline, musts, .threads(threads, make))
  }

  /// Describes how much memory each of many things takes.
  init(
    _ area: String, bytesOf name: String, count: Int, baseline: Baseline? = nil,
    must musts: [Must] = [], _ prepare: @escaping @Sendable (Int) -> () -> Any
  ) {
    self.init(area, "\(name) (bytes)", "\(count)", 1, baseline, musts, .memory(count, prepare))
  }

  /// Describes something that the baselines have ready.
  init(_ area: String, _ name: String, _ param: String, _ work: Work) {
    self.init(area, name, param, 1, nil, [], work)
  }

  private init(
    _ area: String, _ name: String, _ param: String, _ batch: Int, _ baseline: Baseline?,
    _ musts: [Must], _ work: Work
  ) {
    self.area = area
    self.name = name
    self.param = param
    self.batch = batch
    self.baseline = baseline
    self.musts = musts
    self.work = work
  }

  /// The words by which a case is filtered and named in messages.
  var title: String { param.isEmpty ? "\(area) / \(name)" : "\(area) / \(name) / \(param)" }
}
