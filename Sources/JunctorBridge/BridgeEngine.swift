/// What carries the messages of bridges between processes; `NATSConnection` is one.
///
/// An engine need not know of channels, order within a channel, duplicates or schemas: bridges see to those. It must
/// - deliver the frames of one sender on one subject in the order in which they were published;
/// - keep a frame that was published at least once, once its completion was told so, for every durable name that had
///   subscribed before, until that settled it, whatever is restarted meanwhile; and deliver it again where it is not
///   settled in time or the subscriber was lost;
/// - keep two frames with the same message ID, published within two minutes, once;
/// - match subjects by `*` (one part) and `>` (at the end, one or more).
///
/// Whether it does is told by `BridgeContract` in JunctorTesting.
///
/// ## Concurrency
/// May be used from any thread. An engine calls back on threads of its own, or within the call, with no lock held. The
/// deliveries of one subscription come one after another; while one takes, the next waits.
public protocol BridgeEngine: AnyObject, Sendable {
  /// What it is called in messages and pictures, without secrets.
  var label: String { get }

  /// How it is connected now.
  var state: BridgeConnectionState { get }

  /// Tells of `state` as it is and of every change of it, until the returned closure is called.
  ///
  /// - Parameter handler: gets the present state and then each new one, in order, one after another.
  /// - Returns: ends it.
  func observe(_ handler: @escaping @Sendable (BridgeConnectionState) -> Void)
    -> @Sendable () -> Void

  /// Makes sure, now or as soon as there is a connection, that what is published at least once is kept.
  ///
  /// - Parameter subject: what will be published to; may have wildcards.
  /// - Returns: ends the care for it, to be called once nothing more is published there; what is kept stays.
  func prepare(_ subject: String) -> @Sendable () -> Void

  /// Sends a frame.
  ///
  /// - Parameters:
  ///   - frame: what to send.
  ///   - promise: whether the server is to keep it.
  ///   - isAwaited: whether somebody waits to hear that the server has it. If not, `completion` may be told of a frame
  ///     that is sent at most once as soon as it is on its way.
  ///   - completion: is told once: `nil` if the server has it, or why not. An error that is temporary means that the
  ///     same frame is to be sent again.
  func publish(
    _ frame: BridgeFrame, _ promise: BridgePromise, isAwaited: Bool,
    completion: @escaping @Sendable (BridgeError?) -> Void)

  /// Subscribes, now or as soon as there is a connection, and again after every loss of it.
  ///
  /// - Parameters:
  ///   - subscription: to what.
  ///   - deliver: gets every frame; may take its time.
  /// - Returns: what ends it.
  func subscribe(
    _ subscription: BridgeSubscription, deliver: @escaping @Sendable (BridgeDelivery) -> Void
  ) -> any BridgeRoute

  /// Sends a frame and waits for one in return.
  ///
  /// - Parameters:
  ///   - frame: what to send.
  ///   - timeout: how long to wait.
  ///   - completion: is told once: the reply, or `nobodyAnswered` if nobody subscribes, `timedOut`, or another error.
  func request(
    _ frame: BridgeFrame, timeout: Duration,
    completion: @escaping @Sendable (Result<BridgeFrame, BridgeError>) -> Void)
}

/// What an engine is asked to subscribe to.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct BridgeSubscription: Sendable, Hashable {
  /// The subject, which may have wildcards.
  public var subject: String
  /// What is promised.
  public var promise: BridgePromise
  /// The group of which one member gets each frame; `nil` for none.
  public var group: String?
  /// How many frames may be unsettled.
  public var window: Int
  /// After what time an unsettled frame is delivered again.
  public var redeliverAfter: Duration

  /// Says what to subscribe to.
  ///
  /// - Parameters:
  ///   - subject: the subject.
  ///   - promise: what is promised.
  ///   - group: the group of which one member gets each frame.
  ///   - window: how many frames may be unsettled.
  ///   - redeliverAfter: after what time an unsettled frame is delivered again.
  public init(
    subject: String, promise: BridgePromise = .atMostOnce, group: String? = nil,
    window: Int = 1_024, redeliverAfter: Duration = .seconds(30)
  ) {
    self.subject = subject
    self.promise = promise
    self.group = group
    self.window = window
    self.redeliverAfter = redeliverAfter
  }
}

/// A subscription at an engine.
///
/// ## Concurrency
/// May be used from any thread.
public protocol BridgeRoute: AnyObject, Sendable {
  /// Returns once the server knows of it: what is published from now on arrives.
  ///
  /// - Throws: `BridgeError` if that can never be; `CancellationError` if the task was cancelled.
  nonisolated(nonsending) func ready() async throws

  /// Returns once everything that was kept for it when this was called has been delivered and settled.
  ///
  /// - Throws: `BridgeError` if that can never be; `CancellationError` if the task was cancelled.
  nonisolated(nonsending) func caughtUp() async throws

  /// Ends it. What has arrived is delivered before this returns; what is kept on the server stays there.
  ///
  /// No delivery begins after it has returned, but for one whose frame was being taken as the limit was over. Whoever closes
  /// it at the same time waits for the same end.
  ///
  /// - Parameter limit: when to return at the latest, whatever the network and those who take the frames do. What has
  ///   arrived and was not delivered then is lost, and counted as `dropped`, unless the server keeps it.
  nonisolated(nonsending) func close(within limit: Duration) async

  /// How many frames were lost because they came faster than they were taken.
  var dropped: UInt64 { get }
}
