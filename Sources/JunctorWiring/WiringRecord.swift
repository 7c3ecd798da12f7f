internal import JunctorCore

/// The JSON form of a wiring; see the article "The JSON record".
///
/// Fields are only ever added within one version; readers ignore those that they do not know.
struct WiringRecord: Codable {
  /// What tells this record from any other JSON.
  static let format = "junctor.wiring"
  /// The version that is written, and the latest that is read.
  static let version = 1

  /// The part that is read before all else.
  struct Header: Codable {
    /// What should be the format's name.
    var format: String?
    /// The version that it was written in.
    var version: Int?
  }

  /// One node.
  struct Node: Codable {
    /// The node's number.
    var id: Int
    /// What it is.
    var kind: String
    /// What it is called.
    var label: String
    /// The type behind it.
    var type: String?
    /// The number of the node that it belongs to.
    var parent: Int?
    /// Where it was made.
    var site: Site?
    /// How it is; missing for what is alive.
    var state: State?
    /// What was counted, by name.
    var counters: [String: UInt64]?
    /// How long things took, by name.
    var nanoseconds: [String: Int64]?
  }

  /// One edge.
  struct Edge: Codable {
    /// The number of the node where it starts.
    var from: Int
    /// The number of the node where it ends.
    var to: Int
    /// What it says of the two.
    var kind: String
    /// A name for it.
    var label: String?
    /// Where it was made.
    var site: Site?
    /// How it is; missing for what is alive.
    var state: State?
    /// The priority among its siblings.
    var priority: Int?
    /// Where it is delivered.
    var isolation: String?
    /// What was counted, by name.
    var counters: [String: UInt64]?
    /// How long things took, by name.
    var nanoseconds: [String: Int64]?
  }

  /// A place in the source.
  struct Site: Codable {
    /// Module and file.
    var file: String
    /// The line, counted from 1.
    var line: UInt32
  }

  /// A state: its name, and what belongs to it.
  struct State: Codable {
    /// The state's name.
    var name: String
    /// How many items wait, where some do.
    var count: Int?
    /// Why it failed, where it did.
    var reason: String?
  }

  /// The format's name.
  var format: String
  /// The version of the format.
  var version: Int
  /// The nodes, in the snapshot's order.
  var nodes: [Node]
  /// The edges, in the snapshot's order.
  var edges: [Edge]
}

// MARK: - From a wiring

extension WiringRecord {
  /// Makes the record of a wiring.
  init(_ wiring: Wiring) {
    format = Self.format
    version = Self.version
    nodes = wiring.nodes.map(Node.init)
    edges = wiring.edges.map(Edge.init)
  }
}

extension WiringRecord.Node {
  /// Makes the record of a node.
  init(_ node: Wiring.Node) {
    id = node.id.rawValue
    kind = node.kind.rawValue
    label = node.label
    type = node.type
    parent = node.parent?.rawValue
    site = node.site.map(WiringRecord.Site.init)
    state = WiringRecord.State(node.state)
    counters = node.counters.isEmpty ? nil : node.counters
    nanoseconds = node.times.isEmpty ? nil : node.times.mapValues(\.nanoseconds)
  }
}

extension WiringRecord.Edge {
  /// Makes the record of an edge.
  init(_ edge: Wiring.Edge) {
    from = edge.from.rawValue
    to = edge.to.rawValue
    kind = edge.kind.rawValue
    label = edge.label
    site = edge.site.map(WiringRecord.Site.init)
    state = WiringRecord.State(edge.state)
    priority = edge.priority
    isolation = edge.isolation
    counters = edge.counters.isEmpty ? nil : edge.counters
    nanoseconds = edge.times.isEmpty ? nil : edge.times.mapValues(\.nanoseconds)
  }
}

extension WiringRecord.Site {
  /// Makes the record of a place.
  init(_ site: SourceSite) {
    file = site.fileID
    line = site.line
  }
}

extension WiringRecord.State {
  /// Nothing for what is alive, as most is.
  init?(_ state: Wiring.State) {
    switch state {
    case .alive: return nil
    case .paused: name = "paused"
    case .pending(let waiting): (name, count) = ("pending", waiting)
    case .dead: name = "dead"
    case .failed(let why): (name, reason) = ("failed", why)
    }
  }
}
