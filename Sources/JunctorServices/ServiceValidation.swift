internal import JunctorCore
internal import Synchronization

/// One look at a set and what is behind it.
struct ServiceValidation {
  /// One registration, as it was when the look began.
  struct Node {
    /// The service.
    let key: ServiceKey
    /// The place of its set, the nearest first.
    let set: Int
    /// The number of its slot.
    let slotID: UInt64
    /// Where it was registered.
    let site: SourceSite
    /// How long its object lives.
    var lifetime: ServiceLifetime
    /// What it is said to need.
    let needs: [ServiceKey]
    /// The numbers of the slots that its provider was given something from.
    let given: [UInt64]
    /// The providers that were registered one over another.
    let duplicates: [(old: SourceSite, new: SourceSite)]
    /// What it is for its set.
    let role: Role
    /// Whether nothing is known of what its provider asks for.
    let isUnseen: Bool
    /// The registrations that its needs lead to.
    var targets: [Int] = []
  }

  /// What a registration is for its set.
  enum Role {
    /// It is found under its key.
    case service
    /// It is a member of a collection.
    case member
    /// It wraps what is found behind the set.
    case wrapper
  }

  private let sets: [Services]
  private let endsInForeign: Bool
  private var nodes: [Node] = []
  // For each set, the registrations by key, and the members by type.
  private var index: [[ServiceKey: Int]] = []
  private var members: [[ObjectIdentifier: [Int]]] = []
  // The wrappers of nothing.
  private var idle: Set<Int> = []
  private var problems: [ServiceProblem] = []

  /// Looks at the registrations.
  init(_ services: Services) {
    sets = AlternateWalk.sets(from: services)
    if case .foreign? = sets.last?.state.withLock({ $0.alternate }) {
      endsInForeign = true
    } else {
      endsInForeign = false
    }
    // Of what exists once per scope or argument the set that keeps it knows more.
    var derived: [UInt64: [ServiceRecord]] = [:]
    for set in sets {
      for (key, entries) in set.state.withLock({ $0.derived }) {
        derived[key.slot, default: []] += entries.compactMap { entry in
          entry.slot.state.withLock { $0.record }
        }
      }
    }
    for (number, set) in sets.enumerated() {
      let slots = set.state.withLock { state in
        (Array(state.slots.values) + state.contributions.values.joined()).sorted { $0.id < $1.id }
      }
      nodes += slots.compactMap { $0.node(set: number, derived[$0.id] ?? []) }
    }
    enter()
  }

  /// Makes the registrations found. What only wraps is entered if there is anything to wrap.
  private mutating func enter() {
    index = Array(repeating: [:], count: sets.count)
    members = Array(repeating: [:], count: sets.count)
    // The farthest set first: a wrapper is what it wraps.
    for number in nodes.indices.sorted(by: { (-nodes[$0].set, $0) < (-nodes[$1].set, $1) }) {
      let node = nodes[number]
      switch node.role {
      case .service: index[node.set][node.key] = number
      case .member: members[node.set][node.key.type, default: []].append(number)
      case .wrapper:
        if let inner = find(node.key, from: node.set + 1) {
          nodes[number].lifetime = nodes[inner].lifetime
          nodes[number].targets = [inner]
          index[node.set][node.key] = number
        } else if !endsInForeign, collection(node.key, from: node.set).isEmpty {
          idle.insert(number)
        }
      }
    }
  }

  /// Looks for problems.
  mutating func run(roots: [ServiceKey]) -> [ServiceProblem] {
    var slots: [UInt64: Int] = [:]
    for number in nodes.indices { slots[nodes[number].slotID] = number }
    for number in nodes.indices where !idle.contains(number) {
      for (old, new) in nodes[number].duplicates {
        add(
          .duplicate, number,
          "Can't keep two providers of '\(nodes[number].key)' in '\(setName(number))': \(new) replaces \(old). "
            + "Take one out, name one, or say 'override'.", [new, old])
      }
      for need in nodes[number].needs { follow(need, of: number) }
      // What it was given was there; it may have been taken out since, and no longer matters then.
      nodes[number].targets += nodes[number].given.compactMap { slots[$0] }
    }
    findCycles()
    for number in nodes.indices { findCaptives(of: number) }
    if !roots.isEmpty { findUnused(roots) }
    return problems
  }

  /// The registrations of whose needs nothing is known.
  var unseen: [ServiceStep] {
    nodes.filter(\.isUnseen).map { ServiceStep(key: $0.key, site: $0.site) }
  }

  private mutating func add(
    _ code: ServiceProblem.Code, _ number: Int, _ message: String, _ sites: [SourceSite]
  ) {
    problems.append(
      ServiceProblem(code: code, message: message, key: nodes[number].key, sites: sites))
  }

  private func setName(_ number: Int) -> String { sets[nodes[number].set].name }

  // MARK: Needs

  /// The registration that a key leads to from a set.
  private func find(_ key: ServiceKey, from set: Int) -> Int? {
    for number in set..<max(set, sets.count) {
      if let found = index[number][key] { return found }
    }
    return nil
  }

  /// The members of a type that a set gives.
  private func collection(_ key: ServiceKey, from set: Int) -> [Int] {
    if key.name != nil { return [] }
    return (set..<max(set, sets.count)).flatMap { members[$0][key.type] ?? [] }
  }

  /// All that may be meant by a key that is asked for from a set: the service, the members of its type, or what is made for
  /// an argument.
  private func targets(of key: ServiceKey, from set: Int) -> [Int] {
    let found = (find(key, from: set).map { [$0] } ?? []) + collection(key, from: set)
    if !found.isEmpty { return found }
    for number in set..<sets.count {
      let made = index[number].filter { $0.key.type == key.type && $0.key.name == key.name }
      if !made.isEmpty { return made.values.sorted() }
    }
    return []
  }

  /// The set that a provider is given, as far as the set that is validated can tell; `nil` if only a set with its scope
  /// can.
  private func home(of node: Node) -> Int? {
    switch node.lifetime.kind {
    case .cached, .transient, .weak: node.set
    case .callerScope: 0
    case .scoped(let scope): carrier(of: scope, from: 0, to: node.set)
    }
  }

  /// The nearest set that carries a scope.
  private func carrier(of scope: ServiceScope, from first: Int, to last: Int) -> Int? {
    guard first <= last else { return nil }
    return (first...last).first { sets[$0].scope == scope }
  }

  private mutating func follow(_ need: ServiceKey, of number: Int) {
    let node = nodes[number]
    // A wrapper is made where it was registered, whatever it wraps.
    let home = node.role == .wrapper ? node.set : home(of: node)
    let found = targets(of: need, from: home ?? node.set)
    if !found.isEmpty {
      nodes[number].targets += found
      return
    }
    // What another container has cannot be known without asking it, nor what a set of that scope will have.
    if endsInForeign || home == nil { return }
    let names = names(of: need, from: home ?? node.set)
    if need.name == nil, names.count > 1 {
      let list = names.map { "'\($0)'" }.joined(separator: ", ")
      add(
        .ambiguous, number,
        "Can't tell which '\(need)' '\(node.key)' needs: there are \(list). Say the name in its needs and its provider.",
        [node.site])
    } else {
      let hint = names.first.map { " There is one named '\($0)'." } ?? ""
      add(
        .missing, number,
        "Can't provide '\(node.key)': it needs '\(need)', which nobody provides.\(hint) "
          + "Register it in '\(setName(number))' or behind it.", [node.site])
    }
  }

  /// The names under which there is something of a key's type.
  private func names(of key: ServiceKey, from set: Int) -> [String] {
    let names = (set..<sets.count).flatMap { index[$0].keys }
      .filter { $0.type == key.type && $0.argument == nil }
      .compactMap { $0.name?.rawValue }
    return Set(names).sorted()
  }

  // MARK: Rings and captives

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

  /// Reports what a cached or scoped service holds although it lives shorter, also by way of transients.
  private mutating func findCaptives(of number: Int) {
    let holder = nodes[number]
    let place: String
    switch holder.lifetime.kind {
    case .cached: place = "is cached in '\(setName(number))'"
    case .scoped(let scope): place = "lives in the scope '\(scope)'"
    case .transient, .callerScope, .weak: return
    }
    // Of a set with its scope that is not there nothing is known. A wrapper is made where it was registered.
    guard let home = holder.role == .wrapper ? holder.set : home(of: holder) else { return }
    var seen: Set<Int> = [number]
    // With each registration the set that it is asked of.
    var open = holder.targets.map { (target: $0, asked: home) }
    while let (target, asked) = open.popLast() {
      guard seen.insert(target).inserted else { continue }
      let node = nodes[target]
      switch node.lifetime.kind {
      case .scoped(let scope):
        // In a set that carries the scope itself, or has one behind it, the two live equally long.
        if carrier(of: scope, from: asked, to: node.set) != nil { continue }
        add(
          .captive, number,
          "Can't let '\(holder.key)' hold '\(node.key)': it \(place), and what it holds lives in the scope "
            + "'\(scope)'. Scope it as well, or ask when it is used.", [holder.site, node.site])
      case .transient: open += node.targets.map { ($0, node.set) }
      case .callerScope: open += node.targets.map { ($0, asked) }
      case .cached, .weak: break
      }
    }
  }

  // MARK: Roots

  private mutating func findUnused(_ roots: [ServiceKey]) {
    var used: Set<Int> = []
    var open: [Int] = []
    for root in roots {
      let found = targets(of: root, from: 0)
      open += found
      if !found.isEmpty || endsInForeign { continue }
      problems.append(
        ServiceProblem(
          code: .missing,
          message: "Can't provide '\(root)': it is named as a root, and nobody provides it. "
            + "Register it in '\(sets[0].name)' or behind it.", key: root, sites: [sets[0].site]))
    }
    open += nodes.indices.filter { nodes[$0].role == .member }
    while let number = open.popLast() {
      if used.insert(number).inserted { open += nodes[number].targets }
    }
    let silent = used.sorted().filter { nodes[$0].isUnseen }.map { "'\(nodes[$0].key)'" }
    var hint = silent.prefix(3).joined(separator: ", ")
    if silent.count > 3 { hint += " and \(silent.count - 3) more" }
    if !hint.isEmpty { hint = " No needs are known of \(hint)." }
    for number in nodes.indices where !used.contains(number) && !isMembersWrapper(number) {
      add(
        .unused, number,
        "Can't see who needs '\(nodes[number].key)' of '\(setName(number))': no root does. "
          + "Take it out, or name it among the roots or the needs of who asks for it.\(hint)",
        [nodes[number].site])
    }
  }

  /// Whether nothing but members of a collection is wrapped by a registration.
  private func isMembersWrapper(_ number: Int) -> Bool {
    nodes[number].role == .wrapper && index[nodes[number].set][nodes[number].key] == nil
      && !idle.contains(number)
  }
}

extension ServiceSlot {
  /// The registration, as validating sees it; `nil` if there is none.
  fileprivate func node(set: Int, _ derived: [ServiceRecord]) -> ServiceValidation.Node? {
    let (definition, decorators, duplicates, record) = state.withLock { machine in
      (machine.definition, machine.decorators, machine.duplicates, machine.record)
    }
    let records = derived + (record.map { [$0] } ?? [])
    // A decorator that names the type it wraps means the one that it is given.
    let wrapping = decorators.flatMap(\.needs).filter { $0 != key }
    guard let definition else {
      guard let first = decorators.first else { return nil }
      return ServiceValidation.Node(
        key: key, set: set, slotID: id, site: first.site, lifetime: .cached, needs: wrapping,
        given: [], duplicates: [], role: .wrapper, isUnseen: false)
    }
    let isUnseen: Bool
    switch definition.source {
    case .sync, .async, .main: isUnseen = definition.needs.isEmpty && records.isEmpty
    case .value, .alias, .spent: isUnseen = false
    }
    return ServiceValidation.Node(
      key: key, set: set, slotID: id, site: definition.site, lifetime: definition.lifetime,
      needs: definition.needs + wrapping, given: records.flatMap { $0.dependencies.map(\.slotID) },
      duplicates: duplicates, role: definition.verb == .contribute ? .member : .service,
      isUnseen: isUnseen)
  }
}
