internal import JunctorCore

/// How many messages may wait for an asynchronous listener, and which gives way to more.
///
/// Every message that gives way is counted in the receipt and in the listener's counters, and the first is reported.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct BufferPolicy: Sendable, Hashable {
  /// The policy, as mailboxes know it.
  let limit: MailboxLimit

  /// As many as come. Memory is the limit.
  public static let unbounded = BufferPolicy(limit: .unbounded)

  /// At most so many; the oldest gives way. Zero or less: none ever waits, so none is delivered.
  ///
  /// - Parameter count: how many may wait.
  /// - Returns: the policy.
  /// - Complexity: O(1).
  public static func dropOldest(_ count: Int) -> BufferPolicy {
    BufferPolicy(limit: .dropOldest(count))
  }

  /// At most so many; what comes then is dropped. Zero or less: everything is.
  ///
  /// - Parameter count: how many may wait.
  /// - Returns: the policy.
  /// - Complexity: O(1).
  public static func dropNewest(_ count: Int) -> BufferPolicy {
    BufferPolicy(limit: .dropNewest(count))
  }

  /// What holds where nothing is said: 65 536, the oldest gives way.
  public static let standard = BufferPolicy.dropOldest(65_536)
}
