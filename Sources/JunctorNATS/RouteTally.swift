#if NATS
  /// What became of the frames of one subscription: all that came were delivered or lost once it is over.
  ///
  /// ## Concurrency
  /// A value; confined to whoever holds it.
  struct RouteTally: Sendable {
    /// How many were handed on.
    private(set) var delivered: UInt64 = 0
    /// How many were lost, as far as that is known.
    private(set) var lost: UInt64 = 0
    private var arrived: UInt64 = 0

    /// Counts one that is handed on.
    mutating func deliver() { delivered += 1 }

    /// Notes how many the client says it lost. It forgets its counts when the subscription ends.
    mutating func note(dropped: UInt64) { lost = max(lost, dropped) }

    /// Notes how many the client says have come, those that wait included.
    mutating func note(arrived: UInt64) { self.arrived = max(self.arrived, arrived) }

    /// Notes that no more will be handed on: what still waits is lost.
    mutating func end() {
      if arrived > delivered { lost = max(lost, arrived - delivered) }
    }
  }
#endif
