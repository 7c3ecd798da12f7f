extension Duration {
  /// The duration as any clock can wait for it: not below zero, and at most a hundred years, which are as good as for ever.
  ///
  /// The system's clocks end the process for a deadline whose seconds do not fit into 64 bits.
  package var waitable: Duration { min(max(self, .zero), .seconds(3_155_760_000)) }
}
