internal import JunctorCore
internal import Synchronization

extension MulticastRegistry: WiringSource {
  /// Reports the multicast and its living targets.
  package func report(to builder: inout WiringBuilder) {
    let node = builder.node(for: self, kind: .multicast, label: label, site: site)
    let unreached = unreachedCallCount
    let traffic = traffic
    builder.describe(node) { node in
      node.kind = .multicast
      node.label = label
      node.site = site
      if unreached > 0 { node.counters["unreached calls"] = unreached }
      guard traffic.calls > 0 else { return }
      node.counters["calls"] = traffic.calls
      node.counters["reached"] = traffic.reached
      if traffic.failed > 0 { node.counters["failed"] = traffic.failed }
      node.times["longest"] = .nanoseconds(Int64(clamping: traffic.longest))
    }
    for (placed, priority) in list.placedEntries() {
      guard let entry = placed as? MulticastEntry, entry.isSettled else { continue }
      let target: Wiring.NodeID
      // Only a multicast is retained here: a target's last release belongs where the target does.
      if entry.isNested,
        let nested = (entry.owner.object as? any MulticastHolder)?.multicastRegistry
      {
        target = builder.node(
          for: nested, kind: .multicast, label: nested.label, site: nested.site)
      } else {
        guard let owner = builder.node(ownerOf: entry) else { continue }
        target = owner
      }
      builder.join(
        Wiring.Edge(
          from: node, to: target, kind: .delegates, label: entry.isRetaining ? "retained" : nil,
          site: entry.site, state: entry.isPaused ? .paused : .alive, priority: priority))
    }
  }
}
