internal import JunctorCore
internal import Synchronization

// MARK: - Validating

extension Services {
  /// Checks this set and what is behind it, and throws all problems in one report.
  ///
  /// No provider runs. What a service needs is known from the `needs` of its registration, from those of its
  /// decorators, and from what its provider asked for if it has run.
  ///
  /// - Parameter roots: what the application asks for itself. If there are any, services that none of them needs are
  ///   reported as unused.
  /// - Throws: `ServiceError` of the code `invalid`, whose text has all problems.
  /// - Complexity: O(registrations + needs).
  public func validate(roots: [ServiceKey] = []) throws {
    let problems = problems(roots: roots)
    if !problems.isEmpty { throw ServiceError.invalid(self, problems) }
  }

  /// Checks this set and what is behind it, without running a provider.
  ///
  /// - Parameter roots: what the application asks for itself. If there are any, services that none of them needs are
  ///   reported as unused.
  /// - Returns: the problems, in the order of registration, nearest set first.
  /// - Complexity: O(registrations + needs).
  public func problems(roots: [ServiceKey] = []) -> [ServiceProblem] {
    var validation = ServiceValidation(self)
    return validation.run(roots: roots)
  }
}

/// One look at a set and what is behind it.
struct ServiceValidation {
  /// One registration, as it was when the look began.
  struct Node {
    /// The service.
    let key: ServiceKey
    /// The place of its set, the nearest first.
    let set: Int
    /// Where it was registered.
    let site: SourceSite
    /// How long its object lives.
    let lifetime: ServiceLifetime
    /// What it needs.
    let needs: [ServiceKey]
    /// The providers that were registered one over another.
    let duplicates: [(old: SourceSite, new: SourceSite)]
    /// Whether it is a member of a collection.
    let isContribution: Bool
    /// The registrations that its needs lead to.
    var targets: [Int] = []
  }

  private let sets: [Services]
  private let endsInForeign: Bool
  private var nodes: [Node] = []
  // For each set, the registrations by key.
  private var index: [[ServiceKey: Int]] = []
  private var problems: [ServiceProblem] = []

  /// Looks at the registrations.
  init(_ services: Services) {
    sets = AlternateWalk.sets(from: services)
    if case .foreign? = sets.last?.state.withLock({ $0.alternate }) {
      endsInForeign = true
    } else {
      endsInForeign = false
    }
    for (number, set) in sets.enumerated() {
      var keys: [ServiceKey: Int] = [:]
      let slots = set.state.withLock { state in
        (Array(state.slots.values) + state.contributions.values.joined()).sorted { $0.id < $1.id }
      }
      for slot in slots {
        guard let node = slot.node(set: number) else { continue }
        if !node.isContribution { keys[node.key] = nodes.count }
        nodes.append(node)
      }
      index.append(keys)
    }
  }

  /// Looks for problems.
  mutating func run(roots: [ServiceKey]) -> [ServiceProblem] {
    for number in nodes.indices {
      for (old, new) in nodes[number].duplicates {
        add(
          .duplicate, number,
          "Can't keep two providers of '\(nodes[number].key)' in '\(setName(number))': \(new) replaces \(old). "
            + "Take one out, name one, or say 'override'.", [new, old])
      }
      for need in nodes[number].needs { follow(need, of: number) }
    }
    findCycles()
    for number in nodes.indices { findCaptives(of: number) }
    if !roots.isEmpty { findUnused(roots) }
    return problems
  }

  private mutating func add(
    _ code: ServiceProblem.Code, _ number: Int, _ message: String, _ sites: [SourceSite]
  ) {
    problems.append(
      ServiceProblem(code: code, message: message, key: nodes[number].key, sites: sites))
  }

  private func setName(_ number: Int) -> String { sets[nodes[number].set].name }

  /// The registration that a key leads to from a set.
  private func find(_ key: ServiceKey, from set: Int) -> Int? {
    for number in set..<sets.count {
      if let found = index[number][key] { return found }
    }
    return nil
  }

  private mutating func follow(_ need: ServiceKey, of number: Int) {
    let node = nodes[number]
    if let target = find(need, from: node.set) {
      nodes[number].targets.append(target)
      return
    }
    // What another container has cannot be known without asking it.
    if endsInForeign { return }
    let names = (node.set..<sets.count).flatMap { index[$0].keys }
      .filter { $0.type == need.type && $0.argument == nil }
      .compactMap { $0.name?.rawValue }
    let unique = Set(names).sorted()
    if need.name == nil, unique.count > 1 {
      let list = unique.map { "'\($0)'" }.joined(separator: ", ")
      add(
        .ambiguous, number,
        "Can't tell which '\(need)' '\(node.key)' needs: there are \(list). Say the name in its needs and its provider.",
        [node.site])
    } else {
      let hint = unique.first.map { " There is one named '\($0)'." } ?? ""
      add(
        .missing, number,
        "Can't provide '\(node.key)': it needs '\(need)', which nobody provides.\(hint) "
          + "Register it in '\(setName(number))' or behind it.", [node.site])
    }
  }

  /// Reports each ring once.
  private mutating func findCycles() {
    enum Mark { case new, open, done }
    var marks = Array(repeating: Mark.new, count: nodes.count)
    for start in nodes.indices where marks[start] == .new {
      // A walk with a stack of its own: chains may be long.
      var path: [(node: Int, next: Int)] = [(start, 0)]
      marks[start] = .open
      while let (node, next) = path.last {
        guard next < nodes[node].targets.count else {
          marks[node] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let target = nodes[node].targets[next]
        switch marks[target] {
        case .done: break
        case .new:
          marks[target] = .open
          path.append((target, 0))
        case .open:
          guard let first = path.firstIndex(where: { $0.node == target }) else { break }
          let ring = path[first...].map(\.node)
          let steps = ring.map { "\(nodes[$0].key) (\(nodes[$0].site))" }
          add(
            .cycle, target,
            "Can't provide '\(nodes[target].key)': it needs itself: \(steps.joined(separator: " → ")) → "
              + "\(nodes[target].key). Give one of them what it needs later.",
            ring.map { nodes[$0].site })
        }
      }
    }
  }

  /// Reports what a cached service holds although it lives shorter, also by way of transients.
  private mutating func findCaptives(of number: Int) {
    guard nodes[number].lifetime == .cached else { return }
    var seen: Set<Int> = [number]
    var open = nodes[number].targets
    while let target = open.popLast() {
      guard seen.insert(target).inserted else { continue }
      switch nodes[target].lifetime.kind {
      case .scoped(let scope):
        add(
          .captive, number,
          "Can't let '\(nodes[number].key)' hold '\(nodes[target].key)': it is cached in '\(setName(number))', and "
            + "what it holds lives in the scope '\(scope)'. Scope it as well, or ask when it is used.",
          [nodes[number].site, nodes[target].site])
      case .transient, .callerScope: open += nodes[target].targets
      case .cached, .weak: break
      }
    }
  }

  private mutating func findUnused(_ roots: [ServiceKey]) {
    var used: Set<Int> = []
    var open = roots.compactMap { find($0, from: 0) }
    open += nodes.indices.filter { nodes[$0].isContribution }
    while let number = open.popLast() {
      if used.insert(number).inserted { open += nodes[number].targets }
    }
    for number in nodes.indices where !used.contains(number) {
      add(
        .unused, number,
        "Can't see who needs '\(nodes[number].key)' of '\(setName(number))': no root does. "
          + "Take it out, or name it among the roots or the needs of who asks for it.",
        [nodes[number].site])
    }
  }
}

extension ServiceSlot {
  /// The registration, as validating sees it; `nil` if there is none.
  fileprivate func node(set: Int) -> ServiceValidation.Node? {
    let (machine, dependencies) = state.withLock { machine in
      (
        (machine.definition, machine.decorators, machine.duplicates),
        machine.record?.dependencies ?? []
      )
    }
    guard let definition = machine.0 else { return nil }
    var needs = definition.needs
    // A decorator that names the type it wraps means the one that it is given.
    for decorator in machine.1 { needs += decorator.needs.filter { $0 != key } }
    for dependency in dependencies {
      if let other = dependency.slot.slot?.key, !needs.contains(other) { needs.append(other) }
    }
    return ServiceValidation.Node(
      key: key, set: set, site: definition.site, lifetime: definition.lifetime, needs: needs,
      duplicates: machine.2, isContribution: definition.verb == .contribute)
  }
}
