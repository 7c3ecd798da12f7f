internal import JunctorCore

extension MulticastRegistry: WiringSource {
  /// Reports the multicast and its living targets.
  package func report(to builder: inout WiringBuilder) {
    let node = builder.node(for: self, kind: .multicast, label: label, site: site)
    let unreached = unreachedCallCount
    builder.describe(node) { node in
      node.kind = .multicast
      node.label = label
      node.site = site
      if unreached > 0 { node.counters["unreached calls"] = unreached }
    }
    for entry in list.entries() {
      guard let object = entry.owner.object else { continue }
      let target: Wiring.NodeID
      if let nested = (object as? any MulticastHolder)?.multicastRegistry {
        target = builder.node(
          for: nested, kind: .multicast, label: nested.label, site: nested.site)
      } else {
        target = builder.node(for: object)
      }
      let retaining = (entry as? MulticastEntry)?.isRetaining == true
      builder.join(
        Wiring.Edge(
          from: node, to: target, kind: .delegates, label: retaining ? "retained" : nil,
          site: entry.site, state: entry.isPaused ? .paused : .alive))
    }
  }
}
