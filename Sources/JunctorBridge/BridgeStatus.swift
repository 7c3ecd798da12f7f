/// What became of the messages of one bridge.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct BridgeStatus: Sendable, Hashable {
  /// How the engine is connected.
  public var connection = BridgeConnectionState.connecting(nil)
  /// The last thing that went wrong, if anything did.
  public var lastError: BridgeError?

  /// How many messages were posted here for others.
  public var posted: UInt64 = 0
  /// How many the server has, or are on their way at most once.
  public var confirmed: UInt64 = 0
  /// How many were lost before they were sent: the buffer was full, or the bridge was closed.
  public var dropped: UInt64 = 0
  /// How many will never get through: too large, not encodable, refused by the server.
  public var refused: UInt64 = 0
  /// How many frames were sent again.
  public var resent: UInt64 = 0
  /// How many messages wait to leave.
  public var pending = 0
  /// How many frames are on their way, unconfirmed.
  public var inFlight = 0

  /// How many messages arrived from others, those that came again or were of no use included.
  public var received: UInt64 = 0
  /// How many were handed to the listeners here.
  public var delivered: UInt64 = 0
  /// How many came again after they had been handled, and were passed over.
  public var duplicates: UInt64 = 0
  /// How many came back that had left from here, and were passed over.
  public var echoes: UInt64 = 0
  /// How many frames the server delivered more than once.
  public var redelivered: UInt64 = 0
  /// How many are missing, by their senders' numbers; at most once only.
  public var missed: UInt64 = 0
  /// How many could not be decoded.
  public var undecodable: UInt64 = 0
  /// How many were of another type.
  public var wrongType: UInt64 = 0
  /// How many were of a schema that is not read here.
  public var unreadableSchema: UInt64 = 0
  /// How many frames were lost because they came faster than listeners took them.
  public var overrun: UInt64 = 0

  /// Nothing yet.
  init() {}

  /// The counters by name, for the wiring.
  var counters: [String: UInt64] {
    let all: [String: UInt64] = [
      "posted": posted, "confirmed": confirmed, "dropped": dropped, "refused": refused,
      "resent": resent, "received": received, "delivered": delivered, "duplicates": duplicates,
      "echoes": echoes, "redelivered": redelivered, "missed": missed, "undecodable": undecodable,
      "wrong type": wrongType, "unreadable schema": unreadableSchema, "overrun": overrun,
    ]
    return all.filter { $0.value > 0 }
  }
}
