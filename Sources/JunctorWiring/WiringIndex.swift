internal import JunctorCore

/// A wiring prepared for drawing: who belongs to whom, what joins whom, what is wrong where.
struct WiringIndex {
  /// The wiring itself.
  let wiring: Wiring
  /// The nodes that belong to no other, in the snapshot's order, by mechanism.
  private(set) var roots: [Mechanism: [Wiring.Node]] = [:]
  /// What is wrong with a node, in the order found.
  let findings: [Wiring.NodeID: [Wiring.Finding]]
  /// What is wrong with an edge, by its place.
  let edgeFindings: [Int: Wiring.Finding]
  /// The places of the edges whose ends both exist, in the snapshot's order.
  let edges: [Int]

  private let positions: [Wiring.NodeID: Int]
  private var children: [Wiring.NodeID: [Int]] = [:]
  private var attached: [Wiring.NodeID: [Int]] = [:]
  private var listedWithEnd: Set<Int> = []
  private var providing: [Wiring.NodeID: [Int]] = [:]
  private var joined: Set<Wiring.NodeID> = []
  private var namesakes: [String: Int] = [:]

  /// Prepares a wiring, whatever it holds: unknown ends and parents and circles of parents are left out.
  ///
  /// - Complexity: O(nodes + edges).
  init(_ wiring: Wiring) {
    self.wiring = wiring
    var positions: [Wiring.NodeID: Int] = [:]
    for (index, node) in wiring.nodes.enumerated() where positions[node.id] == nil {
      positions[node.id] = index
    }
    self.positions = positions
    edges = wiring.edges.indices.filter {
      positions[wiring.edges[$0].from] != nil && positions[wiring.edges[$0].to] != nil
    }
    let found = wiring.findings
    findings = Dictionary(grouping: found.filter { $0.edge == nil }, by: \.node)
    edgeFindings = Dictionary(
      found.compactMap { finding in finding.edge.map { ($0, finding) } },
      uniquingKeysWith: { first, _ in first })
    gatherNodes()
    gatherEdges()
  }

  private mutating func gatherNodes() {
    for (index, node) in wiring.nodes.enumerated() where positions[node.id] == index {
      namesakes[Self.name(node), default: 0] += 1
      if let parent = properParent(of: node) {
        children[parent, default: []].append(index)
      } else {
        roots[Mechanism(node.kind), default: []].append(node)
      }
    }
  }

  private mutating func gatherEdges() {
    for index in edges {
      let edge = wiring.edges[index]
      joined.formUnion([edge.from, edge.to])
      if edge.kind == .provides { providing[edge.to, default: []].append(index) }
      let isObject = node(edge.from).map { Mechanism($0.kind) == .objects } ?? true
      let other = node(edge.to).map { Mechanism($0.kind) == .objects } ?? true
      if isObject && !other {
        listedWithEnd.insert(index)
        attached[edge.to, default: []].append(index)
      } else {
        attached[edge.from, default: []].append(index)
      }
    }
  }

  /// The parent, if it exists, is of the same mechanism and is reached without a circle. Only the one level of
  /// nesting that mechanisms use is drawn; a parent that has a parent is fine, a circle is not.
  private func properParent(of node: Wiring.Node) -> Wiring.NodeID? {
    guard let parent = node.parent, let first = self.node(parent) else { return nil }
    guard Mechanism(first.kind) == Mechanism(node.kind) else { return nil }
    var current: Wiring.Node? = first
    var steps = 0
    while let ancestor = current {
      steps += 1
      guard ancestor.id != node.id, steps <= 16 else { return nil }
      current = ancestor.parent.flatMap { self.node($0) }
    }
    return parent
  }

  /// The node of that name.
  func node(_ id: Wiring.NodeID) -> Wiring.Node? { positions[id].map { wiring.nodes[$0] } }

  /// The nodes that belong to one, in the snapshot's order.
  func children(of id: Wiring.NodeID) -> [Wiring.Node] {
    (children[id] ?? []).map { wiring.nodes[$0] }
  }

  /// The places of the edges that are listed with one node, so that each edge is listed once: with the mechanism's
  /// node rather than with the object at its other end.
  func edges(listedWith id: Wiring.NodeID) -> [Int] { attached[id] ?? [] }

  /// Whether the edge at a place is listed with the node at its end rather than with that at its start.
  func isListedWithEnd(_ place: Int) -> Bool { listedWithEnd.contains(place) }

  /// Whether an edge leads from a set to a service that is listed below it, and so need not be told by itself.
  func isNested(_ place: Int) -> Bool {
    let edge = wiring.edges[place]
    guard edge.kind == .provides, let node = node(edge.to) else { return false }
    return properParent(of: node) == edge.from
  }

  /// The places of the edges that lead to a service from the set that it is listed below.
  func provided(_ node: Wiring.Node) -> [Int] {
    guard node.kind == .service, let parent = node.parent else { return [] }
    return providing[node.id, default: []].filter {
      wiring.edges[$0].from == parent && isNested($0)
    }
  }

  /// Whether an edge starts or ends at a node.
  func isJoined(_ id: Wiring.NodeID) -> Bool { joined.contains(id) }

  /// Kind and shown label, with the number where another node has the same.
  func title(_ node: Wiring.Node) -> String {
    let name = Self.name(node)
    return namesakes[name] ?? 0 > 1 ? "\(name) \(node.id)" : name
  }

  private static func name(_ node: Wiring.Node) -> String {
    "\(DisplayText.line(node.kind.rawValue)) '\(DisplayText.line(node.label))'"
  }
}
