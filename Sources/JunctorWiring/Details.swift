internal import JunctorCore

/// The short phrases that renderings put beside a node or an edge.
enum Details {
  /// Everything known of a node but its title, its parent and its findings.
  static func phrases(_ node: Wiring.Node) -> [String] {
    typePhrase(node) + statePhrase(of: node) + counterPhrases(node.counters)
      + timePhrases(node.times) + sitePhrase(node.site)
  }

  /// Everything known of an edge but its ends and its kind.
  static func phrases(_ edge: Wiring.Edge) -> [String] {
    placePhrases(edge) + statePhrase(edge.state) + counterPhrases(edge.counters)
      + timePhrases(edge.times) + sitePhrase(edge.site)
  }

  /// The label, the priority and the isolation of an edge.
  static func placePhrases(_ edge: Wiring.Edge) -> [String] {
    var phrases: [String] = []
    if let label = edge.label {
      // What a set provides has no name there: it is the lifetime.
      let line = DisplayText.line(label)
      phrases.append(edge.kind == .provides ? line : "'\(line)'")
    }
    if let priority = edge.priority, priority != 0 { phrases.append("priority \(priority)") }
    if let isolation = edge.isolation { phrases.append("on \(DisplayText.line(isolation))") }
    return phrases
  }

  /// The type, unless the label or the kind says the same.
  static func typePhrase(_ node: Wiring.Node) -> [String] {
    guard let type = node.type, type != node.label, !type.hasSuffix("." + node.label) else {
      return []
    }
    let own: [Wiring.NodeKind: String] = [
      .exchange: "JunctorChannels.Exchange", .serviceSet: "JunctorServices.Services",
      .multicast: "JunctorDelegates.MulticastRegistry",
    ]
    if own[node.kind] == type { return [] }
    return [DisplayText.line(type)]
  }

  /// A node's state, unless all is well. A service that is set aside is one that nobody has asked for yet.
  static func statePhrase(of node: Wiring.Node) -> [String] {
    node.kind == .service && node.state == .paused ? ["not built yet"] : statePhrase(node.state)
  }

  /// The state, unless all is well.
  static func statePhrase(_ state: Wiring.State) -> [String] {
    switch state {
    case .alive: []
    case .paused: ["paused"]
    case .pending(let count): ["pending \(count)"]
    case .dead: ["dead"]
    case .failed: ["failed"]
    }
  }

  /// What was counted, by name, without zeros.
  static func counterPhrases(_ counters: [String: UInt64]) -> [String] {
    counters.filter { $0.value != 0 }.sorted { $0.key < $1.key }
      .map { "\(DisplayText.line($0.key)) \($0.value)" }
  }

  /// How long things took, by name.
  static func timePhrases(_ times: [String: Duration]) -> [String] {
    times.sorted { $0.key < $1.key }.map { "\(DisplayText.line($0.key)) \($0.value.brief)" }
  }

  /// Where it was made.
  static func sitePhrase(_ site: SourceSite?) -> [String] {
    guard let site, !site.fileID.isEmpty else { return [] }
    return ["\(DisplayText.line(site.fileID, limit: 96)):\(site.line)"]
  }
}
