internal import JunctorCore

/// How a bridge treats messages, beyond what it promises.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct BridgeOptions: Sendable, Hashable {
  /// Which way messages cross a bridge.
  public enum Direction: Sendable, Hashable {
    /// Out and in.
    case both
    /// Out only: this process posts and hears nothing of others.
    case outgoing
    /// In only: what is posted here stays here.
    case incoming
  }

  /// Stands before every channel's name on the wire; a dot is put between. Both sides need the same.
  public var prefix = "junctor"

  /// Which way messages cross.
  public var direction = Direction.both

  /// The group of processes of which one handles each message; `nil` where all do.
  ///
  /// A message that somebody in the posting process listens to is handled there and does not go to the group.
  public var group: String?

  /// The version of the schema that messages are sent in.
  public var schema = 1

  /// The versions that are read. Others are counted and reported.
  public var readableSchemas: ClosedRange<Int> = 0...Int.max

  /// The message type's name on the wire; `nil` for its full name in Swift. Both sides need the same.
  public var typeName: String?

  /// How many messages may wait to leave.
  ///
  /// At most once, the oldest gives way to more. At least once, `post` refuses what comes then, and `send` waits.
  public var buffer = 65_536

  /// How many frames may be on their way, unconfirmed: to the server, and from it to the listeners.
  public var window = 1_024

  /// How many messages that wait may travel in one frame; `nil` for 512 at most once, 64 at least once.
  public var batch: Int?

  /// How long the server waits for a message to be handled before it delivers it again.
  public var redeliverAfter = Duration.seconds(30)

  /// How long another process may take to answer.
  public var requestTimeout = Duration.seconds(30)

  /// Begins with what is usual.
  public init() {}

  /// Checks what the compiler cannot.
  func check(_ promise: BridgePromise) throws(BridgeError) {
    func refuse(_ name: String, _ cause: String, _ cure: String) -> BridgeError {
      BridgeError(.invalidOption, "Can't use the option '\(name)': \(cause). \(cure).")
    }
    if buffer < 1 { throw refuse("buffer", "nothing could ever leave", "Make it 1 or more") }
    if !(1...8_192).contains(window) {
      throw refuse("window", "\(window) is out of range", "Use 1 to 8192")
    }
    if let batch, !(1...MessageBatch.largest).contains(batch) {
      throw refuse("batch", "\(batch) is out of range", "Use 1 to \(MessageBatch.largest)")
    }
    if redeliverAfter < .milliseconds(1) {
      throw refuse("redeliverAfter", "it is no time at all", "Make it a second or more")
    }
    for (name, text) in [("group", group), ("durable", promise.durable)] {
      guard let text else { continue }
      let isPlain = text.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45
          || $0 == 95
      }
      if text.isEmpty || text.utf8.count > 64 || !isPlain {
        throw refuse(
          name, "'\(shown(text))' is no name", "Use up to 64 letters, digits, '-' and '_'")
      }
    }
  }

  /// How many messages may travel in one frame.
  func batchLimit(_ promise: BridgePromise) -> Int { batch ?? (promise.isAtLeastOnce ? 64 : 512) }
}
