/// How a channel treats its messages. Every place that names the channel may ask; what was asked adds up.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct ChannelOptions: Sendable, Hashable {
  /// What happens to a message that is posted while another is being delivered.
  public var order: ChannelOrder

  /// What happens to what listeners throw.
  public var errors: ErrorPolicy

  /// Whether a message that nobody hears, and that is not kept for those who come later, is reported.
  public var requiresListener: Bool

  /// Which messages are kept for listeners that come later.
  public var replay: ReplayPolicy

  /// Says how a channel treats its messages; what is left out is the usual.
  ///
  /// - Parameters:
  ///   - order: what happens to a message that is posted while another is being delivered.
  ///   - errors: what happens to what listeners throw.
  ///   - requiresListener: whether a message that nobody hears, and that is not kept, is reported.
  ///   - replay: which messages are kept for listeners that come later.
  public init(
    order: ChannelOrder = .nested, errors: ErrorPolicy = .report, requiresListener: Bool = false,
    replay: ReplayPolicy = .none
  ) {
    self.order = order
    self.errors = errors
    self.requiresListener = requiresListener
    self.replay = replay
  }

  /// The options as a topic keeps them.
  var flags: TopicFlags {
    var flags: TopicFlags = []
    if order == .queued { flags.insert(.queued) }
    switch errors {
    case .report: break
    case .rethrowAfterAll: flags.insert(.collectsErrors)
    case .stopAtFirst: flags.insert(.stopsAtError)
    }
    if requiresListener { flags.insert(.requiresListener) }
    return flags
  }
}

/// What happens to a message that is posted while another one is being delivered on the same channel.
///
/// ## Concurrency
/// A value; may be used anywhere.
public enum ChannelOrder: Sendable, Hashable {
  /// It is delivered at once, to everyone, before the outer one goes on.
  case nested
  /// It is delivered once everyone has had the one before it. Whoever delivers that one delivers it; `post` returns at once.
  case queued
}

/// What happens to what a listener throws. The others are called in any case but the last.
///
/// Where no poster gets to see a receipt of the call it is reported whatever is asked for: for what is delivered on an actor,
/// a queue or an executor, by a `queued` channel after its `post` has returned, or to a listener that catches up.
///
/// ## Concurrency
/// A value; may be used anywhere.
public enum ErrorPolicy: Sendable, Hashable {
  /// It goes to `Junctor.diagnostics` and into the receipt.
  case report
  /// It goes into the receipt only, for the poster: `try channel.post(message).throwIfFailed()`.
  case rethrowAfterAll
  /// It goes into the receipt only, and nobody after that listener is called.
  case stopAtFirst
}
