internal import JunctorCore
internal import Synchronization

extension Exchange {
  /// Watches the exchange from now on, in the place of whatever was watched before.
  ///
  /// - Parameters:
  ///   - options: what is watched.
  ///   - clock: measures how long things take.
  /// - Complexity: O(number of channels).
  public func observe<C: Clock>(
    _ options: ObservationOptions, clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    let start = clock.now
    replaceObservation(Observation(options) { start.duration(to: clock.now) })
    addInherited(.observed)
  }

  /// Watches the exchange no longer, and forgets what was seen. Posts look for watchers once more, and find none.
  ///
  /// - Complexity: O(posts kept).
  public func stopObserving() { replaceObservation(nil) }

  /// The last posts, oldest first; none unless they are kept.
  ///
  /// - Complexity: O(posts kept).
  public var history: [PostRecord] { currentObservation?.history ?? [] }

  /// What is watched, if anything is.
  var currentObservation: Observation? { observation.withLock { $0 } }

  private func replaceObservation(_ new: Observation?) {
    // A hook may die with what was there: outside the lock.
    let old = observation.withLock { current in
      let old = current
      current = new
      return old
    }
    _ = old
  }

  /// Notes that a post begins, if anybody watches.
  func beginPost(_ topic: Topic, _ site: SourceSite) -> Observation.Begun? {
    currentObservation.map { Observation.Begun($0, topic, at: site) }
  }
}
