public import JunctorCore

extension Wiring {
  /// Returns the part of the wiring within so many edges of some nodes, in either direction.
  ///
  /// The exchanges and sets that the nodes belong to are part of it as well, without what else belongs to them.
  ///
  /// - Parameters:
  ///   - nodes: where to start; unknown ones are passed over.
  ///   - depth: how many edges to follow.
  /// - Returns: a wiring in the same order, with the same names.
  /// - Complexity: O(nodes + edges).
  public func neighbourhood(of nodes: some Sequence<NodeID>, depth: Int = 1) -> Wiring {
    var neighbours: [NodeID: [NodeID]] = [:]
    for edge in edges {
      neighbours[edge.from, default: []].append(edge.to)
      neighbours[edge.to, default: []].append(edge.from)
    }
    var reached = Set(nodes)
    var border = Array(reached)
    for _ in 0..<max(0, depth) where !border.isEmpty {
      border = border.flatMap { neighbours[$0] ?? [] }.filter { reached.insert($0).inserted }
    }
    let inside = reached
    let parents = Dictionary(
      self.nodes.compactMap { node in node.parent.map { (node.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    for start in inside {
      var parent = parents[start]
      while let next = parent, reached.insert(next).inserted { parent = parents[next] }
    }
    return Wiring(
      nodes: self.nodes.filter { reached.contains($0.id) },
      edges: edges.filter { inside.contains($0.from) && inside.contains($0.to) })
  }

  /// Returns the nodes whose label, type or kind contains some text, in either case.
  ///
  /// - Parameter text: the text to look for.
  /// - Returns: their names, in the snapshot's order.
  /// - Complexity: O(nodes).
  public func nodes(matching text: String) -> [NodeID] {
    let wanted = text.lowercased()
    return nodes.filter { node in
      [node.label, node.type ?? "", node.kind.rawValue].contains {
        wanted.isEmpty || $0.lowercased().contains(wanted)
      }
    }.map(\.id)
  }
}
