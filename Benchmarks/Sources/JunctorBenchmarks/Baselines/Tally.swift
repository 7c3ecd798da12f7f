/// Counts what handlers hear, without a lock.
///
/// ## Concurrency
/// For loops that deliver on one thread at a time.
// SAFETY: every use is in a loop that delivers on one thread at a time; the figures would mean nothing otherwise.
final class Tally: @unchecked Sendable {
  /// What was heard so far.
  var sum = 0

  /// Hears one message.
  ///
  /// - Parameter value: the message.
  @inline(__always)
  func hear(_ value: Int) { sum &+= value }
}
