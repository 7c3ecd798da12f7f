internal import JunctorCore

extension HandoverLedger {
  /// Adds the receivers, who handed to them, what waits and who awaits a result.
  func report(to builder: inout WiringBuilder) {
    for entry in entries() { entry.report(to: &builder) }

  }
}

extension HandoverLedger.Entry {
  /// Adds one receiver and what leads to it.
  func report(to builder: inout WiringBuilder) {
    // Nothing is retained: the last release of a receiver belongs where the receiver does.
    guard let reference = record.receiver, reference.isAlive else { return }
    let receiver = builder.node(for: reference, kind: .receiver, site: record.site)
    builder.describe(receiver) { node in
      node.kind = .receiver
      node.site = node.site ?? record.site
      node.counters["handovers"] = deliveries
      if !record.pending.isEmpty { node.state = .pending(record.pending.count) }
    }
    for sender in record.senders {
      guard sender.object.isAlive else { continue }
      builder.join(
        Wiring.Edge(
          from: builder.node(for: sender.object), to: receiver, kind: .handedOver,
          site: sender.site,
          state: record.pending.contains(sender.site) ? .pending(record.pending.count) : .alive,
          counters: ["handovers": sender.count]))
    }
    for request in record.requests where request.phase.isOpen {
      let requester: Wiring.NodeID
      if let object = request.requester, object.isAlive {
        requester = builder.node(for: object)
      } else {
        requester = builder.add(.object, label: "request \(request.id)", site: request.site)
      }
      builder.join(
        Wiring.Edge(
          from: requester, to: receiver, kind: .awaitsResult, label: "request \(request.id)",
          site: request.site, state: .pending(1)))
    }
  }
}

extension WiringBuilder {
  /// The node of an object that is not retained.
  fileprivate mutating func node(
    for object: WeakObject, kind: Wiring.NodeKind = .object, site: SourceSite? = nil
  ) -> Wiring.NodeID {
    node(identity: object.identity, keeper: object, type: object.type, kind: kind, site: site)
  }
}
