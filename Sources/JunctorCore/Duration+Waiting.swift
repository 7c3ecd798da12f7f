package import Dispatch

extension Duration {
  /// The duration as any clock can wait for it: not below zero, and at most a hundred years, which are as good as for ever.
  ///
  /// The system's clocks end the process for a deadline whose seconds do not fit into 64 bits.
  package var waitable: Duration { min(max(self, .zero), .seconds(3_155_760_000)) }

  /// The duration as a dispatch timer takes it, never shorter: in nanoseconds up to two seconds, then in milliseconds.
  ///
  /// Where `Int` has 32 bits, 24 days at most.
  package var dispatchInterval: DispatchTimeInterval {
    if self < .seconds(2) { return .nanoseconds(Int(waitable.nanoseconds)) }
    return .milliseconds(Int(clamping: (waitable.nanoseconds + 999_999) / 1_000_000))
  }
}
