import JunctorCore
import JunctorTesting
import Synchronization

@testable import JunctorServices

/// What there is to a driver, whatever its services' type.
protocol ModelDriving: Actor {
  var failure: String? { get }
  func run(_ steps: Int) async
  func closeOwn(_ order: [Int]) async
  func compareClosed(_ index: Int)
}

/// Does random things to sets and to their model, and compares what comes of it.
///
/// Its services are of types of its own, so that several drivers may work on the same sets at once, each with a model of its
/// own: the sets with a number below `shared` belong to all, and are neither closed nor put behind another.
actor ModelDriver<Tag: Sendable>: ModelDriving {
  /// The sets, and what they shall do.
  private var sets: [Services]
  let model: Reference
  private let shared: Int
  private var random: SplitMix
  /// What providers and services tell.
  let ledger = Ledger()
  /// What is kept alive.
  var held: [Number?] = Array(repeating: nil, count: 8)
  private var step = 0

  /// What went wrong first.
  private(set) var failure: String?

  /// What providers and services tell.
  final class Ledger: Sendable {
    let runs = Counter()
    let closed = Mutex<[Int]>([])
  }

  /// A service.
  final class Number: ServiceClosing {
    let value: Int
    private let ledger: Ledger

    init(_ value: Int, _ ledger: Ledger) {
      self.value = value
      self.ledger = ledger
    }

    func close() async throws { ledger.closed.withLock { $0.append(value) } }
  }

  init(_ shared: [Services], count: Int, seed: UInt64) {
    var sets = shared
    var model = (0..<count).map {
      Reference.Set(alternate: $0 == 0 ? nil : $0 - 1, isScope: $0 % 2 == 1)
    }
    for index in shared.count..<count { sets.append(ModelDriver.make(index)) }
    for index in 1..<count where index >= shared.count {
      sets[index].alternateServices = sets[index - 1]
    }
    for index in shared.indices { model[index].alternate = index == 0 ? nil : index - 1 }
    self.sets = sets
    self.model = Reference(model)
    self.model.held = Array(repeating: nil, count: held.count)
    self.shared = shared.count
    random = SplitMix(seed: seed)
  }

  /// An empty set of that number.
  static func make(_ index: Int) -> Services {
    Services("\(index)", scope: index % 2 == 1 ? "odd" : nil)
  }

  /// The set of that number.
  func set(_ index: Int) -> Services { sets[index] }

  /// A random number below a bound.
  func next(_ bound: Int) -> Int { random.next(below: bound) }

  /// The name that a key stands for.
  func name(_ key: Int) -> ServiceName? { key == 0 ? nil : ServiceName("\(key)") }

  /// Notes what went wrong, if it is the first thing.
  func fail(_ what: String) {
    if failure == nil { failure = "step \(step): \(what)" }
  }

  // MARK: Steps

  /// Does so many things.
  func run(_ steps: Int) async {
    // Failures behind subscripts and use after closing are reported; the answers tell.
    await Junctor.withDiagnostics({ _ in }) {
      for _ in 0..<steps where failure == nil {
        step += 1
        await doSomething()
      }
    }
    if failure != nil { return }
    if ledger.runs.value != model.runs {
      fail("\(ledger.runs.value) runs instead of \(model.runs)")
    }
  }

  private func doSomething() async {
    let index = next(model.sets.count)
    let key = next(6)
    switch next(40) {
    case 0...7: register(key, in: index)
    case 8: registerWithArgument(key, in: index)
    case 9: remove(key, in: index)
    case 10, 11: decorate(key, in: index)
    case 12: contribute(in: index)
    case 13, 14: changeAlternate(of: index)
    case 15 where next(4) == 0: await close(index)
    case 16: reopen()
    case 17: await crowd(key, in: index)
    case 18, 19: await lookWithArgument(key, in: index)
    case 20, 21: await lookAtAll(in: index)
    default: await look(key, in: index)
    }
  }

  /// Whether what is under a key is now and then weak; then it is never asynchronous, since tasks let go when they like.
  func isWeak(_ key: Int) -> Bool { key >= 4 }

  private func register(_ key: Int, in index: Int) {
    let set = set(index)
    if next(4) == 0 {
      let value = Number(-step, ledger)
      set.set(Number.self, name: name(key), to: value)
      return model.register(.init(.value(value.value)), key, in: index)
    }
    if next(6) == 0, key < 3 {
      let target = key + 1 + next(3 - key)
      set.alias(Number.self, name: name(key), to: Number.self, named: name(target)) { $0 }
      return model.register(.init(.alias(target), .transient), key, in: index)
    }
    let behaviour = Reference.Behaviour.allCases[next(3)]
    let life = life(key)
    let entry = Reference.Entry(.provider(behaviour), life, isAsync: !isWeak(key) && next(3) == 0)
    if entry.isAsync {
      set.override(
        Number.self, name: name(key), lifetime: lifetime(life), asyncProvider(behaviour))
    } else {
      set.override(Number.self, name: name(key), lifetime: lifetime(life), provider(behaviour))
    }
    model.register(entry, key, in: index)
  }

  private func life(_ key: Int) -> Reference.Life {
    let lives: [Reference.Life] = [.cached, .cached, .transient, .callerScope, .scoped]
    return isWeak(key) && next(2) == 0 ? .weak : lives[next(lives.count)]
  }

  private func lifetime(_ life: Reference.Life) -> ServiceLifetime {
    switch life {
    case .cached: .cached
    case .transient: .transient
    case .callerScope: .callerScope
    case .weak: .weak
    case .scoped: .scoped("odd")
    }
  }

  private func provider(
    _ behaviour: Reference.Behaviour
  ) -> @Sendable (Services) throws -> Number? {
    let make = make(behaviour)
    return { services in try make(services) }
  }

  private func asyncProvider(
    _ behaviour: Reference.Behaviour
  ) -> @Sendable (Services) async throws -> Number? {
    let make = make(behaviour)
    let pauses = next(3)
    return { services in
      for _ in 0..<pauses { await Task.yield() }
      return try make(services)
    }
  }

  /// What a provider of that behaviour does, asynchronous or not.
  func make(
    _ behaviour: Reference.Behaviour
  ) -> @Sendable (Services) throws -> Number? {
    let ownRuns = Counter()
    return { [ledger] services in
      let run = ledger.runs.next()
      let isFirst = ownRuns.next() == 1
      if behaviour == .givesNothing { return nil }
      if behaviour == .throwsFirst, isFirst { throw Trouble() }
      return Number(run * 8 + (Int(services.name) ?? 0), ledger)
    }
  }

  private func registerWithArgument(_ key: Int, in index: Int) {
    let behaviour = Reference.Behaviour.allCases[next(3)]
    let life = life(key)
    let isAsync = !isWeak(key) && next(3) == 0
    let make = make(behaviour)
    if isAsync {
      set(index).override(
        Number.self, name: name(key), argument: Int.self, lifetime: lifetime(life)
      ) { services, _ in
        await Task.yield()
        return try make(services)
      }
    } else {
      set(index).override(
        Number.self, name: name(key), argument: Int.self, lifetime: lifetime(life)
      ) { services, _ in try make(services) }
    }
    if model.sets[index].isClosed { return }
    model.sets[index].arguments[key] = .init(.provider(behaviour), life, isAsync: isAsync)
  }

  private func remove(_ key: Int, in index: Int) {
    if next(3) == 0 {
      set(index).remove(Number.self, name: name(key), argument: Int.self)
      model.sets[index].arguments[key] = nil
    } else {
      set(index).remove(Number.self, name: name(key))
      model.register(nil, key, in: index)
    }
  }

  private func decorate(_ key: Int, in index: Int) {
    guard (model.sets[index].decorators[key] ?? []).count < 3 else { return }
    let decorator = Reference.Decorator(number: step, isAsync: !isWeak(key) && next(3) == 0)
    let wrap: @Sendable (Number) -> Number = { [ledger] inner in
      Number(Reference.wrap(inner.value, decorator.number), ledger)
    }
    if decorator.isAsync {
      set(index).decorate(Number.self, name: name(key)) { inner, _ in
        await Task.yield()
        return wrap(inner)
      }
    } else {
      set(index).decorate(Number.self, name: name(key)) { inner, _ in wrap(inner) }
    }
    if model.sets[index].isClosed { return }
    model.sets[index].decorators[key, default: []].append(decorator)
  }

  private func contribute(in index: Int) {
    guard model.sets[index].members.count < 3 else { return }
    let behaviour = Reference.Behaviour.allCases[next(3)]
    let life: Reference.Life = [.cached, .cached, .transient, .scoped][next(4)]
    let (isAsync, priority) = (next(3) == 0, next(3))
    if isAsync {
      set(index).contribute(
        Number.self, priority: priority, lifetime: lifetime(life), asyncProvider(behaviour))
    } else {
      set(index).contribute(
        Number.self, priority: priority, lifetime: lifetime(life), provider(behaviour))
    }
    let entry = Reference.Entry(.provider(behaviour), life, isAsync: isAsync)
    model.contribute(.init(entry: entry, priority: priority), in: index)
  }

  private func changeAlternate(of index: Int) {
    guard index >= shared, index > 0, !model.sets[index].isClosed else { return }
    let alternate = next(4) == 0 ? nil : next(index)
    set(index).alternateServices = alternate.map { set($0) }
    model.sets[index].alternate = alternate
  }

  // MARK: Closing

  private func close(_ index: Int) async {
    guard index >= shared else { return }
    await finish(set(index), index)
  }

  /// Closes the sets that are this driver's own, in that order.
  func closeOwn(_ order: [Int]) async {
    for index in order where index >= shared && failure == nil { await finish(set(index), index) }
  }

  private func finish(_ set: Services, _ index: Int) async {
    do { try await set.close() } catch { fail("closing \(index) failed: \(error)") }
    compareClosed(index)
  }

  /// Compares what a set that has been closed made of this driver's objects.
  func compareClosed(_ index: Int) {
    let expected = model.close(index)
    let found = ledger.closed.withLock { list in
      defer { list = [] }
      return list
    }
    if found != expected { fail("closing \(index) closed \(found) instead of \(expected)") }
    if !set(index).isClosed { fail("\(index) is not closed") }
  }

  /// Puts a new set in the place of one that is closed.
  private func reopen() {
    guard let index = model.sets.firstIndex(where: \.isClosed) else { return }
    let new = Self.make(index)
    model.sets[index] = .init(alternate: index == 0 ? nil : next(index), isScope: index % 2 == 1)
    new.alternateServices = model.sets[index].alternate.map { set($0) }
    sets[index] = new
    for front in model.sets.indices where model.sets[front].alternate == index {
      set(front).alternateServices = new
    }
  }
}
