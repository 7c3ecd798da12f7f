/// What is known of a message that a bridge brought, beside the message.
///
/// ```swift
/// orders.listen(for: self) { me, order in
///   if RemoteMessage.current?.isRedelivered == true { me.checkTwice(order) }
/// }
/// ```
///
/// ## Concurrency
/// A value; may be used anywhere. `current` is set while the listeners of that message are called, wherever they run in
/// the same task.
public struct RemoteMessage: Sendable, Hashable {
  /// Names the process, exchange and bridge that sent it; empty for a sender that is no bridge.
  public var origin: String

  /// The version of the schema that it was sent in; 0 for a sender that is no bridge.
  public var schema: Int

  /// How often it was delivered to this side, this time included.
  public var attempt: Int

  /// Whether it was delivered before, which may or may not have been finished.
  public var isRedelivered: Bool { attempt > 1 }

  /// The message whose listeners are being called.
  @TaskLocal public static var current: RemoteMessage?

  /// Notes what is known.
  init(origin: String, schema: Int, attempt: Int) {
    self.origin = origin
    self.schema = schema
    self.attempt = attempt
  }
}

/// The trace that goes with messages over bridges, in the form of the W3C's header `traceparent`.
///
/// A bridge sends the poster's along, and calls the listeners on the other side with it; what they post goes on with it.
///
/// ## Concurrency
/// May be used anywhere; a task-local value.
public enum TraceContext {
  /// The header's name on the wire.
  static let header = "traceparent"

  /// The current trace; `nil` for none. Must be one line.
  @TaskLocal public static var current: String?

  /// The current trace, if it can be a header: one with control characters would end it.
  static var outgoing: String? {
    guard let trace = current,
      !trace.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
    else { return nil }
    return trace
  }
}
