#if NATS
  internal import CJunctorNATS

  /// What the C client does by itself, for bridges to be measured against.
  package enum NATSMeasure {
    /// Receives messages. Returns how many came, and how many seconds passed between the first and the last.
    package static func receive(
      _ url: String, _ subject: String, count: Int, kept: Bool, ready: @convention(c) () -> Void
    ) -> (count: Int, seconds: Double) {
      var seconds = 0.0
      // SAFETY: the strings live through the call, which ends before anything that it made is used again.
      let received = unsafe junctor_nats_measure_receive(
        url, subject, Int64(count), kept, ready, &seconds)
      return (Int(received), seconds)
    }

    /// Sends messages. Returns how many.
    package static func send(
      _ url: String, _ subject: String, count: Int, size: Int, kept: Bool
    ) -> Int {
      // SAFETY: as above.
      unsafe Int(junctor_nats_measure_send(url, subject, Int64(count), size, kept))
    }
  }
#endif
