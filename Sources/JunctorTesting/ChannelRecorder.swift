public import Junctor
internal import Synchronization

/// Keeps every message of a channel, in order, for a test to look at.
///
/// ```swift
/// let recorder = ChannelRecorder(channel)
/// model.logIn()
/// #expect(recorder.messages == [Login(name: "Ada")])
/// ```
///
/// ## Concurrency
/// May be used from any thread. Records on the poster's thread, before `post` returns. Retains the messages; listens as
/// long as it lives.
public final class ChannelRecorder<Message: Sendable>: Sendable {
  /// One message and what came with it.
  ///
  /// ## Concurrency
  /// A value; may be used anywhere.
  public struct Record: Sendable {
    /// What was posted.
    public let message: Message
    /// Who posted it, and where.
    public let envelope: Envelope
  }

  private let log: RecorderLog<Record>
  private let subscription: Subscription

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - channel: what to listen to.
  ///   - priority: its place among the listeners; first of all unless said otherwise.
  ///   - sender: the only sender to listen to; `nil` for any.
  ///   - fileID: where it is made.
  ///   - line: where it is made.
  /// - Complexity: as `Channel.listen(priority:)`.
  public init(
    _ channel: Channel<Message>, priority: ListenerPriority = ListenerPriority(rawValue: .max),
    from sender: AnyObject? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let log = RecorderLog<Record>()
    self.log = log
    subscription = channel.listen(
      priority: priority, from: sender, label: "recorder", fileID: fileID, line: line
    ) { message, envelope in
      log.append(Record(message: message, envelope: envelope))
    }
  }

  /// What was recorded so far, in order.
  ///
  /// - Complexity: O(1).
  public var records: [Record] { log.all }

  /// The messages so far, in order.
  ///
  /// - Complexity: O(n).
  public var messages: [Message] { log.all.map(\.message) }

  /// Forgets what was recorded so far.
  ///
  /// - Returns: what is forgotten.
  /// - Complexity: O(n).
  @discardableResult
  public func clear() -> [Record] { log.clear() }

  /// Waits until so many messages are recorded.
  ///
  /// - Parameter count: how many, from the beginning or the last `clear()`.
  /// - Returns: the first so many messages; fewer if the task was cancelled meanwhile.
  /// - Complexity: O(n), and the wait.
  public func wait(for count: Int) async -> [Message] {
    await log.wait(for: count)
    return messages.prefix(max(0, count)).map { $0 }
  }

  /// Ends the recording; what was recorded stays.
  ///
  /// - Complexity: O(log n) in the number of listeners beside it.
  public func stop() { subscription.cancel() }
}

/// What a recorder has, and who waits for more.
///
/// ## Concurrency
/// May be used from any thread.
final class RecorderLog<Record: Sendable>: Sendable {
  private struct State {
    var all: [Record] = []
    var watchers = CountWatchers()
  }

  private let state = Mutex(State())

  /// What was recorded, in order.
  var all: [Record] { state.withLock { $0.all } }

  /// Adds a record, and tells those who waited for it.
  func append(_ record: Record) {
    let watchers = state.withLock { state in
      state.all.append(record)
      return state.watchers.takeReached(state.all.count)
    }
    for resume in watchers { resume(true) }
  }

  /// Forgets everything, and returns it.
  func clear() -> [Record] {
    state.withLock { state in
      defer { state.all = [] }
      return state.all
    }
  }

  /// Waits until so many records are there, or the task is cancelled.
  func wait(for count: Int) async {
    _ = await withSuspension(
      { id, resume in
        state.withLock { state in
          if state.all.count >= count { return .answered(true) }
          if Task.isCancelled { return .answered(false) }
          state.watchers.add(id, for: count, resume)
          return .waiting
        }
      },
      leave: { id in self.state.withLock { $0.watchers.take(id) } },
      cancelled: false)
  }
}
