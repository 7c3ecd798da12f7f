internal import JunctorCore

/// Which part of a picture a node or an edge belongs to.
enum Mechanism: String, Sendable, CaseIterable {
  /// Channels and exchanges.
  case channels = "Channels"
  /// Multicasts.
  case delegates = "Delegates"
  /// Receivers.
  case handover = "Handover"
  /// Services and their sets.
  case services = "Services"
  /// Everything else.
  case objects = "Objects"

  /// The part that a kind of node belongs to.
  init(_ kind: Wiring.NodeKind) {
    switch kind {
    case .channel, .exchange: self = .channels
    case Wiring.NodeKind("bridge"), Wiring.NodeKind("connection"): self = .channels
    case .multicast: self = .delegates
    case .receiver: self = .handover
    case .service, .serviceSet: self = .services
    default: self = .objects
    }
  }

  /// The part that a kind of edge belongs to.
  init(_ kind: Wiring.EdgeKind) {
    switch kind {
    case .listens, .posts: self = .channels
    case Wiring.EdgeKind("bridges over"): self = .channels
    case .delegates: self = .delegates
    case .handedOver, .awaitsResult: self = .handover
    case .provides, .dependsOn, .fallsBack: self = .services
    default: self = .objects
    }
  }
}

/// How an edge is drawn.
enum Stroke: String, Sendable {
  case solid, dashed, dotted

  /// The stroke that tells one kind of edge from the others of its mechanism.
  init(_ kind: Wiring.EdgeKind) {
    switch kind {
    case .posts, .awaitsResult, .dependsOn: self = .dashed
    case .fallsBack: self = .dotted
    default: self = .solid
    }
  }
}
