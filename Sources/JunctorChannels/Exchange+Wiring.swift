package import JunctorCore

extension Exchange: WiringSource {
  /// Reports the exchange, its channels and those who listen to them.
  package func report(to builder: inout WiringBuilder) {
    let home = builder.node(for: self, kind: .exchange, label: label, site: site)
    for topic in livingTopics() {
      let channel = builder.node(for: topic, kind: .channel, label: topic.name, site: topic.site)
      builder.describe(channel) { node in
        node.type = topic.kind.name()
        node.parent = home
      }
      for entry in topic.list.entries() {
        guard let listing = (entry as? any OwnListener)?.listing else { continue }
        let listener: Wiring.NodeID
        if let owner = builder.node(ownerOf: entry) {
          listener = owner
        } else {
          listener = builder.add(
            .object, label: listing.label ?? (listing.owner == nil ? "subscription" : "gone"),
            site: listing.site, state: listing.isAlive ? .alive : .dead)
        }
        builder.join(
          Wiring.Edge(
            from: channel, to: listener, kind: .listens, label: listing.label, site: listing.site,
            state: listing.state, priority: listing.priority, isolation: listing.place,
            counters: listing.counters))
      }
    }
  }
}

extension ExchangeSnapshot.Listener {
  /// How the wiring says that it is.
  fileprivate var state: Wiring.State {
    if !isAlive { return .dead }
    if isPaused { return .paused }
    return pending > 0 ? .pending(pending) : .alive
  }
}
