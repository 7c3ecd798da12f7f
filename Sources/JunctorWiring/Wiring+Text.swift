public import JunctorCore

extension Wiring {
  /// Renders the wiring as an indented tree, one part for each mechanism.
  ///
  /// Every node and every edge appears once; an edge stands with its channel, multicast, receiver or service, and that from
  /// a set to a service of its own is the service's line. Lines that begin with `!` name dead ends, collisions and failures.
  ///
  /// - Returns: lines of text, each ended by a newline.
  /// - Complexity: O(nodes + edges).
  public func text() -> String {
    var tree = TextTree(WiringIndex(self))
    return tree.rendered()
  }
}

/// Writes the tree.
private struct TextTree {
  let index: WiringIndex
  var output = ""

  init(_ index: WiringIndex) { self.index = index }

  /// One line of the tree with what hangs below it.
  private enum Item {
    case finding(Wiring.Finding)
    case edge(Int)
    case node(Wiring.Node)
  }

  mutating func rendered() -> String {
    output = summary()
    for mechanism in Mechanism.allCases {
      guard let roots = index.roots[mechanism], !roots.isEmpty else { continue }
      output += "\n\(mechanism.rawValue)\n"
      write(roots.map(Item.node), indent: "")
    }
    return output
  }

  private func summary() -> String {
    let warnings = index.findings.values.reduce(0) { $0 + $1.count } + index.edgeFindings.count
    let parts = [
      counted(index.wiring.nodes.count, "node"), counted(index.wiring.edges.count, "edge"),
      warnings == 0 ? "nothing to warn of" : counted(warnings, "warning"),
    ]
    return "Wiring: \(parts.joined(separator: ", "))\n"
  }

  private mutating func write(_ items: [Item], indent: String) {
    for (position, item) in items.enumerated() {
      let isLast = position == items.count - 1
      output += indent + (isLast ? "└─ " : "├─ ") + line(item) + "\n"
      write(below(item), indent: indent + (isLast ? "   " : "│  "))
    }
  }

  private func line(_ item: Item) -> String {
    switch item {
    case .finding(let finding): return "! \(DisplayText.line(finding.message, limit: 200))"
    case .node(let node):
      let provided = index.provided(node).flatMap { Details.placePhrases(index.wiring.edges[$0]) }
      return ([index.title(node)] + provided + Details.phrases(node)).joined(separator: " · ")
    case .edge(let place):
      let edge = index.wiring.edges[place]
      let isListedWithEnd = index.isListedWithEnd(place)
      let other = index.node(isListedWithEnd ? edge.from : edge.to)
      let arrow = isListedWithEnd ? "←" : "→"
      let start = "\(DisplayText.line(edge.kind.rawValue)) \(arrow) \(other.map(index.title) ?? "")"
      return ([start] + Details.phrases(edge)).joined(separator: " · ")
    }
  }

  private func below(_ item: Item) -> [Item] {
    switch item {
    case .finding: return []
    case .edge(let place): return index.edgeFindings[place].map { [.finding($0)] } ?? []
    case .node(let node):
      return (index.findings[node.id] ?? []).map(Item.finding)
        + index.provided(node).compactMap { index.edgeFindings[$0] }.map(Item.finding)
        + index.edges(listedWith: node.id).filter { !index.isNested($0) }.map(Item.edge)
        + index.children(of: node.id).map(Item.node)
    }
  }
}
