package import JunctorCore
internal import Synchronization

extension Services: WiringSource {
  /// Adds the set, its services, what they were built with, and what stands behind the set.
  package func report(to builder: inout WiringBuilder) {
    let node = builder.node(for: self, kind: .serviceSet, label: name, site: site)
    if let alternate = alternateSet {
      let other = builder.node(
        for: alternate, kind: .serviceSet, label: alternate.name, site: alternate.site)
      builder.join(Wiring.Edge(from: node, to: other, kind: .fallsBack, site: site))
    }
    for slot in allSlots { slot.report(to: &builder, set: node) }
  }
}

extension ServiceSlot {
  /// Adds the service and what it was built with.
  func report(to builder: inout WiringBuilder, set: Wiring.NodeID) {
    let (definition, record, wiringState) = state.withLock { machine in
      (machine.definition, machine.record, machine.wiringState)
    }
    guard let definition else { return }
    let node = builder.node(for: self, kind: .service, label: label, site: definition.site)
    builder.describe(node) { node in
      node.type = key.typeName
      node.parent = set
      node.site = definition.site
      node.state = wiringState
      if let record { node.times["build"] = record.duration }
    }
    builder.join(
      Wiring.Edge(
        from: set, to: node, kind: .provides, label: "\(definition.lifetime)",
        site: definition.site, state: wiringState))
    for dependency in record?.dependencies ?? [] {
      guard let other = dependency.slot.slot else { continue }
      let target = builder.node(
        for: other, kind: .service, label: other.label, site: other.step.site)
      builder.join(
        Wiring.Edge(from: node, to: target, kind: .dependsOn, site: record?.askedAt))
    }
  }

  /// What the service is called in pictures.
  var label: String { key.name.map { "\(key.shortTypeName) (\($0))" } ?? key.shortTypeName }
}

extension ServiceMachine {
  /// How the service is, for pictures.
  var wiringState: Wiring.State {
    if isClosed { return .dead }
    switch phase {
    case .empty: return failure.map(Wiring.State.failed) ?? .paused
    case .building(let build, _): return .pending(WaitGraph.waiters(of: build))
    case .ready: return .alive
    case .weak(let weak, _): return weak.outermost.isAlive ? .alive : .dead
    }
  }
}
