/// Who is joined to whom, at one moment.
///
/// A snapshot is a plain value: nodes (objects, channels, multicasts, receivers, services, sets, exchanges) and edges
/// between them. The mechanisms report into it; see `Wiring.snapshot()`. It keeps nothing alive.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct Wiring: Sendable, Hashable {
  /// Everything that is joined, in a stable order.
  public var nodes: [Node]

  /// What joins it, in a stable order.
  public var edges: [Edge]

  /// Puts a snapshot together by hand, for renderings and tests.
  ///
  /// - Parameters:
  ///   - nodes: everything that is joined.
  ///   - edges: what joins it.
  public init(nodes: [Node] = [], edges: [Edge] = []) {
    self.nodes = nodes
    self.edges = edges
  }
}

extension Wiring {
  /// A node's name within one snapshot.
  public struct NodeID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number behind it, from 1, in the order in which the nodes were first met.
    public let rawValue: Int

    /// Makes the name from its number.
    ///
    /// - Parameter rawValue: the number.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// Orders by number.
    public static func < (left: NodeID, right: NodeID) -> Bool { left.rawValue < right.rawValue }

    /// The number with an `n` before it.
    public var description: String { "n\(rawValue)" }
  }

  /// What a node is.
  public struct NodeKind: Sendable, Hashable {
    /// The kind's name, as it appears in renderings.
    public let rawValue: String

    /// Makes a kind of one's own.
    ///
    /// - Parameter rawValue: the name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// An object of the user's: an owner, a target, a sender, a receiver's holder.
    public static let object = NodeKind("object")
    /// A set of channels.
    public static let exchange = NodeKind("exchange")
    /// A channel.
    public static let channel = NodeKind("channel")
    /// A multicast delegate.
    public static let multicast = NodeKind("multicast")
    /// An object that receives a model.
    public static let receiver = NodeKind("receiver")
    /// A service, as registered in one set.
    public static let service = NodeKind("service")
    /// A set of services.
    public static let serviceSet = NodeKind("services")
  }

  /// What an edge says of the two nodes that it joins, read from the first to the second.
  public struct EdgeKind: Sendable, Hashable {
    /// The kind's name, as it appears in renderings.
    public let rawValue: String

    /// Makes a kind of one's own.
    ///
    /// - Parameter rawValue: the name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// A channel is listened to by an object.
    public static let listens = EdgeKind("listens")
    /// An object posts to a channel.
    public static let posts = EdgeKind("posts")
    /// A multicast delegates to a target.
    public static let delegates = EdgeKind("delegates to")
    /// An object handed a model to a receiver.
    public static let handedOver = EdgeKind("handed over")
    /// An object awaits a receiver's result.
    public static let awaitsResult = EdgeKind("awaits result")
    /// A set provides a service.
    public static let provides = EdgeKind("provides")
    /// A service was built with another.
    public static let dependsOn = EdgeKind("depends on")
    /// A set falls back to another.
    public static let fallsBack = EdgeKind("falls back to")
  }

  /// How a node or an edge is.
  public enum State: Sendable, Hashable {
    /// As it should be.
    case alive
    /// Set aside for now.
    case paused
    /// Waiting, with so many items.
    case pending(Int)
    /// Gone, but not yet cleared away.
    case dead
    /// Not usable, and why.
    case failed(String)
  }

  /// One thing that is joined to others.
  public struct Node: Sendable, Hashable, Identifiable {
    /// The node's name within this snapshot.
    public var id: NodeID
    /// What it is.
    public var kind: NodeKind
    /// What it is called: a channel's name, a label, or the type's name.
    public var label: String
    /// The type behind it, where there is one.
    public var type: String?
    /// The node that it belongs to: a channel's exchange, a service's set.
    public var parent: NodeID?
    /// Where it was made.
    public var site: SourceSite?
    /// How it is.
    public var state: State
    /// What was counted, by name.
    public var counters: [String: UInt64]
    /// How long things took, by name: `build`, `longest`.
    public var times: [String: Duration]

    /// Describes one thing.
    ///
    /// - Parameters:
    ///   - id: the node's name within this snapshot.
    ///   - kind: what it is.
    ///   - label: what it is called.
    ///   - type: the type behind it.
    ///   - parent: the node that it belongs to.
    ///   - site: where it was made.
    ///   - state: how it is.
    ///   - counters: what was counted, by name.
    ///   - times: how long things took, by name.
    public init(
      id: NodeID, kind: NodeKind, label: String, type: String? = nil, parent: NodeID? = nil,
      site: SourceSite? = nil, state: State = .alive, counters: [String: UInt64] = [:],
      times: [String: Duration] = [:]
    ) {
      self.id = id
      self.kind = kind
      self.label = label
      self.type = type
      self.parent = parent
      self.site = site
      self.state = state
      self.counters = counters
      self.times = times
    }
  }

  /// What joins two nodes.
  public struct Edge: Sendable, Hashable {
    /// Where it starts.
    public var from: NodeID
    /// Where it ends.
    public var to: NodeID
    /// What it says of the two.
    public var kind: EdgeKind
    /// A name for it, where one was given.
    public var label: String?
    /// Where it was made.
    public var site: SourceSite?
    /// How it is.
    public var state: State
    /// The priority among its siblings; higher comes first.
    public var priority: Int?
    /// Where it is delivered: an actor's type, a queue's label.
    public var isolation: String?
    /// What was counted, by name.
    public var counters: [String: UInt64]
    /// How long things took, by name: `build`, `longest`.
    public var times: [String: Duration]

    /// Describes what joins two nodes.
    ///
    /// - Parameters:
    ///   - from: where it starts.
    ///   - to: where it ends.
    ///   - kind: what it says of the two.
    ///   - label: a name for it.
    ///   - site: where it was made.
    ///   - state: how it is.
    ///   - priority: the priority among its siblings.
    ///   - isolation: where it is delivered.
    ///   - counters: what was counted, by name.
    ///   - times: how long things took, by name.
    public init(
      from: NodeID, to: NodeID, kind: EdgeKind, label: String? = nil, site: SourceSite? = nil,
      state: State = .alive, priority: Int? = nil, isolation: String? = nil,
      counters: [String: UInt64] = [:],
      times: [String: Duration] = [:]
    ) {
      self.from = from
      self.to = to
      self.kind = kind
      self.label = label
      self.site = site
      self.state = state
      self.priority = priority
      self.isolation = isolation
      self.counters = counters
      self.times = times
    }
  }
}
