#if Inspector
  internal import JunctorCore

  /// What an inspector shows: the process, or in tests something made by hand.
  struct InspectorFeed: Sendable {
    /// Who is joined to whom, now.
    var snapshot: @Sendable () -> Wiring
    /// The events after one, at most so many.
    var page: @Sendable (_ number: UInt64, _ limit: Int) -> Wiring.HistoryPage
    /// The number of the latest event.
    var last: @Sendable () -> UInt64

    /// This process.
    static let process = InspectorFeed(
      snapshot: { Wiring.snapshot() },
      page: { number, limit in Wiring.History.page(after: number, limit: limit) },
      last: { Wiring.History.last })
  }
#endif
