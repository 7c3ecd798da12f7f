/// What sets of services shall do, as plainly as it can be said: an object is a number, and nothing happens at once.
///
/// Names are numbers, too. A set stands only in front of those with a smaller number, so that there are no rings.
final class Reference {
  /// What a provider does.
  enum Behaviour: CaseIterable { case gives, givesNothing, throwsFirst }
  /// How long an object lives.
  enum Life { case cached, transient, callerScope, weak, scoped }
  /// Where an object comes from.
  enum Source { case value(Int), provider(Behaviour), alias(Int) }
  /// What somebody gets.
  enum Answer: Equatable { case number(Int), nothing, failure }

  /// What wraps an object.
  struct Decorator {
    let number: Int
    let isAsync: Bool
  }

  /// The scope and the argument that an object exists once for.
  struct Place: Hashable {
    var scope: Int?
    var argument: Int?
  }

  /// An object: which one it is, is when it came about.
  struct Object {
    let time: Int
    let value: Int
  }

  /// An object as it is given out.
  struct Layers {
    /// The outermost wrapper.
    var object: Object
    /// How many decorators have had their turn.
    var applied = 0
  }

  /// What a look-up comes to.
  private enum Outcome { case object(Object), nothing, failure }

  /// One registration.
  final class Entry {
    let source: Source
    let life: Life
    let isAsync: Bool
    var runs = 0
    var kept: [Place: Layers] = [:]

    init(_ source: Source, _ life: Life = .cached, isAsync: Bool = false) {
      self.source = source
      self.life = life
      self.isAsync = isAsync
    }
  }

  /// A member of a collection.
  struct Member {
    let entry: Entry
    let priority: Int
  }

  /// What a set made of an object from behind it.
  struct Wrapper {
    let inner: Object
    var layers: Layers
    var made: [Object] = []

    init(_ inner: Object) {
      self.inner = inner
      layers = Layers(object: inner)
    }
  }

  /// One set.
  struct Set {
    var alternate: Int?
    var isScope: Bool
    var isClosed = false
    var entries: [Int: Entry] = [:]
    var arguments: [Int: Entry] = [:]
    var decorators: [Int: [Decorator]] = [:]
    var members: [Member] = []
    var wrappers: [Int: Wrapper] = [:]
    var memberWrappers: [Int: Wrapper] = [:]
    /// What the set has made and tears down.
    var made: [Object] = []
  }

  var sets: [Set]
  /// How often a provider has run.
  var runs = 0
  /// What the driver holds.
  var held: [Int?] = []
  private var time = 0

  init(_ sets: [Set]) { self.sets = sets }

  /// What a decorator makes of an object.
  static func wrap(_ value: Int, _ decorator: Int) -> Int {
    // Far from what providers give, and hardly ever the same twice.
    let mixed = UInt64(bitPattern: Int64(value)) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(decorator)
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9 | 1 << 62)
  }

  // MARK: Registering

  func register(_ entry: Entry?, _ key: Int, in set: Int) {
    if sets[set].isClosed { return }
    sets[set].entries[key] = entry
    sets[set].wrappers[key] = nil
    if let entry, case .value(let value) = entry.source {
      entry.kept[Place()] = Layers(object: created(value))
    }
  }

  func contribute(_ member: Member, in set: Int) {
    if sets[set].isClosed { return }
    let index = sets[set].members.firstIndex { $0.priority < member.priority }
    sets[set].members.insert(member, at: index ?? sets[set].members.endIndex)
  }

  private func created(_ value: Int) -> Object {
    time += 1
    return Object(time: time, value: value)
  }

  // MARK: Looking up

  /// What a set gives under a key, asked at once or with `await`.
  func look(_ key: Int, in asked: Int, argument: Int? = nil, awaiting: Bool) -> Answer {
    switch look(key, from: asked, asked: asked, argument: argument, awaiting) {
    case .object(let object): .number(object.value)
    case .nothing: .nothing
    case .failure: .failure
    }
  }

  private func look(
    _ key: Int, from first: Int, asked: Int, argument: Int?, _ awaiting: Bool
  ) -> Outcome {
    var wrapping: [Int] = []
    var next: Int? = first
    while let set = next {
      if sets[set].isClosed { return .failure }
      let entry = argument == nil ? sets[set].entries[key] : sets[set].arguments[key]
      let decorators = argument == nil ? sets[set].decorators[key] ?? [] : []
      if let entry {
        switch own(entry, key, in: set, asked: asked, argument, decorators, awaiting) {
        case .object(let object):
          return wrapped(object, key, by: wrapping, entry, awaiting)
        case .failure: return .failure
        case .nothing: break
        }
      }
      if !decorators.isEmpty { wrapping.append(set) }
      next = sets[set].alternate
    }
    return .nothing
  }

  /// What a registration itself gives.
  private func own(
    _ entry: Entry, _ key: Int, in set: Int, asked: Int, _ argument: Int?,
    _ decorators: [Decorator], _ awaiting: Bool
  ) -> Outcome {
    var place = Place()
    var home = set
    switch entry.life {
    case .scoped:
      var candidate: Int? = asked
      while let scope = candidate, !sets[scope].isScope {
        candidate = scope == set ? nil : sets[scope].alternate
      }
      guard let scope = candidate else { return .failure }
      home = scope
      place = Place(scope: scope, argument: argument)
    case .cached, .weak: place.argument = argument
    case .callerScope: home = asked
    case .transient: break
    }
    var layers = entry.kept[place]
    if entry.life == .weak, let value = layers?.object.value, !held.contains(value) { layers = nil }
    let pending = decorators.dropFirst(layers?.applied ?? 0)
    if !awaiting, layers == nil && entry.isAsync || pending.contains(where: \.isAsync) {
      return .failure
    }
    let isOwned = entry.life == .cached || entry.life == .scoped
    if layers == nil {
      let outcome = run(entry, in: home, asked: asked, from: set, awaiting)
      guard case .object(let object) = outcome else { return outcome }
      layers = Layers(object: object)
      if isOwned { sets[home].made.append(object) }
    }
    guard var layers else { return .nothing }
    for decorator in pending {
      layers.object = created(Reference.wrap(layers.object.value, decorator.number))
      if isOwned { sets[home].made.append(layers.object) }
    }
    layers.applied = decorators.count
    switch entry.life {
    case .cached, .scoped, .weak: entry.kept[place] = layers
    case .transient, .callerScope: break
    }
    return .object(layers.object)
  }

  private func run(
    _ entry: Entry, in home: Int, asked: Int, from set: Int, _ awaiting: Bool
  ) -> Outcome {
    switch entry.source {
    case .value: return .nothing
    case .alias(let target):
      return look(target, from: set, asked: asked, argument: nil, awaiting)
    case .provider(let behaviour):
      entry.runs += 1
      runs += 1
      switch behaviour {
      case .gives: return .object(created(runs * 8 + home))
      case .givesNothing: return .nothing
      case .throwsFirst:
        return entry.runs == 1 ? .failure : .object(created(runs * 8 + home))
      }
    }
  }

  /// What sets in front make of it, the nearest to it first.
  private func wrapped(
    _ inner: Object, _ key: Int, by fronts: [Int], _ entry: Entry, _ awaiting: Bool
  ) -> Outcome {
    var object = inner
    for set in fronts.reversed() {
      let isOnlyWrapper = sets[set].entries[key] == nil
      var wrapper = Wrapper(object)
      if isOnlyWrapper, let known = sets[set].wrappers[key], known.inner.time == object.time {
        wrapper = known
      }
      guard wrap(&wrapper, sets[set].decorators[key] ?? [], awaiting) else { return .failure }
      // A wrapper lives as long as what it wraps.
      if isOnlyWrapper, entry.isKept { sets[set].wrappers[key] = wrapper }
      if isOnlyWrapper, entry.life == .weak { sets[set].wrappers[key] = nil }
      object = wrapper.layers.object
    }
    return .object(object)
  }

  private func wrap(_ wrapper: inout Wrapper, _ all: [Decorator], _ awaiting: Bool) -> Bool {
    let pending = all.dropFirst(wrapper.layers.applied)
    if !awaiting, pending.contains(where: \.isAsync) { return false }
    for decorator in pending {
      wrapper.layers.object = created(
        Reference.wrap(wrapper.layers.object.value, decorator.number))
      wrapper.made.append(wrapper.layers.object)
    }
    wrapper.layers.applied = all.count
    return true
  }

  // MARK: Collections

  /// The collection that a set gives; `nil` if it fails.
  func all(in asked: Int, awaiting: Bool) -> [Int]? {
    var way: [Int] = []
    var next: Int? = asked
    while let set = next {
      way.append(set)
      next = sets[set].alternate
    }
    var members: [(object: Object, isKept: Bool)] = []
    for set in way.reversed() {
      if sets[set].isClosed { return nil }
      let decorators = sets[set].decorators[0] ?? []
      guard let inherited = wrapped(members, by: set, decorators, awaiting) else { return nil }
      members = []
      for member in sets[set].members {
        switch own(member.entry, 0, in: set, asked: asked, nil, decorators, awaiting) {
        case .object(let object): members.append((object, member.entry.isKept))
        case .nothing: break
        case .failure: return nil
        }
      }
      members += inherited
    }
    return members.map(\.object.value)
  }

  private func wrapped(
    _ members: [(object: Object, isKept: Bool)], by set: Int, _ decorators: [Decorator],
    _ awaiting: Bool
  ) -> [(object: Object, isKept: Bool)]? {
    if members.isEmpty || decorators.isEmpty { return members }
    let known = sets[set].memberWrappers
    sets[set].memberWrappers = [:]
    for (object, isKept) in members where isKept {
      sets[set].memberWrappers[object.time] = known[object.time] ?? Wrapper(object)
    }
    var result: [(object: Object, isKept: Bool)] = []
    for (object, isKept) in members {
      var wrapper = sets[set].memberWrappers[object.time] ?? Wrapper(object)
      guard wrap(&wrapper, decorators, awaiting) else { return nil }
      if isKept { sets[set].memberWrappers[object.time] = wrapper }
      result.append((wrapper.layers.object, isKept))
    }
    return result
  }

  // MARK: Closing

  /// Closes a set.
  ///
  /// - Returns: what it tears down, in that order.
  func close(_ closed: Int) -> [Int] {
    let set = closed
    if sets[set].isClosed { return [] }
    var made = sets[set].made
    made += sets[set].wrappers.values.flatMap(\.made)
    made += sets[set].memberWrappers.values.flatMap(\.made)
    sets[set] = Set(alternate: nil, isScope: sets[set].isScope, isClosed: true)
    for set in sets {
      let members = set.members.map(\.entry)
      for entry in Array(set.entries.values) + set.arguments.values + members {
        entry.kept = entry.kept.filter { $0.key.scope != closed }
      }
    }
    return made.sorted { $0.time > $1.time }.map(\.value)
  }
}

extension Reference.Entry {
  /// Whether the object lives on where it was made, without anybody holding it.
  var isKept: Bool {
    if case .alias = source { return true }
    return life == .cached || life == .scoped
  }
}

extension Reference {
  /// Notes what a provider gave that ran by itself.
  func adopt(_ value: Int, _ key: Int, in set: Int) {
    let object = created(value)
    sets[set].entries[key]?.kept[Place()] = Layers(object: object)
    sets[set].made.append(object)
  }
}
