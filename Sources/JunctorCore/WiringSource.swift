internal import Synchronization

/// What reports itself into the wiring: an exchange, a multicast, a receiver's table, a set of services.
package protocol WiringSource: AnyObject, Sendable {
  /// Adds what this knows. Called with no lock held; must not wait for a call-back of the user's.
  func report(to builder: inout WiringBuilder)

  /// The history was turned on or off; asks `WiringHistory.isOn` under a lock of its own which. Called with no lock held.
  ///
  /// A source that is made while the history is on looks for itself, after it has joined the registry.
  func historyDidChange()
}

extension WiringSource {
  /// Does nothing, for sources that look each time.
  package func historyDidChange() {}
}

/// Collects the nodes and edges of one snapshot.
package struct WiringBuilder {
  private var wiring = Wiring()
  private var names: [ObjectIdentifier: Wiring.NodeID] = [:]
  private var files: [String: Wiring.NodeID] = [:]
  // An address names an object only as long as the object lives: until the snapshot is finished.
  private var held: [AnyObject] = []

  /// Begins an empty snapshot.
  package init() {}

  /// The node of an object; made at its first mention, and then described once more by `describe` if need be.
  package mutating func node(
    for object: AnyObject, kind: Wiring.NodeKind = .object, label: String? = nil,
    site: SourceSite? = nil
  ) -> Wiring.NodeID {
    if let known = names[ObjectIdentifier(object)] { return known }
    let type = String(reflecting: Swift.type(of: object))
    let id = add(
      kind, label: label ?? String(describing: Swift.type(of: object)), type: type, site: site)
    names[ObjectIdentifier(object)] = id
    held.append(object)
    return id
  }

  /// The node of an object that was mentioned; `nil` for any other.
  package func knownNode(for object: AnyObject) -> Wiring.NodeID? {
    names[ObjectIdentifier(object)]
  }

  /// The node of an object that must not be retained here, because its last release might then be here as well.
  ///
  /// That matters for objects that are confined to an isolation and do things in their `deinit`.
  ///
  /// - Parameters:
  ///   - identity: names the object.
  ///   - keeper: keeps the address taken while it lives, as an `OwnerReference` does; held for the snapshot.
  ///   - type: the object's type.
  ///   - kind: what it is.
  ///   - site: where it was made.
  package mutating func node(
    identity: ObjectIdentifier, keeper: AnyObject, type: AnyClass,
    kind: Wiring.NodeKind = .object, site: SourceSite? = nil
  ) -> Wiring.NodeID {
    if let known = names[identity] { return known }
    let id = add(
      kind, label: String(describing: type), type: String(reflecting: type), site: site)
    names[identity] = id
    held.append(keeper)
    return id
  }

  /// The node of an entry's owner, which is not retained; `nil` if it has none or that has died.
  package mutating func node(ownerOf entry: _ListEntry) -> Wiring.NodeID? {
    // The entry keeps the address taken.
    entry.owner.naming.map { node(identity: $0.identity, keeper: entry, type: $0.type) }
  }

  /// The node of whoever does something at a place in the source, where no object is known: one for each file.
  package mutating func node(at site: SourceSite) -> Wiring.NodeID {
    let file = site.fileID
    if let known = files[file] { return known }
    let name = file.split(separator: "/").last.map(String.init) ?? "unknown"
    let id = add(.object, label: name, site: site)
    files[file] = id
    return id
  }

  /// A node that stands for no object that others could mention: a dead owner, a service not yet built.
  package mutating func add(
    _ kind: Wiring.NodeKind, label: String, type: String? = nil, parent: Wiring.NodeID? = nil,
    site: SourceSite? = nil, state: Wiring.State = .alive, counters: [String: UInt64] = [:]
  ) -> Wiring.NodeID {
    let id = Wiring.NodeID(wiring.nodes.count + 1)
    wiring.nodes.append(
      Wiring.Node(
        id: id, kind: kind, label: label, type: type, parent: parent, site: site, state: state,
        counters: counters))
    return id
  }

  /// Changes what is said of a node.
  package mutating func describe(_ id: Wiring.NodeID, _ change: (inout Wiring.Node) -> Void) {
    change(&wiring.nodes[id.rawValue - 1])
  }

  /// Joins two nodes.
  package mutating func join(_ edge: Wiring.Edge) { wiring.edges.append(edge) }

  /// The finished snapshot. The objects that were held meanwhile are let go when the builder goes.
  package func finish() -> Wiring { wiring }
}

/// Knows every source, weakly.
package enum WiringRegistry {
  private static let sources = Mutex<[UInt64: SourceBox]>([:])

  // `OwnerReference` cannot be copied; a dictionary needs something that can.
  private final class SourceBox: Sendable {
    let reference: OwnerReference
    init?(_ source: any WiringSource) {
      guard let reference = OwnerReference(source) else { return nil }
      self.reference = reference
    }
  }

  /// Adds a source. Returns the number to take it out by, in its `deinit`.
  package static func add(_ source: any WiringSource) -> UInt64 {
    let id = Identifier.next()
    guard let box = SourceBox(source) else { return id }
    sources.withLock { $0[id] = box }
    return id
  }

  /// Takes a source out. Works from its `deinit`.
  package static func remove(_ id: UInt64) {
    let box = sources.withLock { $0.removeValue(forKey: id) }
    _ = box
  }

  /// The sources that are alive, in the order in which they were added.
  package static func living() -> [any WiringSource] {
    let boxes = sources.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
    return boxes.compactMap { $0.reference.object as? any WiringSource }
  }
}

extension Wiring {
  /// Who is joined to whom in this process, now.
  ///
  /// ## Concurrency
  /// May be called from any thread. Never blocks a post or a look-up for longer than it takes to copy a list, and runs no
  /// code of the user's but the `deinit` of objects that died meanwhile.
  ///
  /// - Returns: the nodes and edges that the mechanisms in use report.
  /// - Complexity: O(number of registrations).
  public static func snapshot() -> Wiring {
    var builder = WiringBuilder()
    for source in WiringRegistry.living() { source.report(to: &builder) }
    return builder.finish()
  }
}
