internal import JunctorCore
internal import Synchronization

extension Services {
  /// Has transients recorded as they are made, or not, as the history is.
  package func historyDidChange() {
    for slot in allSlots {
      slot.state.withLock { machine in slot.show(machine) }
    }
  }
}

extension ServiceSlot {
  /// Notes and records how one run of the provider ended.
  ///
  /// - Parameters:
  ///   - error: what it failed with, if it did; its description is asked for with no lock held.
  ///   - site: where the service was asked for.
  ///   - duration: how long it took, where that is known.
  ///   - isCurrent: whether it is of the present registration; what another one's run failed with is of no interest.
  func noteRun(
    _ error: (any Error)?, at site: SourceSite, took duration: Duration?,
    isCurrent: Bool = true
  ) {
    // Who asked has gone; that is no fault of the provider's.
    let isFault = error != nil && !(error is CancellationError)
    let words = error.map { isFault ? "\($0)" : "" }
    let old = state.withLock { machine -> String? in
      let old = machine.failure
      guard isCurrent, old != nil || isFault else { return nil }
      machine.failure = isFault ? words : nil
      show(machine)
      return old
    }
    _ = old
    guard WiringHistory.isOn else { return }
    let ended = WiringHistory.now()
    let (seconds, rest) = (duration ?? .zero).components
    let nanoseconds = UInt64(clamping: seconds &* 1_000_000_000 &+ rest / 1_000_000_000)
    WiringHistory.record(
      isFault ? .failure : .build, label, site: site,
      began: duration == nil ? 0 : ended &- min(nanoseconds, ended), ended: ended, count: 1)
  }
}
