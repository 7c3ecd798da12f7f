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
    var format: String?
    var version: Int?
  }

  /// One node.
  struct Node: Codable {
    var id: Int
    var kind: String
    var label: String
    var type: String?
    var parent: Int?
    var site: Site?
    var state: State?
    var counters: [String: UInt64]?
    var nanoseconds: [String: Int64]?
  }

  /// One edge.
  struct Edge: Codable {
    var from: Int
    var to: Int
    var kind: String
    var label: String?
    var site: Site?
    var state: State?
    var priority: Int?
    var isolation: String?
    var counters: [String: UInt64]?
    var nanoseconds: [String: Int64]?
  }

  /// A place in the source.
  struct Site: Codable {
    var file: String
    var line: UInt32
  }

  /// A state: its name, and what belongs to it.
  struct State: Codable {
    var name: String
    var count: Int?
    var reason: String?
  }

  var format: String
  var version: Int
  var nodes: [Node]
  var edges: [Edge]
}

// MARK: - From a wiring

extension WiringRecord {
  init(_ wiring: Wiring) {
    format = Self.format
    version = Self.version
    nodes = wiring.nodes.map(Node.init)
    edges = wiring.edges.map(Edge.init)
  }
}

extension WiringRecord.Node {
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
