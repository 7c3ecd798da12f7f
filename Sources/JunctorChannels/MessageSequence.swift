internal import JunctorCore

/// The messages of a channel as an asynchronous sequence, from the moment it was made.
///
/// ```swift
/// for await login in channel.messages(buffer: .dropOldest(64)) { show(login) }
/// ```
///
/// - It listens from the moment it is made: what is posted between then and the first `next()` is not lost.
/// - Each iterator has a buffer of its own and gets every message from the moment the sequence was made, as far as the
///   buffer's limit allows; what gave way is counted.
/// - A task that is cancelled, before or during `next()`, gets `nil` at once, and the iterator has ended.
/// - `finish()`, and whatever else ends the listening, ends all iterators when they have taken what waits for them.
/// - The listening ends when the sequence and all its iterators have gone.
///
/// A sequence that is kept in a variable keeps messages for iterators yet to come, within its limit. A `for await` loop
/// over the call itself keeps none beside its own.
///
/// ## Concurrency
/// The sequence may be used from any task; each iterator from one at a time. Posters never wait for it, `send` does when a
/// buffer is full. Messages are retained until they are taken or give way.
public struct MessageSequence<Message: Sendable>: AsyncSequence, Sendable {
  /// Never fails.
  public typealias Failure = Never

  private let root: MessageRoot<Message>

  /// Makes the sequence of a hub.
  init(_ hub: MessageHub<Message>) { root = MessageRoot(hub) }

  /// Makes an iterator that begins with the first message since the sequence was made.
  ///
  /// - Returns: the iterator, for one task at a time.
  /// - Complexity: O(1), or O(messages kept) when the next one comes.
  public func makeAsyncIterator() -> Iterator { Iterator(root.hub) }

  /// Ends the listening; iterators end when they have taken what waits for them.
  ///
  /// - Complexity: O(number of iterators).
  public func finish() { root.hub.end() }

  /// What became of the messages, all iterators together.
  ///
  /// - Complexity: O(number of iterators).
  public var counts: DeliveryCounts {
    DeliveryCounts(root.hub.counters, pending: root.hub.pending)
  }

  /// Takes the messages one by one, in the order in which they were posted.
  ///
  /// ## Concurrency
  /// For one task at a time; copies share their place in the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    private let cursor: MessageCursor<Message>

    fileprivate init(_ hub: MessageHub<Message>) { cursor = MessageCursor(hub) }

    /// Returns the next message, or waits for it.
    ///
    /// - Parameter actor: where the caller is, and stays.
    /// - Returns: the message, or `nil` when the listening has ended or the task is cancelled.
    /// - Complexity: amortised O(1), and the wait.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Message? {
      await cursor.hub.next(cursor.id)
    }

    /// Returns the next message, or waits for it.
    ///
    /// - Returns: the message, or `nil` when the listening has ended or the task is cancelled.
    /// - Complexity: amortised O(1), and the wait.
    public mutating func next() async -> Message? { await cursor.hub.next(cursor.id) }

    /// What became of this iterator's messages.
    ///
    /// - Complexity: O(1).
    public var counts: DeliveryCounts { cursor.hub.counts(of: cursor.id) }
  }
}

/// Tells the hub when the sequence has gone.
final class MessageRoot<Message: Sendable>: Sendable {
  /// What is shared with the iterators.
  let hub: MessageHub<Message>

  /// Stands for the sequence.
  init(_ hub: MessageHub<Message>) { self.hub = hub }

  deinit { hub.removeRoot() }
}

/// Tells the hub when an iterator has gone.
final class MessageCursor<Message: Sendable>: Sendable {
  /// What is shared with the sequence.
  let hub: MessageHub<Message>
  /// The iterator's number.
  let id: UInt64

  /// Stands for a new iterator.
  init(_ hub: MessageHub<Message>) {
    self.hub = hub
    id = hub.addCursor()
  }

  deinit { hub.removeCursor(id) }
}
