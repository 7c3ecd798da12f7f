package import JunctorCore
internal import Synchronization

/// Takes what is posted on a channel out of the process: the listener behind a bridge.
///
/// It hears what is posted here, never what came from elsewhere, and it hears it last: whatever keeps a message from
/// later listeners keeps it from other processes.
///
/// ## Concurrency
/// Called by posters on any thread, so it hands on and returns. Retained by its registration.
package protocol ChannelOutlet<Message>: AnyObject, Sendable {
  /// What is posted.
  associatedtype Message: Sendable

  /// Takes a message, as far as the room goes.
  func accept(_ message: Message, _ post: OutgoingPost) -> MailboxOutcome

  /// Takes a message if none has to give way to it; `nil`, with nothing done, if one had to.
  func acceptIfRoom(_ message: Message, _ post: OutgoingPost) -> MailboxOutcome?

  /// Waits until there is room. Returns `false` if the task was cancelled meanwhile.
  nonisolated(nonsending) func waitForRoom() async -> Bool

  /// Takes nothing more.
  func close()

  /// How many messages wait.
  var pending: Int { get }

  /// What became of the messages so far.
  var counters: MailboxCounters { get }
}

/// What belongs to a message that leaves the process.
package struct OutgoingPost: Sendable {
  /// The channel's name.
  package let channelName: String

  /// Whoever waits for the message's end; goes on when the last copy of this is gone.
  package let waiter: OutgoingWaiter?

  /// Notes what belongs to a delivery.
  init(_ entry: _ListEntry, _ topic: Topic, _ ticket: DeliveryTicket?) {
    channelName = topic.name
    waiter = ticket.map { OutgoingWaiter($0, entry, topic) }
  }
}

/// One who waits until a message that leaves the process has arrived, and is told when it has not.
///
/// ## Concurrency
/// May be used from any thread.
package struct OutgoingWaiter: Sendable {
  private let ticket: DeliveryTicket
  private let entry: _ListEntry
  private let topic: Topic

  /// Speaks for a ticket.
  init(_ ticket: DeliveryTicket, _ entry: _ListEntry, _ topic: Topic) {
    self.ticket = ticket
    self.entry = entry
    self.topic = topic
  }

  /// Hands an error to whoever waits.
  package func fail(_ error: any Error) { ticket.fail(error, by: entry, of: topic) }
}

// MARK: - Registering

extension Channel {
  /// Adds what takes the channel's messages out of the process.
  ///
  /// - Parameters:
  ///   - outlet: takes the messages.
  ///   - label: what it is called in dumps.
  ///   - site: where it was asked for.
  /// - Returns: the token that ends it.
  package func addOutlet(
    _ outlet: any ChannelOutlet<Message>, label: String, site: SourceSite
  ) -> Registration {
    let extras = ListenerExtras<Message>(.outlet(label), mailbox: .outlet(outlet))
    guard
      let entry = ChannelEntry(
        topic: topic, owner: outlet, handler: .unused, extras: extras, site: site)
    else { return Registration() }
    return topic.list.add(entry, priority: extras.priority)
  }

  /// What is known of those who listen, but for those who take messages out of the process.
  package var survey: ListenerSurvey { topic.survey(Message.self) }

  /// Grows with every change of the list of listeners.
  package var listVersion: UInt64 { topic.list.version }
}

extension Exchange {
  /// Adds what takes the messages of all matching channels of one type out of the process.
  ///
  /// - Parameters:
  ///   - outlet: takes the messages.
  ///   - pattern: which names are meant.
  ///   - label: what it is called in dumps.
  ///   - site: where it was asked for.
  /// - Returns: the token that ends it.
  package func addOutlet<Message: Sendable>(
    _ outlet: any ChannelOutlet<Message>, matching pattern: ChannelPattern, label: String,
    site: SourceSite
  ) -> Registration {
    let options = ListenerOptions.outlet(label)
    let deputy = TypedDeputy<Message>(
      StoredEnvelopeHandler { _, _, _ in }, options, mailbox: .outlet(outlet))
    guard
      let entry = PatternEntry(
        pattern, in: self, owner: outlet, options, site: site, deputy: deputy)
    else { return Registration() }
    return entry.register()
  }

  /// A number that no other exchange of this process has or will have.
  package var number: UInt64 { wiringID.withLock { $0 } }
}

extension ListenerOptions {
  /// What every outlet asks for.
  static func outlet(_ label: String) -> ListenerOptions {
    ListenerOptions(
      priority: ListenerPriority(rawValue: Int.min), mode: .deferred, sender: Sender.local,
      label: label)
  }
}

/// What is known of a channel's listeners.
package struct ListenerSurvey: Sendable {
  /// Whether anybody listens in this process.
  package var isHeard = false
  /// Whether a post has been handled by all of them when it returns.
  package var isInline = true
}

extension Topic {
  /// Looks at the listeners.
  ///
  /// - Complexity: O(number of listeners).
  func survey<Message: Sendable>(_ type: Message.Type) -> ListenerSurvey {
    var survey = ListenerSurvey()
    survey.isInline = currentFlags.isDisjoint(with: [.queued, .replays])
    for entry in list.entries() {
      guard let entry = entry as? ChannelEntry<Message> else { continue }
      if entry.extras?.isOutlet == true { continue }
      survey.isHeard = true
      if entry.extras?.mailbox != nil { survey.isInline = false }
    }
    return survey
  }
}
