#if Inspector
  import Synchronization

  @testable import JunctorCore
  @testable import JunctorInspector

  /// A wiring and a history of its own, so that what else runs in the process does not show.
  final class Scene: Sendable {
    private struct State {
      var wiring: Wiring
      var history = HistoryRing()
      var snapshots = 0
    }

    private let state: Mutex<State>

    /// Makes a small wiring: a screen, a channel, a set and a service, whose label can be chosen.
    init(label: String = "Store") {
      let site = SourceSite()
      let nodes: [Wiring.Node] = [
        .init(
          id: .init(1), kind: .object, label: "ReadingScreen", type: "Kit.ReadingScreen", site: site
        ),
        .init(
          id: .init(2), kind: .channel, label: "articleRead", type: "Kit.Article",
          counters: ["posted": 3]),
        .init(id: .init(3), kind: .serviceSet, label: "app"),
        .init(id: .init(4), kind: .service, label: label, times: ["build": .milliseconds(2)]),
      ]
      let edges: [Wiring.Edge] = [
        .init(from: .init(1), to: .init(2), kind: .posts),
        .init(from: .init(2), to: .init(1), kind: .listens, priority: 2, isolation: "MainActor"),
        .init(from: .init(3), to: .init(4), kind: .provides),
      ]
      var history = HistoryRing()
      _ = history.grow(to: 10_000)
      state = Mutex(State(wiring: Wiring(nodes: nodes, edges: edges), history: history))
    }

    /// What the inspector is to show.
    var feed: InspectorFeed {
      InspectorFeed(
        snapshot: {
          self.state.withLock { state in
            state.snapshots += 1
            return state.wiring
          }
        },
        page: { number, limit in
          self.state.withLock { $0.history.page(after: number, limit: limit) }
        },
        last: { self.state.withLock { $0.history.last } })
    }

    /// How many snapshots were taken.
    var count: Int { state.withLock { $0.snapshots } }

    /// Changes the wiring.
    func set(_ change: (inout Wiring) -> Void) { state.withLock { change(&$0.wiring) } }

    /// Lets something happen.
    func record(
      _ kind: Wiring.EventKind, _ label: String, site: SourceSite? = nil, count: Int = 0
    ) {
      var record = HistoryRing.Record(
        kind: kind, subject: .name(label), site: site, began: 1_000, ended: 2_000, count: count)
      state.withLock { $0.history.append(&record) }
    }
  }
#endif
