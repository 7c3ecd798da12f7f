internal import JunctorCore

/// One message that waits for one listener.
///
/// ## Concurrency
/// Immutable; run once, where the listener wants it.
final class PendingDelivery<Message: Sendable>: MailboxItem {
  private let entry: ChannelEntry<Message>
  private let message: Message
  private let topic: Topic
  /// What belongs to the post, where anybody asks for it.
  private let context: PostContext?
  /// What tells a sender that waits for its end; gone when the delivery is over, or lost.
  private let ticket: DeliveryTicket?

  /// Puts a message by.
  ///
  /// - Parameters:
  ///   - entry: the listener.
  ///   - message: the message.
  ///   - topic: where it was posted.
  ///   - context: what belongs to the post, where anybody asks for it.
  ///   - ticket: tells a sender that waits for its end.
  init(
    entry: ChannelEntry<Message>, message: Message, topic: Topic, context: PostContext?,
    ticket: DeliveryTicket?
  ) {
    self.entry = entry
    self.message = message
    self.topic = topic
    self.context = context
    self.ticket = ticket
  }

  /// Calls the listener, unless it has gone or was set aside. Returns whether it did.
  func run() -> Bool {
    let ran = attempt()
    // A one-shot that was set aside when its message came is still to have one.
    if !ran { entry.extras?.unclaim() }
    return ran
  }

  private func attempt() -> Bool {
    guard entry.isCallable, let extras = entry.extras else { return false }
    let began = topic.isRecorded ? WiringHistory.now() : 0
    let wasCalled = call(extras)
    if began != 0, wasCalled { topic.noteDelivery(to: entry, began: began) }
    return wasCalled
  }

  private func call(_ extras: ListenerExtras<Message>) -> Bool {
    if topic.currentFlags.contains(.observed), let watch = topic.exchange.currentObservation {
      var wasCalled = false
      return watch.call(entry.registrant, of: topic) {
        wasCalled = run(extras)
        return wasCalled
      } wasCalled: {
        wasCalled
      }
    }
    return run(extras)
  }

  private func run(_ extras: ListenerExtras<Message>) -> Bool {
    if let pattern = extras.pattern, !pattern.isCallable { return false }
    guard entry.owner.isBound else { return run(entry, extras) }
    return entry.owner.withObject { run($0, extras) } ?? false
  }

  private func run(_ owner: AnyObject, _ extras: ListenerExtras<Message>) -> Bool {
    if extras.isOnce, !entry.remove() { return false }
    do {
      if let handler = extras.envelopeHandler, let context {
        try handler.call(owner, message, Envelope(context))
      } else {
        try entry.invoke(owner, message)
      }
    } catch {
      if let ticket {
        ticket.fail(error, by: entry, of: topic)
      } else {
        Junctor.report(
          .threwUnseen(error, on: topic.name, sites: [entry.site, topic.site]))
      }
    }
    return true
  }
}
