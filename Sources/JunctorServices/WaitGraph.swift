internal import Dispatch
internal import JunctorCore
internal import Synchronization

/// Who waits for which build, over all sets, threads and tasks.
///
/// An edge goes from a build to every build that it cannot end before: the ones its provider asked for and waits for here,
/// and the ones that it runs itself (`ServiceBuild.parent`, `runner`). A wait that would close a ring is refused with an error, under
/// the one lock, so exactly one of those who close it together is refused.
struct WaitGraph {
  /// How a waiter is woken.
  enum Wake {
    /// A thread that is blocked.
    case thread(DispatchSemaphore)
    /// A task that is suspended.
    case task(CheckedContinuation<Void, any Error>)
  }

  /// One thread or task that waits.
  struct Waiter {
    /// The waiter's number.
    let id: UInt64
    /// What it waits for.
    let build: ServiceBuild
    /// The build that cannot end before, if a provider waits.
    let asker: ServiceBuild?
    /// The transients between that build and the wait.
    let via: [ServiceStep]
    /// How it is woken.
    let wake: Wake
    /// When its patience ends.
    let watch: Watch
  }

  /// What to do about a wish to wait.
  enum JoinAction {
    /// It waits. When the watchdog must look, if nothing is arranged; and what dies outside the lock.
    case waiting(checkAt: DispatchTime?, leftover: Watch?)
    /// There is nothing to wait for.
    case finished
    /// It would never be woken: the path of the ring.
    case cycle([ServiceStep])
  }

  /// Who waits, by the build that is waited for.
  private(set) var waiters: [ObjectIdentifier: [Waiter]] = [:]
  /// The providers that run, and when they will have taken too long.
  var running: [ObjectIdentifier: Running] = [:]
  /// When the watchdog looks next.
  var nextCheck: DispatchTime?

  /// Adds a waiter, unless there is nothing to wait for or nobody would ever be woken.
  mutating func join(_ waiter: Waiter) -> JoinAction {
    if waiter.build.isFinished { return .finished }
    // A task may go on after the provider that made it; then it asks on nobody's behalf.
    if let asker = waiter.asker, !asker.isFinished {
      if let path = path(from: asker, to: waiter.build) {
        return .cycle(path + waiter.via + [waiter.build.step])
      }
      asker.dependsOnOthers()
    }
    waiters[ObjectIdentifier(waiter.build), default: []].append(waiter)
    let (time, replaced) = hasten(waiter.build, waiter.watch)
    return .waiting(checkAt: time, leftover: replaced)
  }

  /// Takes one waiter out. Tells whether the build has nobody left.
  mutating func leave(_ id: UInt64, build: ServiceBuild) -> (waiter: Waiter?, wasLast: Bool) {
    let name = ObjectIdentifier(build)
    guard let index = waiters[name]?.firstIndex(where: { $0.id == id }) else { return (nil, false) }
    let waiter = waiters[name]?.remove(at: index)
    let wasLast = waiters[name]?.isEmpty ?? true
    if wasLast { waiters[name] = nil }
    return (waiter, wasLast)
  }

  /// Takes a build and all its waiters out.
  ///
  /// - Returns: the waiters, and what dies outside the lock.
  mutating func removeAll(of build: ServiceBuild) -> (waiters: [Waiter], leftover: Running?) {
    let name = ObjectIdentifier(build)
    // Mostly nobody waits; then there is nothing to look for.
    let left = waiters.isEmpty ? [] : waiters.removeValue(forKey: name) ?? []
    return (left, running.removeValue(forKey: name))
  }

  /// How many wait for a build.
  func count(of build: ServiceBuild) -> Int { waiters[ObjectIdentifier(build)]?.count ?? 0 }

  /// The steps from `target` to `asker`, if `target` cannot end before `asker` does.
  ///
  /// - Complexity: O(builds in progress); O(1) if `target` has never waited.
  private func path(from asker: ServiceBuild, to target: ServiceBuild) -> [ServiceStep]? {
    // A chain that only ever grows shall not be walked at each of its ends.
    guard target === asker || target.hasDependedOnOthers else { return nil }
    // Backwards from the asker: who waits for it, who waits for those, and so on. `next` leads back to the asker.
    var next: [ObjectIdentifier: (build: ServiceBuild, via: [ServiceStep])] = [:]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(asker)]
    var open = [asker]
    while let build = open.popLast() {
      if build === target {
        var path = [build.step]
        var current = build
        while current !== asker, let step = next[ObjectIdentifier(current)] {
          path += step.via
          path.append(step.build.step)
          current = step.build
        }
        return path
      }
      for parent in [build.parent, build.runner] {
        guard let parent, seen.insert(ObjectIdentifier(parent)).inserted else { continue }
        next[ObjectIdentifier(parent)] = (build, build.via)
        open.append(parent)
      }
      for waiter in waiters[ObjectIdentifier(build)] ?? [] {
        guard let other = waiter.asker, !other.isFinished,
          seen.insert(ObjectIdentifier(other)).inserted
        else { continue }
        next[ObjectIdentifier(other)] = (build, waiter.via)
        open.append(other)
      }
    }
    return nil
  }
}

// MARK: - Waiting

extension WaitGraph {
  /// The one graph.
  static let state = Mutex(WaitGraph())

  /// Blocks the calling thread until a build has ended.
  static func wait(for build: ServiceBuild, context: ServiceContext) throws -> ServiceBuild.Outcome
  {
    let semaphore = DispatchSemaphore(value: 0)
    let waiter = Waiter(
      id: Identifier.next(), build: build, asker: context.build, via: context.via,
      wake: .thread(semaphore), watch: .current)
    switch state.withLock({ $0.join(waiter) }) {
    case .finished: break
    case .cycle(let path): throw ServiceError.cycle(path)
    case .waiting(let time, _):
      check(at: time)
      semaphore.wait()
    }
    return build.outcome ?? .nothing
  }

  /// Suspends the calling task until a build has ended.
  ///
  /// - Parameters:
  ///   - build: the build.
  ///   - context: who asks.
  ///   - leaves: whether it stops waiting when the task is cancelled.
  ///   - cancelsBuild: whether the build is told to stop when the last one has left.
  static func suspend(
    for build: ServiceBuild, context: ServiceContext, leaves: Bool, cancelsBuild: Bool
  ) async throws -> ServiceBuild.Outcome {
    let id = Identifier.next()
    let watch = Watch.current
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiter = Waiter(
          id: id, build: build, asker: context.build, via: context.via, wake: .task(continuation),
          watch: watch)
        switch state.withLock({ $0.join(waiter) }) {
        case .finished: continuation.resume()
        case .cycle(let path): continuation.resume(throwing: ServiceError.cycle(path))
        case .waiting(let time, _):
          check(at: time)
          // The handler may have run before there was anything to take out.
          if leaves, Task.isCancelled { leave(id, build: build, cancelsBuild: cancelsBuild) }
        }
      }
    } onCancel: {
      if leaves { leave(id, build: build, cancelsBuild: cancelsBuild) }
    }
    return build.outcome ?? .nothing
  }

  private static func leave(_ id: UInt64, build: ServiceBuild, cancelsBuild: Bool) {
    let (waiter, wasLast) = state.withLock { $0.leave(id, build: build) }
    guard let waiter else { return }
    if wasLast, cancelsBuild { build.cancel() }
    if case .task(let continuation) = waiter.wake {
      continuation.resume(throwing: CancellationError())
    }
  }

  /// Wakes whoever waits for a build that has ended.
  static func finish(_ build: ServiceBuild) {
    for waiter in state.withLock({ $0.removeAll(of: build) }).waiters {
      switch waiter.wake {
      case .thread(let semaphore): semaphore.signal()
      case .task(let continuation): continuation.resume()
      }
    }
  }

  /// How many wait for a build now.
  static func waiters(of build: ServiceBuild) -> Int { state.withLock { $0.count(of: build) } }
}
