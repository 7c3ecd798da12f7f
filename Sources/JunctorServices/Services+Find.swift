internal import CJunctorServices
internal import JunctorCore
internal import Synchronization

// MARK: - The slow way

extension Services {
  /// Gives a service from this set or from what is behind it.
  ///
  /// - Throws: `ServiceError`.
  func find(_ request: ServiceRequest) throws -> ServiceBox? {
    var search = ServiceSearch(request, from: self)
    var found: ServiceBox?
    var keeping = ServiceKeeping.bySet
    while found == nil, let place = try search.next() {
      switch place {
      case .slot(let slot, let set):
        switch try slot.obtain(in: set, request) {
        case .found(let box):
          found = box
          keeping = search.hasWrappers ? slot.keeping : .bySet
        case .wraps: search.passWrapper(slot, of: set)
        case .absent, .nothing: break
        }
      case .foreign(let provider, let set):
        found = try set.ask(provider, request)
        if found == nil { return nil }
      }
    }
    while let inner = found, let (slot, set) = search.nextWrapper() {
      found = try slot.decorated(inner, keeping, in: set, request)
    }
    return found
  }

  /// Gives a service from this set or from what is behind it; asynchronous providers may run.
  ///
  /// - Throws: `ServiceError`, or `CancellationError`.
  func findAwaiting(_ request: ServiceRequest) async throws -> ServiceBox? {
    var search = ServiceSearch(request, from: self)
    var found: ServiceBox?
    var keeping = ServiceKeeping.bySet
    while found == nil, let place = try search.next() {
      switch place {
      case .slot(let slot, let set):
        switch try await slot.obtainAwaiting(in: set, request) {
        case .found(let box):
          found = box
          keeping = search.hasWrappers ? slot.keeping : .bySet
        case .wraps: search.passWrapper(slot, of: set)
        case .absent, .nothing: break
        }
      case .foreign(let provider, let set):
        found = try set.ask(provider, request)
        if found == nil { return nil }
      }
    }
    while let inner = found, let (slot, set) = search.nextWrapper() {
      found = try await slot.decoratedAwaiting(inner, keeping, in: set, request)
    }
    return found
  }

  /// Gives a service from what is behind this set.
  func findBehind(_ request: ServiceRequest) throws -> ServiceBox? {
    let (phase, alternate) = state.withLock { ($0.phase, $0.alternate) }
    if phase != .open { throw ServiceError.closed(request.key, set: self, askedAt: request.site) }
    switch alternate {
    case .none: return nil
    case .set(let set): return try set.find(request)
    case .foreign(let provider): return try ask(provider, request)
    }
  }

  /// The slot under a key, if there ever was anything.
  func slot(_ key: ServiceKey) -> ServiceSlot? {
    let (type, name) = key.numbers
    // SAFETY: cells and slots live as long as the set.
    guard let cell = unsafe junctor_set_find(core, type, name) else { return nil }
    let slot = unsafe Unmanaged<ServiceSlot>.fromOpaque(cell.pointee.slot).takeUnretainedValue()
    // Two names may share a number; the dictionary does not confuse them.
    return slot.key == key ? slot : state.withLock { $0.slots[key] }
  }
}

/// The way of one request from set to set.
private struct ServiceSearch {
  /// Where there may be an answer.
  enum Place {
    /// A slot of a set.
    case slot(ServiceSlot, Services)
    /// A container of another make, behind a set.
    case foreign(any ServicesProvider, Services)
  }

  private let request: ServiceRequest
  private var walk: AlternateWalk
  // What comes next, or after whom to look for it: a provider may have changed the alternate when it had nothing.
  private var upcoming: Services?
  private var last: Services?
  // Who wraps what will be found, the outermost first. A list, since there may be one in each of very many sets.
  private var wrappers: [(slot: ServiceSlot, set: Services)] = []
  private var passed: Set<UInt64> = []

  /// Starts at a set.
  init(_ request: ServiceRequest, from set: Services) {
    self.request = request
    upcoming = set
    walk = AlternateWalk(set)
  }

  /// Notes who wraps what will be found; in a ring one may come by again.
  mutating func passWrapper(_ slot: ServiceSlot, of set: Services) {
    if passed.insert(slot.id).inserted { wrappers.append((slot, set)) }
  }

  /// Whether what will be found is to be wrapped.
  var hasWrappers: Bool { !wrappers.isEmpty }

  /// Who wraps next what was found; `nil` when all have.
  mutating func nextWrapper() -> (slot: ServiceSlot, set: Services)? { wrappers.popLast() }

  /// The next place; `nil` where the sets end.
  ///
  /// - Throws: `ServiceError` of the code `closed`.
  mutating func next() throws -> Place? {
    while true {
      if upcoming == nil {
        guard let set = last else { return nil }
        last = nil
        // What closes lets its alternate go; that nobody else has it is not what the asker shall hear.
        if set.isShut { throw ServiceError.closed(request.key, set: set, askedAt: request.site) }
        if case .foreign(let provider) = set.state.withLock({ $0.alternate }) {
          return .foreign(provider, set)
        }
        upcoming = walk.next()
        if walk.isRing { set.reportRing() }
      }
      guard let set = upcoming else { return nil }
      upcoming = nil
      last = set
      if set.isShut { throw ServiceError.closed(request.key, set: set, askedAt: request.site) }
      if let slot = set.slot(request.key) { return .slot(slot, set) }
    }
  }
}

// MARK: - Containers of another make

extension Services {
  /// Asks a container of another make, unless it is being asked the same already by way of itself.
  func ask(_ provider: any ServicesProvider, _ request: ServiceRequest) throws -> ServiceBox? {
    // It is asked by type and name alone: what it has was not made for that argument.
    if request.argument != nil { return nil }
    let outer = ForeignQuestion.running
    if let ring = outer?.ring(with: self, request.key) {
      Services.reportRing(ring)
      return nil
    }
    let step = ServiceStep(key: request.key, site: site)
    let question = ForeignQuestion(self, request.key, inside: outer)
    defer { question.end() }
    if question.depth > ServiceContext.maximalDepth {
      throw ServiceError.tooDeep(step, depth: question.depth)
    }
    return try ForeignQuestion.$current.withValue(question) {
      if junctor_stack_left() >= ServiceStack.reserve {
        return try request.key.witness.ask(provider, name: request.key.name)
      }
      if request.ability == .mainActor { throw ServiceError.noStack(step, isOnMainActor: true) }
      // SAFETY: the record is this thread's own, which waits meanwhile, so that its frames stay.
      let frame = unsafe junctor_reader_record().pointee.frame
      return try unsafe ServiceStack.run(frame: frame, step: step) {
        try request.key.witness.ask(provider, name: request.key.name)
      }
    }
  }
}

/// Something that a container of another make is being asked for.
///
/// ## Concurrency
/// May be used from any thread. Every task that the container makes inherits it, and may outlive the question: it holds the
/// set, and the question that this one came about by, only until there is an answer.
final class ForeignQuestion: Sendable {
  /// What holds something, until there is an answer.
  private struct State {
    /// The set that asks.
    let set: Services
    /// The question by which this one came about.
    let outer: ForeignQuestion?
  }

  /// The innermost one on this thread or in this task, which may have been answered.
  @TaskLocal static var current: ForeignQuestion?

  /// How many questions are inside one another, this one included.
  let depth: Int
  private let key: ServiceKey
  private let state: Mutex<State?>

  /// Notes that a set asks for something.
  init(_ set: Services, _ key: ServiceKey, inside outer: ForeignQuestion?) {
    self.key = key
    depth = (outer?.depth ?? 0) + 1
    state = Mutex(State(set: set, outer: outer))
  }

  /// The innermost one that has no answer yet: a task that outlives its question asks on nobody's behalf.
  static var running: ForeignQuestion? {
    guard let question = current, question.state.withLock({ $0 != nil }) else { return nil }
    return question
  }

  /// The sets that ask one another in a ring, if this set asked for that key now.
  ///
  /// - Complexity: O(questions inside one another); far down in one of 64 calls alone.
  func ring(with set: Services, _ key: ServiceKey) -> [Services]? {
    // A ring comes round again, and looking at every question each time is quadratic.
    if depth > 256, !depth.isMultiple(of: 64) { return nil }
    var members: [Services] = []
    var next: ForeignQuestion? = self
    while let question = next, let state = question.state.withLock({ $0 }) {
      members.append(state.set)
      if state.set === set, question.key == key { return members }
      next = state.outer
    }
    return nil
  }

  /// Notes that there is an answer.
  func end() {
    // What it was the last to hold dies outside the lock.
    let state = state.withLock { state in
      defer { state = nil }
      return state
    }
    _ = state
  }
}
