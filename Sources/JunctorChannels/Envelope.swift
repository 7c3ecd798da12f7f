public import JunctorCore
internal import Synchronization

/// What comes with a message for those who ask: who sent it, on which channel, from where.
///
/// ## Concurrency
/// May be used from any thread and kept. Knows the sender weakly.
public struct Envelope: Sendable {
  private let context: PostContext

  /// Shows what belongs to a post.
  init(_ context: PostContext) { self.context = context }

  /// The channel's name; of use to listeners of a pattern.
  public var channelName: String { context.name }

  /// Who posted it, if the poster said so.
  public var sender: Sender? { context.sender }

  /// Where it was posted.
  public var site: SourceSite { context.site }

  /// Keeps the message from the listeners that come after this one.
  ///
  /// Has an effect while the listener is called by the post itself; a queued listener is too late, and so is a task.
  ///
  /// - Complexity: O(1).
  public func consume() { context.isConsumed.store(true, ordering: .releasing) }
}

/// What belongs to one post, made only when a listener asks for it.
@usableFromInline
final class PostContext: Sendable {
  /// The channel's name.
  let name: String
  /// Who posted, if the poster said so.
  let sender: Sender?
  /// Where it was posted.
  let site: SourceSite
  /// Whether a listener keeps it from those after it.
  let isConsumed = Atomic(false)
  /// The message's number among those that its channel keeps; 0 if it keeps none.
  let number = Atomic<UInt64>(0)
  /// How many who listen have it, or lost it for want of room.
  private let heard = Atomic<Int>(0)
  /// Whether somebody who joined has taken it out of what was kept, and so was the first.
  let isTaken = Atomic(false)
  /// The deliveries that a `send` waits for; `nil` for a post.
  let group: DeliveryGroup?

  /// Notes what belongs to a post, the sender weakly.
  init(name: String, sender: AnyObject?, site: SourceSite, group: DeliveryGroup? = nil) {
    self.name = name
    self.group = group
    self.sender = sender.flatMap(Sender.init)
    self.site = site
  }

  /// Whether somebody who listens has it, or lost it for want of room.
  var isHeard: Bool { heard.load(ordering: .acquiring) > 0 }

  /// Notes that somebody has it now: who begins to listen from here on is not the first.
  func markHeard() { heard.wrappingAdd(1, ordering: .releasing) }

  /// Takes one such note back: it was held up for a listener that went before it could have it.
  func takeBackHeard() { heard.wrappingSubtract(1, ordering: .releasing) }
}
