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

extension Services {
  /// Makes a set known to the wiring before it has anything of its own, as long as the history is on: somebody looks.
  func showIfWatched() {
    if WiringHistory.isOn { state.withLock { joinWiring(&$0) } }
  }
}

extension ServiceSlot {
  /// Adds the service and what it was built with.
  func report(to builder: inout WiringBuilder, set: Wiring.NodeID) {
    let (definition, decorators, record, wiringState) = state.withLock { machine in
      (machine.definition, machine.decorators.count, machine.record, machine.wiringState)
    }
    // A set that only decorates what a set behind it provides has nothing but that.
    guard definition != nil || decorators > 0 else { return }
    let site = step.site
    let node = builder.node(for: self, kind: .service, label: label, site: site)
    builder.describe(node) { node in
      node.type = key.typeName
      node.parent = set
      node.site = site
      node.state = wiringState
      if let record { node.times["build"] = record.duration }
    }
    builder.join(
      Wiring.Edge(
        from: set, to: node, kind: .provides,
        label: [
          definition.map { "\($0.lifetime)" },
          decorators > 0 ? counted(decorators, "decorator") : nil,
        ].compactMap { $0 }.joined(separator: ", "),
        site: site, state: wiringState))
    for dependency in record?.dependencies ?? [] {
      guard let other = dependency.slot.slot else { continue }
      let target = builder.node(
        for: other, kind: .service, label: other.label, site: other.step.site)
      // It is this provider that asked, wherever the first one was asked for.
      builder.join(Wiring.Edge(from: node, to: target, kind: .dependsOn, site: site))
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
