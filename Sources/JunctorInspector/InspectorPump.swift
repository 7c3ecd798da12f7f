#if Inspector
  internal import CJunctorInspector
  internal import Dispatch
  internal import JunctorCore
  internal import JunctorWiring
  internal import Synchronization

  /// Feeds a server with what happens in the process, ten times a second.
  ///
  /// ## Concurrency
  /// Its ticks run on a queue of its own; `stop` may be called from anywhere, also from what runs in a tick, which then ends
  /// the server when it is done.
  final class InspectorPump: Sendable {
    /// How often, in ticks, open pages are told that the wiring changed.
    private static let lookEvery: UInt64 = 5
    /// How many events go into one message.
    private static let batch = 100

    /// How much longer than the making of a document took the pump waits before it makes the next.
    private static let rest = 10

    private struct State {
      /// Until when no document is made, however much is asked for: a large wiring costs time to write down.
      var restsUntil = ContinuousClock.now
      var isStopped = false
      var hasEnded = false
      var ticks: UInt64 = 0
      var lastEvent: UInt64
      var shown = Wiring()
    }

    private let server: InspectorServer
    private let queue = DispatchQueue(label: "junctor.inspector")
    private let feed: InspectorFeed
    private let state: Mutex<State>
    private let onQueue = DispatchSpecificKey<ObjectIdentifier>()

    /// Makes a pump that does not tick yet.
    init(_ server: InspectorServer, _ feed: InspectorFeed) {
      self.server = server
      self.feed = feed
      state = Mutex(State(lastEvent: feed.last()))
      queue.setSpecific(key: onQueue, value: ObjectIdentifier(self))
    }

    /// Begins to tick.
    func start() { schedule(after: .nanoseconds(0)) }

    private func schedule(after interval: DispatchTimeInterval) {
      queue.asyncAfter(deadline: .now() + interval) { [weak self] in
        self?.tick()
      }
    }

    /// Hands over what is new, if anybody looks.
    private func tick() {
      let ticks: UInt64? = state.withLock { state in
        guard !state.isStopped else { return nil }
        state.ticks += 1
        return state.ticks
      }
      guard let ticks else { return }
      let demand = server.demand()
      if demand.streams > 0 {
        sendEvents()
        if ticks.isMultiple(of: Self.lookEvery) { make { sendChange(demand) } }
      } else {
        let last = feed.last()
        state.withLock { $0.lastEvent = last }
      }
      if demand.wanted, !make({ publish(feed.snapshot(), demand) }) { server.freshen() }
      server.tick()
      if state.withLock({ $0.isStopped }) { end() } else { schedule(after: .milliseconds(100)) }
    }

    /// Ends the server, now or when the tick under way is done.
    func stop() {
      let isFirst = state.withLock { state in
        defer { state.isStopped = true }
        return !state.isStopped
      }
      guard isFirst else { return }
      // A tick that calls this ends the server itself; of any other the end is waited for.
      guard DispatchQueue.getSpecific(key: onQueue) != ObjectIdentifier(self) else { return }
      queue.sync { end() }
    }

    private func end() {
      let isFirst = state.withLock { state in
        defer { state.hasEnded = true }
        return !state.hasEnded
      }
      guard isFirst else { return }
      server.stop()
      Wiring.History.stop()
    }

    /// Makes documents, if the last ones are long enough ago for what they cost. Returns whether it did.
    @discardableResult
    private func make(_ documents: () -> Void) -> Bool {
      let began = ContinuousClock.now
      guard state.withLock({ $0.restsUntil <= began }) else { return false }
      documents()
      let cost = began.duration(to: .now)
      state.withLock { $0.restsUntil = .now + cost * Self.rest }
      return true
    }

    private func publish(_ wiring: Wiring, _ demand: junctor_demand) {
      server.publish(Int(JUNCTOR_WIRING), wiring.json())
      server.publish(Int(JUNCTOR_STATE), InspectorRecord.state(wiring, demand, events: feed.last()))
    }

    private func sendEvents() {
      let last = state.withLock { $0.lastEvent }
      let page = feed.page(last, Self.batch)
      guard page.last > last else { return }
      // Whatever is more than a page can show at this pace is skipped and counted, rather than sent later and later.
      let backlog = feed.last() - page.last
      let skipped = backlog - min(backlog, UInt64(Self.batch))
      state.withLock { $0.lastEvent = page.last + skipped }
      server.append(
        event: "history", InspectorRecord.events(page.events, missed: page.missed + skipped))
    }

    private func sendChange(_ demand: junctor_demand) {
      let wiring = feed.snapshot()
      let (hasChanged, old) = state.withLock { state in
        defer { state.shown = wiring }
        return (state.shown != wiring, state.shown)
      }
      _ = old
      guard hasChanged else { return }
      // First, because a page that is told asks at once and must not get what was there before.
      publish(wiring, demand)
      server.append(event: "wiring", "{}")
    }
  }
#endif
