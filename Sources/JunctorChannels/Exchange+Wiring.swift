package import JunctorCore
internal import Synchronization

extension Exchange: WiringSource {
  /// Reports the exchange, its channels and those who listen to them.
  package func report(to builder: inout WiringBuilder) {
    let home = builder.node(for: self, kind: .exchange, label: label, site: site)
    for topic in livingTopics() {
      let channel = builder.node(for: topic, kind: .channel, label: topic.name, site: topic.site)
      let traffic = topic.traffic
      builder.describe(channel, type: topic.kind.name(), in: home, traffic)
      let heard = traffic.byListener
      for entry in topic.list.entries() {
        guard let listing = (entry as? any OwnListener)?.listing else { continue }
        let count = heard[entry.id]
        let listener = builder.node(listening: entry, listing)
        builder.join(
          Wiring.Edge(
            from: channel, to: listener, kind: .listens, label: listing.label, site: listing.site,
            state: listing.state, priority: listing.priority, isolation: listing.place,
            counters: listing.counters.merging(
              count.map { ["called": $0.times] } ?? [:], uniquingKeysWith: { first, _ in first }),
            times: count?.longestTimes ?? [:]))
      }
    }
    // A misspelled name is posted to and let go; while posts are recorded it is to be seen all the same.
    for topic in state.withLock({ $0.unheardTopics }) {
      let channel = builder.add(.channel, label: topic.name, site: topic.site)
      builder.describe(channel, type: topic.typeName(), in: home, topic.traffic)
    }
    // In each channel that matches they are met above; here for themselves, whether or not there is one.
    for entry in patterns.entries() {
      guard let listing = (entry as? PatternEntry)?.listing else { continue }
      let listener = builder.node(listening: entry, listing)
      builder.join(
        Wiring.Edge(
          from: home, to: listener, kind: .listens, label: listing.pattern, site: listing.site,
          state: listing.state, priority: listing.priority, isolation: listing.place,
          counters: listing.counters))
    }
    for entry in taps.entries() {
      let tap = builder.add(.object, label: "tap", site: entry.site)
      builder.join(
        Wiring.Edge(
          from: home, to: tap, kind: .listens, label: "tap", site: entry.site,
          state: entry.isPaused ? .paused : .alive, priority: 0, isolation: "the poster",
          counters: [:]))
    }
  }
}

extension WiringBuilder {
  /// Says of a channel's node what it is and what was counted, and adds those who posted.
  fileprivate mutating func describe(
    _ channel: Wiring.NodeID, type: String, in home: Wiring.NodeID, _ traffic: TopicTraffic
  ) {
    describe(channel) { node in
      node.type = type
      node.parent = home
      node.counters = traffic.counters
      node.times = traffic.posts.longestTimes
    }
    for poster in traffic.posters { poster.report(to: &self, channel) }
  }

  /// The node of who listens: the owner, or one that stands for a subscription or for an owner that has gone.
  fileprivate mutating func node(
    listening entry: _ListEntry, _ listing: ExchangeSnapshot.Listener
  ) -> Wiring.NodeID {
    if let owner = node(ownerOf: entry) { return owner }
    return add(
      .object, label: listing.label ?? (listing.owner == nil ? "subscription" : "gone"),
      site: listing.site, state: listing.isAlive ? .alive : .dead)
  }
}

extension TopicTraffic.Poster {
  /// Adds who posted: the sender, or the file where nobody said who.
  fileprivate func report(to builder: inout WiringBuilder, _ channel: Wiring.NodeID) {
    let node: Wiring.NodeID
    if let sender, let naming = sender.reference.naming {
      node = builder.node(identity: naming.identity, keeper: sender, type: naming.type)
    } else {
      node = builder.node(at: site)
    }
    builder.join(
      Wiring.Edge(
        from: node, to: channel, kind: .posts, site: site, counters: ["posted": count.times],
        times: count.longestTimes))
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
