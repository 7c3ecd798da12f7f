extension Wiring.NodeKind: CustomStringConvertible {
  /// The kind's name.
  public var description: String { rawValue }
}

extension Wiring.EdgeKind: CustomStringConvertible {
  /// The kind's name.
  public var description: String { rawValue }
}

extension Wiring.State: CustomStringConvertible {
  /// A word, with the number of what waits or the reason of a failure.
  public var description: String {
    switch self {
    case .alive: "alive"
    case .paused: "paused"
    case .pending(let count): "pending \(count)"
    case .dead: "dead"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}

extension Wiring.Node: CustomStringConvertible {
  /// The kind, the name, the number and the place: `channel 'news' n3 (App/News.swift:12)`.
  public var description: String {
    "\(kind) '\(shown(label))' \(id)\(Wiring.place(site))"
  }
}

extension Wiring.Edge: CustomStringConvertible {
  /// Both ends with the kind between them, and where it was made: `n3 listens n4 (App/News.swift:12)`.
  public var description: String { "\(from) \(kind) \(to)\(Wiring.place(site))" }
}

extension Wiring {
  /// A place behind what it belongs to, in parentheses.
  fileprivate static func place(_ site: SourceSite?) -> String {
    guard let site, !site.fileID.isEmpty else { return "" }
    return " (\(site))"
  }
}
