public import CJunctorCore
internal import Synchronization

/// Where the mechanisms record what happens, if anybody asked for it.
///
/// Nothing is recorded, and nothing but one relaxed load is paid, until `Wiring.History.start` is called. An event
/// without a duration is recorded so:
///
///     if WiringHistory.isOn { WiringHistory.record(.drop, name, site: site) }
///
/// and one with a duration so, where `began` is 0 if nobody asked:
///
///     let began = WiringHistory.begin()
///     … what is measured …
///     if began != 0 { WiringHistory.record(.post, name, site: site, began: began, count: reached) }
///
/// Call `record` with no lock held. What is too quick even for that load is told instead when the history is turned on and
/// off, see `WiringSource.historyDidChange()`, and takes a slower path meanwhile.
@usableFromInline
package enum WiringHistory {
  private static let state = Mutex(HistoryRing())

  /// Whether events are recorded. One relaxed load.
  @inlinable
  package static var isOn: Bool { junctor_history_is_on() }

  /// The time from which an event is measured, or 0 if nothing is recorded. One relaxed load in that case.
  @inlinable
  package static func begin() -> UInt64 { junctor_history_is_on() ? junctor_nanoseconds() : 0 }

  /// The time now, never 0: for several events that follow one another.
  @inlinable
  package static func now() -> UInt64 { junctor_nanoseconds() }

  /// How long something took. Times of two threads, or very close ones, may come in either order.
  @inlinable
  package static func duration(from began: UInt64, to ended: UInt64) -> UInt64 {
    ended > began ? ended &- began : 0
  }

  /// Records an event, and forgets the oldest if there is no room.
  ///
  /// - Parameters:
  ///   - kind: what it is.
  ///   - label: what it happened to; the string itself is kept, not a copy.
  ///   - site: where it was asked for.
  ///   - began: what `begin()` returned, or 0 where nothing was measured.
  ///   - ended: when it ended; 0 for now.
  ///   - count: how many it reached.
  /// - Complexity: O(1), no allocation.
  package static func record(
    _ kind: Wiring.EventKind, _ label: consuming String, site: SourceSite? = nil,
    began: UInt64 = 0, ended: UInt64 = 0, count: Int = 0
  ) {
    put(
      HistoryRing.Record(
        kind: kind, subject: .name(label), site: site, began: began,
        ended: ended == 0 ? junctor_nanoseconds() : ended, count: count))
  }

  /// Records an event of something that has no name of its own.
  ///
  /// - Parameters:
  ///   - kind: what it is.
  ///   - subject: what it happened to.
  ///   - site: where it was asked for.
  ///   - began: what `begin()` returned, or 0 where nothing was measured.
  ///   - ended: when it ended; 0 for now.
  ///   - count: how many it reached.
  /// - Complexity: O(1), no allocation.
  package static func record(
    _ kind: Wiring.EventKind, _ subject: consuming WiringSubject, site: SourceSite? = nil,
    began: UInt64 = 0, ended: UInt64 = 0, count: Int = 0
  ) {
    put(
      HistoryRing.Record(
        kind: kind, subject: subject, site: site, began: began,
        ended: ended == 0 ? junctor_nanoseconds() : ended, count: count))
  }

  /// Records an event, and has it counted under the same lock: a lock of its own for what is counted would cost as much as
  /// all the rest.
  ///
  /// - Parameters:
  ///   - kind: what it is.
  ///   - subject: what it happened to.
  ///   - site: where it was asked for.
  ///   - began: when it began.
  ///   - ended: when it ended.
  ///   - count: how many it reached.
  ///   - counting: changes what `locked(_:)` guards; not called, and nothing recorded, once the history is off. No code
  ///     of the user's, nothing that may be the last release of an object, and no other lock in there.
  /// - Complexity: O(1), no allocation.
  package static func record(
    _ kind: Wiring.EventKind, _ subject: consuming WiringSubject, site: SourceSite?,
    began: UInt64, ended: UInt64, count: Int, counting: () -> Void
  ) {
    var record = HistoryRing.Record(
      kind: kind, subject: subject, site: site, began: began, ended: ended, count: count)
    state.withLock { ring in
      guard junctor_history_is_on() else { return }
      counting()
      ring.append(&record)
    }
    _ = consume record
  }

  /// Looks at or changes what is counted beside events, of whatever mechanism.
  ///
  /// The history's lock is the innermost: it may be taken under another one, and none is taken under it.
  package static func locked(_ body: () -> Void) { state.withLock { _ in body() } }

  @inline(__always)
  private static func put(_ record: consuming HistoryRing.Record) {
    // What gives way may be let go for the last time: outside.
    state.withLock { $0.append(&record) }
  }

  /// Counts one more who asks for events, and makes room for them.
  static func start(capacity: Int) {
    junctor_prepare_clock()
    let (old, isNews) = state.withLock { ring in
      let isNews = !junctor_history_is_on()
      junctor_history_count(1)
      return (ring.grow(to: capacity), isNews)
    }
    _ = old
    if isNews { tellSources() }
  }

  /// Counts one fewer who asks; forgets everything with the last.
  static func stop() {
    let (old, isNews) = state.withLock { ring -> ([HistoryRing.Record], Bool) in
      guard junctor_history_is_on() else { return ([], false) }
      junctor_history_count(-1)
      return junctor_history_is_on() ? ([], false) : (ring.empty(), true)
    }
    _ = old
    if isNews { tellSources() }
  }

  // Each looks for itself whether the history is on, so of two that are told at once the later is right.
  private static func tellSources() {
    for source in WiringRegistry.living() { source.historyDidChange() }
  }

  /// The events after a number, oldest first, at most so many.
  static func page(after number: UInt64, limit: Int) -> Wiring.HistoryPage {
    state.withLock { $0.copy(after: number, limit: limit) }.page
  }

  /// The number of the latest event.
  static var last: UInt64 { state.withLock { $0.last } }
}

extension Wiring {
  /// The last events of the whole process, recorded while somebody asks for them.
  ///
  ///     Wiring.History.start(capacity: 1_000)
  ///     …
  ///     for event in Wiring.History.page().events { print(event) }
  ///     Wiring.History.stop()
  ///
  /// ## Concurrency
  /// May be used from any thread; no code of the user's runs in it. The memory it takes is that of so many events as
  /// were asked for, whatever happens. Those who record wait for those who read no longer than it takes to copy a page.
  public enum History {
    /// Whether events are recorded.
    public static var isOn: Bool { WiringHistory.isOn }

    /// The number of the latest event.
    public static var last: UInt64 { WiringHistory.last }

    /// Begins to record; each start needs a stop of its own.
    ///
    /// From then on the wiring also knows who posts, and counts posts and calls.
    ///
    /// - Parameter capacity: how many events are kept; the largest number asked for counts.
    /// - Complexity: O(capacity + channels, multicasts, receivers and services).
    public static func start(capacity: Int = 1_000) {
      WiringHistory.start(capacity: min(max(1, capacity), 1 << 24))
    }

    /// Ends what one `start` began; the last one forgets all events.
    ///
    /// - Complexity: as `start(capacity:)`.
    public static func stop() { WiringHistory.stop() }

    /// Returns the events after one.
    ///
    /// - Parameters:
    ///   - number: the number of an event, or 0 for all that are kept.
    ///   - limit: how many events to return at most.
    /// - Returns: the events, oldest first, and how many between `number` and the first of them are lost.
    /// - Complexity: O(events returned).
    public static func page(after number: UInt64 = 0, limit: Int = .max) -> HistoryPage {
      WiringHistory.page(after: number, limit: limit)
    }
  }
}
