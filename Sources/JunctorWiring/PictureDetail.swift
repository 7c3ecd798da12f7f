internal import JunctorCore

/// How much a picture says in each node, so that it stays legible however many there are.
enum PictureDetail: Sendable {
  /// Type, state, counters and site; labels on edges.
  case full
  /// Type and state; no labels on edges, which lines would cross.
  case brief
  /// State only.
  case compact

  /// Chooses by the picture's size.
  init(nodes: Int, edges: Int) {
    switch max(nodes, edges) {
    case ...30: self = .full
    case ...80: self = .brief
    default: self = .compact
    }
  }

  /// Whether edges carry labels.
  var showsEdgeLabels: Bool { self == .full }

  /// The small lines below a node's label.
  func lines(_ node: Wiring.Node) -> [String] {
    let kind = [DisplayText.line(node.kind.rawValue)]
    // What is dead or failed is said by its finding.
    let state = node.state.isFinding ? [] : Details.statePhrase(of: node)
    let numbers = Details.counterPhrases(node.counters) + Details.timePhrases(node.times)
    let lines =
      switch self {
      case .full:
        [kind + Details.typePhrase(node), state + numbers, Details.sitePhrase(node.site)]
      case .brief: [kind + Details.typePhrase(node), state]
      case .compact: [state]
      }
    return lines.filter { !$0.isEmpty }.map { $0.joined(separator: " · ") }
  }
}

extension Wiring.State {
  /// Whether the state alone makes a finding.
  fileprivate var isFinding: Bool {
    switch self {
    case .dead, .failed: true
    case .alive, .paused, .pending: false
    }
  }
}
