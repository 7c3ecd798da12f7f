public import JunctorCore
internal import Synchronization

/// One run of one provider, which others may wait for.
///
/// ## Concurrency
/// Made by the thread that finds the slot empty. Finished exactly once. Holds its slot and the build that asked for it;
/// is held by the slot and the waiters until it is finished.
final class ServiceBuild: Sendable {
  /// What came of it.
  enum Outcome: Sendable {
    /// There is an object.
    case built(ServiceBox)
    /// The provider had nothing this time.
    case nothing
    /// The provider threw, or could not run.
    case failed(any Error)
  }

  /// What changes while it runs.
  struct State {
    /// What came of it, once it is finished.
    var outcome: Outcome?
    /// What the provider asked for, for the picture of the graph.
    var dependencies: [ServiceRecord.Dependency] = []
    /// The numbers of their slots, from where it takes longer to look through them all.
    private var numbers: Set<UInt64> = []
    /// The task that runs an asynchronous provider.
    var task: Task<Void, Never>?
    /// Whether the provider was told to stop, or ran in a task that was.
    var isCancelled = false
    /// What is to be run on the main actor, until somebody there begins.
    var work: ServiceWork?
    /// The build that cannot end before this one, since its provider has begun to run this one's.
    var runner: ServiceBuild?

    /// The state of a build that is about to run.
    init(work: ServiceWork? = nil) { self.work = work }

    /// Whether the provider was given what is in that slot before.
    ///
    /// - Complexity: O(1).
    mutating func knows(_ slotID: UInt64) -> Bool {
      if dependencies.count < 16 { return dependencies.contains { $0.slotID == slotID } }
      if numbers.count < dependencies.count { numbers = Set(dependencies.lazy.map(\.slotID)) }
      return numbers.contains(slotID)
    }

    /// Notes that the provider was given what is in a slot.
    mutating func add(_ dependency: ServiceRecord.Dependency) {
      dependencies.append(dependency)
      if !numbers.isEmpty { numbers.insert(dependency.slotID) }
    }
  }

  /// The service.
  let key: ServiceKey
  /// The number of its slot; 0 for none.
  let slotID: UInt64
  /// What it is asked with.
  let argument: ServiceArgument?
  /// What the alternate gave, if it decorates that.
  let inherited: ServiceBox?
  /// Whether the set keeps the object, and is the one to tear it down.
  let isKept: Bool
  /// Whether the set tears the object itself down, beside its wrappers.
  let isOwned: Bool
  /// Whether the provider belongs to the main actor.
  let isOfMainActor: Bool
  /// Where the provider was registered.
  let site: SourceSite
  /// Where it was asked for.
  let askedAt: SourceSite
  /// The build whose provider asked, and which cannot end before this one.
  let parent: ServiceBuild?
  /// The transients between that build and this one, outermost first.
  let via: [ServiceStep]
  /// How many builds and transients led here.
  let depth: Int
  /// When it began.
  let started = ContinuousClock.now
  /// Whether the provider runs in a task of its own.
  let isOfTask: Bool
  /// Whether it runs on the main actor as a whole, where whoever asks at once may come before its task.
  let runsOnMainActor: Bool
  private let state: Mutex<State>
  private let weakly = Mutex<WeakLayers?>(nil)
  // Relaxed suffices for what only saves work; `isFinished` is released after the outcome was stored.
  private let finished = Atomic<Bool>(false)
  private let dependent = Atomic<Bool>(false)
  private let noted = Atomic<UInt64>(0)

  /// Notes a build that is about to run.
  init(
    _ slot: ServiceSlot, _ work: ServiceWork, request: ServiceRequest, context: ServiceContext?,
    isOfTask: Bool
  ) {
    key = slot.key
    slotID = slot.id
    argument = request.argument
    inherited = work.inherited
    isKept = work.definition.lifetime != .weak
    isOwned = work.definition.isOwned
    isOfMainActor = work.isOfMainActor
    site = work.definition.site
    askedAt = request.site
    self.isOfTask = isOfTask
    runsOnMainActor = isOfTask && work.isOfMainActor && !work.mustSuspend(for: .mainActor)
    state = Mutex(State(work: runsOnMainActor ? work : nil))
    depth = (context?.build?.depth ?? 0) + (context?.via.count ?? 0) + 1
    // A provider in a task of its own goes on when the one who asked first has left; that one is a waiter like others.
    parent = isOfTask ? nil : context?.build
    via = isOfTask ? [] : context?.via ?? []
    parent?.dependsOnOthers()
  }

  /// Notes that a set as a whole is being started or closed, which others may wait for as for a provider.
  init(of set: Services) {
    key = ServiceKey(Services.self, name: ServiceName(set.name))
    slotID = 0
    argument = nil
    inherited = nil
    isKept = false
    isOwned = false
    isOfMainActor = false
    site = set.site
    askedAt = set.site
    parent = nil
    via = []
    depth = 0
    isOfTask = true
    runsOnMainActor = false
    state = Mutex(State())
  }

  /// Whether it decorates what the alternate gave.
  var isInherited: Bool { inherited != nil }

  /// One step of a path.
  var step: ServiceStep { ServiceStep(key: key, site: site) }

  /// What came of it, once it is finished.
  var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Whether it is finished.
  var isFinished: Bool { finished.load(ordering: .acquiring) }

  /// Whether it has ever waited for another build, or run one.
  var hasDependedOnOthers: Bool { dependent.load(ordering: .relaxed) }

  /// Notes that it is about to wait for another build, or runs one.
  func dependsOnOthers() { dependent.store(true, ordering: .relaxed) }

  /// The object, held weakly, for the lifetime `weak`.
  var weak: WeakLayers? {
    get { weakly.withLock { $0 } }
    set { weakly.withLock { $0 = newValue } }
  }

  /// What the provider has asked for so far.
  var dependencies: [ServiceRecord.Dependency] { state.withLock { $0.dependencies } }

  /// Notes that the provider was given another service.
  func note(_ slot: ServiceSlot) {
    // What is asked for in a loop is noted already.
    if noted.exchange(slot.id, ordering: .relaxed) == slot.id { return }
    state.withLock { state in
      if state.knows(slot.id) { return }
      guard let reference = SlotReference(slot) else { return }
      state.add(ServiceRecord.Dependency(slotID: slot.id, slot: reference))
    }
  }

  /// Ends the build and wakes whoever waits. Call it with no lock held, once.
  func finish(_ outcome: Outcome) {
    let leftovers = state.withLock { state in
      state.outcome = outcome
      defer { (state.task, state.runner) = (nil, nil) }
      return (state.task, state.runner)
    }
    _ = leftovers
    finished.store(true, ordering: .releasing)
    WaitGraph.finish(self)
  }

  // MARK: The task of an asynchronous provider

  /// Whether the last waiter left and the provider was told to stop, or the one who ran it was cancelled.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Whether there may be no object only because whoever ran the provider was cancelled, or because everybody had left
  /// before this asker came: that is nothing to those who wait now, and they look again.
  func wasGivenUp(with outcome: Outcome) -> Bool {
    if case .built = outcome { false } else { isCancelled }
  }

  /// The build that cannot end before this one, since its provider has begun to run this one's.
  var runner: ServiceBuild? { state.withLock { $0.runner } }

  /// Gives what is to be run on the main actor to the first who comes; `nil` to all others.
  ///
  /// - Parameter runner: the build that cannot end before, if a provider asks.
  func claim(for runner: ServiceBuild?) -> ServiceWork? {
    runner?.dependsOnOthers()
    return state.withLock { state in
      guard let work = state.work else { return nil }
      state.work = nil
      state.runner = runner
      return work
    }
  }

  /// Notes the task that runs the provider.
  func run(in task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      if state.outcome == nil { state.task = task }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Tells the provider to stop.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}

/// What a task knows of the build whose asynchronous provider it belongs to.
///
/// ## Concurrency
/// May be used from any thread. Every task that the provider makes inherits it, and may outlive the provider: it holds the
/// build only as long as that runs.
final class ServiceTask: Sendable {
  /// The one that this task belongs to.
  @TaskLocal static var current: ServiceTask?

  private let state: Mutex<ServiceBuild?>

  private init(_ build: ServiceBuild) { state = Mutex(build) }

  /// The build; `nil` once its provider has returned.
  ///
  /// - Complexity: O(1).
  var build: ServiceBuild? { state.withLock { $0 } }

  /// Runs an operation on behalf of a build.
  static func run<Result>(
    for build: ServiceBuild, _ operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    let task = ServiceTask(build)
    defer { task.end() }
    return try await $current.withValue(task, operation: operation)
  }

  private func end() {
    // What it was the last to hold dies outside the lock.
    let build = state.withLock { build in
      defer { build = nil }
      return build
    }
    _ = build
  }
}

/// One step of the path that led to a request: a service and where it was registered.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct ServiceStep: Sendable, Hashable, CustomStringConvertible {
  /// The service.
  public let key: ServiceKey

  /// Where it was registered.
  public let site: SourceSite

  /// The service and the place.
  public var description: String { "\(key) (\(site))" }
}

/// Who was built by what, when and how long.
struct ServiceRecord: Sendable {
  /// A service that the provider asked for.
  struct Dependency: Sendable {
    /// The number of that service's slot.
    let slotID: UInt64
    /// The slot, as long as its set lives.
    let slot: SlotReference
  }

  /// What the provider asked for.
  let dependencies: [Dependency]
  /// Where the service was asked for.
  let askedAt: SourceSite
  /// How long the provider took.
  let duration: Duration
}

/// An object held weakly, and how to make a service of it again.
final class WeakService: Sendable {
  private let reference: OwnerReference
  private let witness: any ServiceWitness.Type

  /// Holds the object; `nil` if the value is not a class instance.
  init?(_ box: ServiceBox, key: ServiceKey) {
    guard let object = box.object, let reference = OwnerReference(object) else { return nil }
    self.reference = reference
    witness = key.witness
  }

  /// Whether somebody holds it.
  var isAlive: Bool { reference.isAlive }

  /// Whether it holds that very object.
  func refers(to box: ServiceBox) -> Bool { box.object.map { reference.refers(to: $0) } ?? false }

  /// The service, as long as somebody holds it.
  var box: ServiceBox? { reference.object.flatMap { witness.box($0) } }
}

/// What is held of an object of the lifetime `weak`, and of what wraps one.
struct WeakLayers: Sendable {
  /// What is given out.
  let outermost: WeakService
  /// What was behind the set and is wrapped, where that is so.
  let inherited: WeakService?

  /// Holds an object, and what was behind the set if it wraps that; `nil` if one of them is not a class instance.
  init?(_ box: ServiceBox, around inherited: ServiceBox?, key: ServiceKey) {
    guard let outermost = WeakService(box, key: key) else { return nil }
    self.outermost = outermost
    self.inherited = inherited.flatMap { WeakService($0, key: key) }
    if inherited != nil, self.inherited == nil { return nil }
  }
}

/// A slot held weakly: what was built with a service of another set must not keep that set's objects.
final class SlotReference: Sendable {
  private let reference: OwnerReference

  /// Holds the slot; `nil` if its set is dying.
  init?(_ slot: ServiceSlot) {
    guard let reference = OwnerReference(slot) else { return nil }
    self.reference = reference
  }

  /// The slot, as long as its set lives.
  var slot: ServiceSlot? { reference.object as? ServiceSlot }
}
