internal import JunctorCore

/// The short phrases that renderings put beside a node or an edge.
enum Details {
  /// Everything known of a node but its title, its parent and its findings.
  static func phrases(_ node: Wiring.Node) -> [String] {
    typePhrase(node) + statePhrase(node.state) + counterPhrases(node.counters)
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
    if let label = edge.label { phrases.append("'\(DisplayText.line(label))'") }
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
    times.sorted { $0.key < $1.key }.map { "\(DisplayText.line($0.key)) \(text($0.value))" }
  }

  /// Where it was made.
  static func sitePhrase(_ site: SourceSite?) -> [String] {
    guard let site, !site.fileID.isEmpty else { return [] }
    return ["\(DisplayText.line(site.fileID, limit: 96)):\(site.line)"]
  }

  /// A duration in the unit that suits it, with one decimal.
  static func text(_ duration: Duration) -> String {
    let nanoseconds = max(0, duration.nanoseconds)
    let units: [(Int64, String)] = [
      (1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs"),
    ]
    for (size, name) in units where nanoseconds >= size {
      let tenths = nanoseconds / (size / 10)
      return "\(tenths / 10).\(tenths % 10) \(name)"
    }
    return "\(nanoseconds) ns"
  }
}

extension Duration {
  /// The duration in whole nanoseconds, clamped to what 64 bits hold.
  var nanoseconds: Int64 {
    let (whole, overflow) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, second) = whole.addingReportingOverflow(components.attoseconds / 1_000_000_000)
    if overflow || second { return components.seconds < 0 ? .min : .max }
    return sum
  }
}
