public import JunctorCore

/// What is watched of an exchange; nothing unless asked for.
///
/// ## Concurrency
/// A value; may be used anywhere. Retains its hook.
public struct ObservationOptions: Sendable {
  /// What is told of a post that begins; returns what is told of its end.
  ///
  /// Runs on the poster's thread with no lock held. A tracing system opens its span here and closes it in what it returns.
  public typealias PostHook =
    @Sendable (_ channelName: String, _ site: SourceSite) -> (@Sendable (PostRecord) -> Void)?

  /// How many of the last posts are kept; zero or less for none.
  public var historyLimit: Int

  /// How long a listener may take before it is reported, once; `nil` for as long as it likes.
  public var slowListenerLimit: Duration?

  /// Whether a listener whose owner died before it got a message is reported.
  public var reportsUnheardListeners: Bool

  /// Is told of every post.
  public var onPost: PostHook?

  /// Says what is watched.
  ///
  /// - Parameters:
  ///   - historyLimit: how many of the last posts are kept.
  ///   - slowListenerLimit: how long a listener may take before it is reported.
  ///   - reportsUnheardListeners: whether a listener that died before it got a message is reported.
  ///   - onPost: is told of every post.
  public init(
    historyLimit: Int = 0, slowListenerLimit: Duration? = nil,
    reportsUnheardListeners: Bool = false, onPost: PostHook? = nil
  ) {
    self.historyLimit = historyLimit
    self.slowListenerLimit = slowListenerLimit
    self.reportsUnheardListeners = reportsUnheardListeners
    self.onPost = onPost
  }
}

/// One post, as the history of an exchange keeps it.
///
/// ## Concurrency
/// A value; may be used anywhere. Keeps neither the message nor the sender.
public struct PostRecord: Sendable, Hashable, CustomStringConvertible {
  /// The channel's name.
  public let channelName: String
  /// The message's type.
  public let messageType: String
  /// Where it was posted.
  public let site: SourceSite
  /// When it began, since the watching did.
  public let began: Duration
  /// How long it took, listeners that the poster calls included.
  public let duration: Duration
  /// How many listeners were called.
  public let called: Int
  /// How many listeners had it queued.
  public let queued: Int
  /// How many deliveries were dropped.
  public let dropped: Int
  /// How many listeners threw.
  public let errorCount: Int
  /// Whether a listener kept it from those after it.
  public let isConsumed: Bool

  /// The channel, what came of the post, how long it took and where it was posted, in one line.
  public var description: String {
    "'\(channelName)': \(messageType) → \(called) called, \(queued) queued, \(dropped) dropped "
      + "in \(duration) at \(site)"
  }
}
