/// What goes over the wire in one piece.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct BridgeFrame: Sendable, Hashable {
  /// Where it goes, or where it came from.
  public var subject: String

  /// What is said of it. Names and values are one line each.
  public var headers: [String: String]

  /// Its content.
  public var payload: [UInt8]

  /// Tells it from all others: what is sent twice under one name must be kept once. `nil` where that is not asked for.
  public var messageID: String?

  /// Puts a frame together.
  ///
  /// - Parameters:
  ///   - subject: where it goes, or where it came from.
  ///   - headers: what is said of it.
  ///   - payload: its content.
  ///   - messageID: tells it from all others.
  public init(
    subject: String, headers: [String: String] = [:], payload: [UInt8] = [],
    messageID: String? = nil
  ) {
    self.subject = subject
    self.headers = headers
    self.payload = payload
    self.messageID = messageID
  }
}

/// A frame that arrived, and what can be said in return.
///
/// ## Concurrency
/// A value; may be used anywhere. The closures may be called from any thread.
public struct BridgeDelivery: Sendable {
  /// What can be said of a frame that was to be kept until it was handled.
  public enum Outcome: Sendable, Hashable {
    /// It was handled; it need not come again.
    case handled
    /// It can never be handled here; it must not come again.
    case unusable
  }

  /// What arrived.
  public var frame: BridgeFrame

  /// How often it has been delivered to this durable name, this time included.
  public var attempt: Int

  /// Tells the server what became of it; of no effect where nothing is kept.
  public var settle: @Sendable (Outcome) -> Void

  /// Sends a frame to whoever asked; `nil` where nobody did. The frame's subject is of no importance.
  public var reply: (@Sendable (BridgeFrame) -> Void)?

  /// Puts a delivery together; for those who write an engine.
  ///
  /// - Parameters:
  ///   - frame: what arrived.
  ///   - attempt: how often it has been delivered, this time included.
  ///   - settle: tells the server what became of it.
  ///   - reply: sends a frame to whoever asked.
  public init(
    frame: BridgeFrame, attempt: Int = 1,
    settle: @escaping @Sendable (Outcome) -> Void = { _ in },
    reply: (@Sendable (BridgeFrame) -> Void)? = nil
  ) {
    self.frame = frame
    self.attempt = attempt
    self.settle = settle
    self.reply = reply
  }
}
