internal import CJunctorCore
internal import JunctorCore
internal import Synchronization

/// The topics of an exchange by name, each known by its address and not retained.
///
/// A topic takes itself out in its `deinit`, which waits for the lock that guards this value: under that lock an address
/// found here is that of an object which is alive or has not finished its `deinit`, and asking it for a reference is safe.
struct ExchangeState {
  private var names: [String: Slot] = [:]
  /// Flags that every topic made from now on gets.
  var inherited: TopicFlags = []
  /// Flags that every topic has got.
  var everywhere: TopicFlags = []

  // Few, as each is a mistake in the source; no more are reported than are remembered.
  private var misplaced: Set<String> = []

  /// What topics keep for listeners that come later; they themselves may come and go.
  private var replays: [ReplayKey: any AnyReplayStore] = [:]

  /// What was counted of topics that nobody holds any longer, where something was posted that nobody heard, while the
  /// history is on.
  private var unheard: [ReplayKey: UnheardTopic] = [:]

  private struct Slot {
    var first: Known
    // Other message types under the same name: a mistake, mostly, so hardly ever there.
    var others: [Known] = []
    var hasReported = false

    var all: [Known] { [first] + others }
  }

  private struct Known {
    let kind: ObjectIdentifier
    let address: UInt

    init(_ topic: Topic) {
      kind = topic.kind.id
      // SAFETY: the address is kept as a number.
      address = unsafe UInt(bitPattern: Unmanaged.passUnretained(topic).toOpaque())
    }

    /// The topic, retained, unless it is on its way out.
    var topic: Topic? {
      // SAFETY: see the type: the object's memory is there as long as it is known here; `junctor_try_retain` gives it
      // at +1 or not at all.
      guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address),
        let retained = unsafe junctor_try_retain(pointer)
      else { return nil }
      return unsafe Unmanaged<Topic>.fromOpaque(retained).takeRetainedValue()
    }
  }

  /// The topic of a name and type, if it is there.
  func find(_ name: String, _ kind: ObjectIdentifier) -> Topic? {
    guard let slot = names[name] else { return nil }
    if slot.first.kind == kind { return slot.first.topic }
    return slot.others.first { $0.kind == kind }?.topic
  }

  /// Adds a topic.
  ///
  /// - Returns: another one under the same name, which may be let go for the last time by whoever gets it, so after the
  ///   lock was left; and whether their meeting has to be reported.
  mutating func add(_ topic: Topic) -> (other: Topic, isNews: Bool)? {
    let known = Known(topic)
    guard var slot = names.removeValue(forKey: topic.name) else {
      names[topic.name] = Slot(first: known)
      return nil
    }
    defer { names[topic.name] = slot }
    if slot.first.kind == known.kind {
      slot.first = known
      return nil
    }
    let other = slot.first.topic
    slot.others.removeAll { $0.kind == known.kind }
    guard let other else {
      slot.others.append(slot.first)
      slot.first = known
      return nil
    }
    slot.others.append(known)
    defer { slot.hasReported = true }
    return (other, !slot.hasReported)
  }

  /// Takes a topic out, if it is the one that is known. Returns whether it was.
  mutating func remove(_ topic: Topic) -> Bool {
    let known = Known(topic)
    guard let index = names.index(forKey: topic.name) else { return false }
    if names.values[index].first.address != known.address {
      let count = names.values[index].others.count
      names.values[index].others.removeAll { $0.address == known.address }
      return names.values[index].others.count < count
    } else if let next = names.values[index].others.first {
      names.values[index].first = next
      names.values[index].others.removeFirst()
    } else {
      names.remove(at: index)
    }
    if names.isEmpty { names = [:] }
    return true
  }

  /// The topics that are alive, in no particular order.
  var topics: [Topic] { names.values.flatMap { $0.all.compactMap(\.topic) } }

  // MARK: - What nobody heard

  /// How many such topics are remembered at most.
  private static let unheardLimit = 256

  /// Remembers a topic that is going, if posts to it were recorded and one of them was heard by nobody.
  mutating func noteUnheard(_ topic: Topic) {
    guard inherited.contains(.recorded), topic.isRecorded, unheard.count < Self.unheardLimit
    else { return }
    let traffic = topic.traffic
    guard traffic.unheard > 0 else { return }
    unheard[ReplayKey(name: topic.name, kind: topic.kind.id)] = UnheardTopic(topic, traffic)
  }

  /// Gives a topic that is there again what was counted of it.
  mutating func resumeCounting(of topic: Topic) {
    guard !unheard.isEmpty,
      let known = unheard.removeValue(forKey: ReplayKey(name: topic.name, kind: topic.kind.id))
    else { return }
    topic.traffic = known.traffic
  }

  /// The topics that are remembered, by name.
  var unheardTopics: [UnheardTopic] { unheard.values.sorted { $0.name < $1.name } }

  /// Forgets them. They die where they are returned to, after the lock was left.
  mutating func takeUnheard() -> [UnheardTopic] {
    defer { unheard = [:] }
    return Array(unheard.values)
  }

  // MARK: - What is kept

  /// What the topic of a name and type keeps; made now, unless it is there.
  mutating func replay(
    _ key: ReplayKey, make: () -> any AnyReplayStore
  ) -> any AnyReplayStore {
    if let found = replays[key] { return found }
    let made = make()
    replays[key] = made
    return made
  }

  /// Gives a new topic what was kept before it was there.
  func giveReplay(to topic: Topic) {
    guard !replays.isEmpty,
      let store = replays[ReplayKey(name: topic.name, kind: topic.kind.id)]
    else { return }
    topic.replay.withLock { $0 = store }
    topic.insert(.replays)
  }

  /// Takes out what a topic that is going keeps, if that is nothing.
  mutating func takeReplayIfEmpty(of topic: Topic) -> (any AnyReplayStore)? {
    guard !replays.isEmpty else { return nil }
    let key = ReplayKey(name: topic.name, kind: topic.kind.id)
    guard replays[key]?.isEmpty == true else { return nil }
    return replays.removeValue(forKey: key)
  }

  /// What is kept, by name, in no particular order.
  var keptStores: [(name: String, store: any AnyReplayStore)] {
    replays.map { ($0.key.name, $0.value) }
  }

  /// Notes that a pattern was found fault with. Returns whether it is to be reported.
  mutating func noteMisplaced(_ pattern: String) -> Bool {
    misplaced.count < 64 && misplaced.insert(pattern).inserted
  }

  /// How many names are known.
  var count: Int { names.count }
}

/// What is known of a topic that nobody heard, when nobody holds it any longer.
struct UnheardTopic: Sendable {
  /// The channel's name.
  let name: String
  /// The message type's full name; made when asked for.
  let typeName: @Sendable () -> String
  /// Where it was first named.
  let site: SourceSite
  /// What was counted.
  let traffic: TopicTraffic

  /// Notes what is known of a topic that is going.
  init(_ topic: Topic, _ traffic: TopicTraffic) {
    name = topic.name
    typeName = topic.kind.name
    site = topic.site
    self.traffic = traffic
  }
}
