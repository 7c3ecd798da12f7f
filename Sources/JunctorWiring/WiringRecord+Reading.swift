internal import JunctorCore

extension WiringRecord {
  /// Turns the record into a wiring.
  ///
  /// - Returns: the wiring, or the words that say what does not fit together.
  func wiring() -> Result<Wiring, Misfit> {
    var known: Set<Int> = []
    for node in nodes where !known.insert(node.id).inserted {
      return .failure(Misfit("node \(node.id) appears twice"))
    }
    var wiring = Wiring()
    for node in nodes {
      if let parent = node.parent, !known.contains(parent) {
        return .failure(Misfit("node \(node.id) belongs to node \(parent), which is not there"))
      }
      guard let read = node.node else {
        return .failure(Misfit("node \(node.id) is in the unknown state \(named(node.state))"))
      }
      wiring.nodes.append(read)
    }
    for (place, edge) in edges.enumerated() {
      for end in [edge.from, edge.to] where !known.contains(end) {
        return .failure(Misfit("edge \(place) joins node \(end), which is not there"))
      }
      guard let read = edge.edge else {
        return .failure(Misfit("edge \(place) is in the unknown state \(named(edge.state))"))
      }
      wiring.edges.append(read)
    }
    return .success(wiring)
  }

  private func named(_ state: State?) -> String { "'\(DisplayText.line(state?.name ?? ""))'" }

  /// What does not fit together, in words.
  struct Misfit: Error {
    /// The words.
    let words: String
    /// Says what does not fit together.
    init(_ words: String) { self.words = words }
  }
}

extension WiringRecord.Node {
  fileprivate var node: Wiring.Node? {
    guard let state = WiringRecord.read(state) else { return nil }
    return Wiring.Node(
      id: Wiring.NodeID(id), kind: Wiring.NodeKind(kind), label: label, type: type,
      parent: parent.map(Wiring.NodeID.init), site: site?.site, state: state,
      counters: counters ?? [:], times: (nanoseconds ?? [:]).mapValues(Duration.nanoseconds))
  }
}

extension WiringRecord.Edge {
  fileprivate var edge: Wiring.Edge? {
    guard let state = WiringRecord.read(state) else { return nil }
    return Wiring.Edge(
      from: Wiring.NodeID(from), to: Wiring.NodeID(to), kind: Wiring.EdgeKind(kind), label: label,
      site: site?.site, state: state, priority: priority, isolation: isolation,
      counters: counters ?? [:], times: (nanoseconds ?? [:]).mapValues(Duration.nanoseconds))
  }
}

extension WiringRecord.Site {
  fileprivate var site: SourceSite { SourceSite(interning: file, line: line) }
}

extension WiringRecord {
  fileprivate static func read(_ state: State?) -> Wiring.State? {
    guard let state else { return .alive }
    return switch state.name {
    case "alive": .alive
    case "paused": .paused
    case "pending": .pending(state.count ?? 0)
    case "dead": .dead
    case "failed": .failed(state.reason ?? "")
    default: nil
    }
  }
}
