internal import JunctorCore
internal import Synchronization

/// Shows a confined channel and its listeners to the wiring, which is looked at from anywhere.
///
/// ## Concurrency
/// May be used from any thread. Retained by its channel; retains neither that nor any owner or handler.
final class LocalWiring: WiringSource {
  private let name: String
  private let type: String
  private let site: SourceSite
  private let lines = Mutex<[UInt64: LocalLine]>([:])
  private let wiringID = Mutex<UInt64>(0)

  /// Shows a channel without listeners.
  init<Message>(name: String, type: Message.Type, site: SourceSite) {
    self.name = name
    self.type = String(reflecting: type)
    self.site = site
    let id = WiringRegistry.add(self)
    wiringID.withLock { $0 = id }
  }

  deinit { WiringRegistry.remove(wiringID.withLock { $0 }) }

  /// Shows one more listener.
  func add(_ line: LocalLine) { lines.withLock { $0[line.id] = line } }

  /// Shows a listener no longer.
  func remove(_ line: LocalLine) {
    let gone = lines.withLock { $0.removeValue(forKey: line.id) }
    _ = gone
  }

  func report(to builder: inout WiringBuilder) {
    let all = lines.withLock { $0.values.sorted { $0.key < $1.key } }
    let channel = builder.node(for: self, kind: .channel, label: name, site: site)
    builder.describe(channel) { $0.type = type }
    for line in all {
      let listener: Wiring.NodeID
      if let found = line.owner.naming {
        listener = builder.node(identity: found.identity, keeper: line, type: found.type)
      } else {
        listener = builder.add(
          .object, label: line.label ?? (line.owner.isBound ? "gone" : "subscription"),
          site: line.site, state: line.isAlive ? .alive : .dead)
      }
      builder.join(
        Wiring.Edge(
          from: channel, to: listener, kind: .listens, label: line.label, site: line.site,
          state: line.isAlive ? (line.isPaused ? .paused : .alive) : .dead,
          priority: line.key.priority, isolation: "the poster", counters: [:]))
    }
  }
}
