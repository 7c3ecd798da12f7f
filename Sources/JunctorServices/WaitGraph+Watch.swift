internal import Dispatch
internal import JunctorCore
internal import Synchronization

// MARK: - The watchdog

extension WaitGraph {
  /// How long a provider may run, or somebody wait for it, before that is reported.
  @TaskLocal static var patience: DispatchTimeInterval = .seconds(10)

  /// When somebody's patience ends, and where the report goes.
  struct Watch: Sendable {
    /// When it ends.
    let deadline: DispatchTime
    /// How long it is.
    let patience: DispatchTimeInterval
    /// Who hears of it.
    let report: Junctor.DiagnosticsHandler

    /// From now on.
    static var current: Watch {
      let patience = WaitGraph.patience
      return Watch(
        deadline: .now() + patience, patience: patience, report: Junctor.diagnostics)
    }
  }

  /// A provider that runs.
  struct Running {
    /// Its build.
    let build: ServiceBuild
    /// When it is reported.
    var watch: Watch
    /// Whether it was; once is enough.
    var isReported = false
  }

  /// Watches a provider that is about to run, until its build is finished.
  static func begin(_ build: ServiceBuild) {
    let watch = Watch.current
    let time = state.withLock { graph -> DispatchTime? in
      // Whoever came before its task runs it in its stead.
      if graph.running[ObjectIdentifier(build)] != nil { return nil }
      graph.running[ObjectIdentifier(build)] = Running(build: build, watch: watch)
      return graph.mustCheck(at: watch.deadline)
    }
    check(at: time)
  }

  /// Reports a build earlier, if whoever joins is less patient.
  ///
  /// - Returns: when the watchdog must look, if nothing is arranged, and what dies outside the lock.
  mutating func hasten(_ build: ServiceBuild, _ watch: Watch) -> (DispatchTime?, Watch?) {
    let name = ObjectIdentifier(build)
    guard let running = running[name], watch.deadline < running.watch.deadline else {
      return (nil, nil)
    }
    self.running[name]?.watch = watch
    return (mustCheck(at: watch.deadline), running.watch)
  }

  /// Notes when the watchdog must look, unless it looks before anyway.
  private mutating func mustCheck(at deadline: DispatchTime) -> DispatchTime? {
    guard deadline < .distantFuture else { return nil }
    if let nextCheck, nextCheck <= deadline { return nil }
    nextCheck = deadline
    return deadline
  }

  /// Lets the watchdog look at that time.
  static func check(at time: DispatchTime?) {
    guard let time else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: time) { check() }
  }

  /// Reports what has taken too long, and arranges the next look if there is anything to look at.
  private static func check() {
    let (overdue, next) = state.withLock { $0.takeOverdue(.now()) }
    check(at: next)
    for (running, waiters) in overdue {
      let build = running.build
      Junctor.withDiagnostics(running.watch.report) {
        Junctor.report(
          ServiceError.stalled(build.step, waiters: waiters, askedAt: build.askedAt))
      }
    }
  }

  /// Takes what is to be reported, each build once, with the number of those who wait.
  mutating func takeOverdue(
    _ now: DispatchTime
  ) -> (overdue: [(running: Running, waiters: Int)], next: DispatchTime?) {
    // A provider that waits for another is not what holds things up.
    var waiting: Set<ObjectIdentifier> = []
    for running in running.values {
      for parent in [running.build.parent, running.build.runner] {
        if let parent { waiting.insert(ObjectIdentifier(parent)) }
      }
    }
    for waiter in waiters.values.joined() {
      if let asker = waiter.asker { waiting.insert(ObjectIdentifier(asker)) }
    }
    var overdue: [(running: Running, waiters: Int)] = []
    var next: DispatchTime?
    for (name, running) in running where !running.isReported {
      var deadline = running.watch.deadline
      if deadline <= now, !waiting.contains(name) {
        self.running[name]?.isReported = true
        // Whoever runs it on a thread of its own waits as well.
        let runner = running.build.isOfTask ? 0 : 1
        overdue.append((running, count(of: running.build) + runner))
        continue
      }
      if deadline <= now { deadline = now + running.watch.patience }
      next = min(next ?? .distantFuture, deadline)
    }
    nextCheck = nil
    return (overdue, next.flatMap { mustCheck(at: $0) })
  }
}
