public import JunctorCore

extension Wiring {
  /// Something in a wiring that deserves a look.
  ///
  /// ## Concurrency
  /// A value; may be used anywhere.
  public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// What kind of finding it is.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
      private enum Name: String {
        case deadEnd = "dead end"
        case collision
        case failure
      }

      private let name: Name

      /// Something that leads nowhere.
      ///
      /// A channel that nobody listens to, a multicast without targets, an owner that is gone.
      public static let deadEnd = Kind(name: .deadEnd)
      /// Two things that share one name where only one was meant.
      public static let collision = Kind(name: .collision)
      /// Something that failed.
      public static let failure = Kind(name: .failure)

      private init(name: Name) { self.name = name }

      /// The kind's name.
      public var description: String { name.rawValue }
    }

    /// What kind of finding it is.
    public let kind: Kind
    /// The node that it concerns; for an edge, the node at which it starts.
    public let node: NodeID
    /// The place of the edge that it concerns, if it concerns one, in `Wiring.edges`.
    public let edge: Int?
    /// A few words that say what is wrong.
    public let message: String
    /// What the node is called, for people to read.
    let name: String

    /// The kind, what it concerns, and the words.
    public var description: String { "\(kind): '\(DisplayText.line(name))' \(message)" }
  }

  /// Dead ends, collisions and failures, in the order of the nodes and then of the edges.
  ///
  /// - Complexity: O(nodes + edges).
  public var findings: [Finding] {
    var joined: Set<Outgoing> = []
    for edge in edges where edge.state != .dead {
      joined.insert(Outgoing(node: edge.from, kind: edge.kind))
    }
    var namesakes: [Name: Int] = [:]
    for node in nodes {
      if let name = Name(node) { namesakes[name, default: 0] += 1 }
    }

    var found: [Finding] = []
    for node in nodes {
      if let (kind, message) = node.state.finding {
        found.append(Finding(kind: kind, node: node, message))
      }
      if let message = deadEnd(node, joined) {
        found.append(Finding(kind: .deadEnd, node: node, message))
      }
      if let name = Name(node), let count = namesakes[name], count > 1 {
        let message = "\(count) \(node.kind == .channel ? "channels" : "services") share this name"
        found.append(Finding(kind: .collision, node: node, message))
      }
    }
    let labels = Dictionary(
      nodes.map { ($0.id, $0.label) }, uniquingKeysWith: { first, _ in first })
    for (index, edge) in edges.enumerated() {
      guard let (kind, message) = edge.state.finding else { continue }
      found.append(
        Finding(
          kind: kind, node: edge.from, edge: index, message: message,
          name: "\(labels[edge.from] ?? "") → \(labels[edge.to] ?? "")"))
    }
    return found
  }

  private struct Outgoing: Hashable {
    var node: NodeID
    var kind: EdgeKind
  }

  /// What must be met once only: a channel's name in its exchange, a service's name and type in its set.
  private struct Name: Hashable {
    var kind: NodeKind
    var parent: NodeID?
    var label: String
    var type: String?

    init?(_ node: Node) {
      guard node.kind == .channel || node.kind == .service else { return nil }
      kind = node.kind
      parent = node.parent
      label = node.label
      // Channels of one name and two types are the very collision that is looked for.
      type = node.kind == .service ? node.type : nil
    }
  }

  private func deadEnd(_ node: Node, _ joined: Set<Outgoing>) -> String? {
    func leads(_ kind: EdgeKind) -> Bool { joined.contains(Outgoing(node: node.id, kind: kind)) }
    switch node.kind {
    case .channel: return leads(.listens) ? nil : "nobody listens"
    case .multicast: return leads(.delegates) ? nil : "has no target"
    case .serviceSet: return leads(.provides) || leads(.fallsBack) ? nil : "provides nothing"
    default: return nil
    }
  }
}

extension Wiring.Finding {
  /// Notes what was found at a node.
  fileprivate init(kind: Kind, node: Wiring.Node, _ message: String) {
    self.init(kind: kind, node: node.id, edge: nil, message: message, name: node.label)
  }
}

extension Wiring.State {
  fileprivate var finding: (Wiring.Finding.Kind, String)? {
    switch self {
    case .dead: (.deadEnd, "gone, not yet cleared away")
    case .failed(let reason): (.failure, reason.isEmpty ? "failed" : "failed: \(reason)")
    case .alive, .paused, .pending: nil
    }
  }
}
