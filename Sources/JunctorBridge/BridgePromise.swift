/// What is promised for the messages that cross a bridge.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct BridgePromise: Sendable, Hashable {
  /// The name under which the server remembers what this side has had; `nil` where it remembers nothing.
  public let durable: String?

  /// A message that arrives does so once and in its sender's order, and one that is lost is counted.
  public static let atMostOnce = BridgePromise(durable: nil)

  /// A message that the server has accepted arrives everywhere, also where nobody was connected.
  ///
  /// Listeners see it once, unless their process ended after they had it and before the server knew.
  ///
  /// - Parameter durable: names this side, the same after every start and different from all others: letters, digits,
  ///   `-` and `_`. Members of one group share it.
  /// - Returns: the promise.
  public static func atLeastOnce(durable: String) -> BridgePromise {
    BridgePromise(durable: durable)
  }

  /// Whether accepted messages must not be lost.
  public var isAtLeastOnce: Bool { durable != nil }
}
