internal import JunctorCore
internal import JunctorWiring

/// What a terminal shows of an inspector: the newest sample, what changed since the one before, and the latest events.
struct WatchModel {
  /// One line of the list: something that belongs to a mechanism.
  struct Row: Equatable {
    /// The mechanism.
    var mechanism: String
    /// Its label.
    var label: String
    /// What it is.
    var kind: String
    /// How it is, and what is wrong with it.
    var state: String
    /// Whether something leads nowhere.
    var isDeadEnd = false
    /// Whether something failed or collides.
    var isAlarm = false
    /// How many edges it has.
    var joined: Int
    /// What was counted, in the order of the names, and how much was added each second, where that is known.
    var counters: [Counter]
  }

  /// One number of a row.
  struct Counter: Equatable {
    /// What was counted.
    var name: String
    /// How much.
    var value: UInt64
    /// How much was added each second; `nil` while there is no second sample.
    var rate: Double?
  }

  /// How many events are kept.
  static let eventLimit = 100

  /// Where the inspector is.
  let address: String
  /// The rows, in the order of the mechanisms and then of the snapshot.
  private(set) var rows: [Row] = []
  /// How much there is.
  private(set) var summary = ""
  /// How many objects there are besides.
  private(set) var objectCount = 0
  /// How many events happen each second; `nil` while there is no second sample.
  private(set) var eventRate: Double?
  /// The latest events, oldest first.
  private(set) var events: [WatchEvent] = []
  /// How many events were not shown.
  private(set) var missed: UInt64 = 0
  private var last: WatchClient.Sample?

  /// Shows nothing yet.
  init(address: String) { self.address = address }

  /// Takes a new sample in.
  ///
  /// - Complexity: O(nodes + edges).
  mutating func take(_ sample: WatchClient.Sample) {
    let before = last
    let seconds = before.map { Self.seconds($0.time.duration(to: sample.time)) } ?? 0
    // Numbers of nodes change from one snapshot to the next; what a node is does not.
    var known: [Identity: Wiring.Node] = [:]
    for (identity, node) in Self.identified(before?.wiring.nodes ?? []) { known[identity] = node }
    let findings = Dictionary(
      grouping: sample.wiring.findings.filter { $0.edge == nil }, by: \.node)
    var joined: [Wiring.NodeID: Int] = [:]
    for edge in sample.wiring.edges {
      joined[edge.from, default: 0] += 1
      if edge.to != edge.from { joined[edge.to, default: 0] += 1 }
    }
    // A channel is joined to its exchange by lying in it.
    for node in sample.wiring.nodes where node.kind == .channel {
      if let parent = node.parent { joined[parent, default: 0] += 1 }
    }
    let all = Self.identified(sample.wiring.nodes).map { identity, node in
      Self.row(
        node, known[identity], seconds, findings[node.id] ?? [], joined: joined[node.id] ?? 0)
    }
    rows = Self.mechanisms.flatMap { mechanism in all.filter { $0.mechanism == mechanism } }
    objectCount = all.count - rows.count
    summary = Self.summary(sample.wiring)
    eventRate = before.flatMap { before in
      seconds > 0 ? Double(sample.events &- min(before.events, sample.events)) / seconds : nil
    }
    last = sample
  }

  /// Takes news in. Returns whether the wiring has to be asked for again.
  mutating func take(_ message: WatchEvents.Message) -> Bool {
    switch message {
    case .wiring: return true
    case .history(let news, let more):
      missed &+= more
      events += news.suffix(Self.eventLimit)
      events.removeFirst(max(0, events.count - Self.eventLimit))
      return false
    }
  }

  // MARK: - Rows

  /// What a node is, whatever its number: its place among those that are alike tells those apart.
  private struct Identity: Hashable {
    var kind: Wiring.NodeKind
    var label: String
    var type: String?
    var site: SourceSite?
    var place: Int
  }

  private static let mechanisms = ["Channels", "Delegates", "Handover", "Services"]

  private static func identified(_ nodes: [Wiring.Node]) -> [(Identity, Wiring.Node)] {
    var counts: [Identity: Int] = [:]
    return nodes.map { node in
      var identity = Identity(
        kind: node.kind, label: node.label, type: node.type, site: node.site, place: 0)
      let place = counts[identity, default: 0]
      counts[identity] = place + 1
      identity.place = place
      return (identity, node)
    }
  }

  private static func mechanism(_ kind: Wiring.NodeKind) -> String {
    switch kind {
    case .channel, .exchange: "Channels"
    case .multicast: "Delegates"
    case .receiver: "Handover"
    case .service, .serviceSet: "Services"
    default: "Objects"
    }
  }

  private static func row(
    _ node: Wiring.Node, _ before: Wiring.Node?, _ seconds: Double, _ found: [Wiring.Finding],
    joined: Int
  ) -> Row {
    let counters = node.counters.sorted { $0.key < $1.key }.map { name, value in
      let old = before?.counters[name] ?? 0
      let rate = before != nil && seconds > 0 ? Double(value &- min(old, value)) / seconds : nil
      return Counter(name: DisplayText.line(name), value: value, rate: rate)
    }
    let label = DisplayText.line(node.label)
    return Row(
      mechanism: mechanism(node.kind),
      label: label.allSatisfy { $0 == " " } ? "(no name)" : label,
      kind: DisplayText.line(node.kind.rawValue),
      state: found.isEmpty
        ? state(node.state)
        : found.map { DisplayText.line($0.message, limit: 120) }.joined(separator: ", "),
      isDeadEnd: found.contains { $0.kind == .deadEnd },
      isAlarm: found.contains { $0.kind != .deadEnd }, joined: joined, counters: counters)
  }

  private static func state(_ state: Wiring.State) -> String {
    switch state {
    case .alive: "alive"
    case .paused: "paused"
    case .pending(let count): "pending \(count)"
    case .dead: "dead"
    case .failed: "failed"
    }
  }

  private static func summary(_ wiring: Wiring) -> String {
    [
      counted(wiring.nodes.count, "node"), counted(wiring.edges.count, "edge"),
      counted(wiring.findings.count, "warning"),
    ].joined(separator: ", ")
  }

  private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}
