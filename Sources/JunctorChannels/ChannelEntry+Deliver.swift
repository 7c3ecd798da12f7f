internal import JunctorCore
internal import Synchronization

extension ChannelEntry {
  /// Delivers to a listener that asked for more than to be called by the poster. Returns whether to go on.
  @usableFromInline
  func deliver(
    _ message: Message, to owner: AnyObject, of topic: Topic, from sender: AnyObject?,
    isolation: (any Actor)?, fileID: StaticString, line: UInt, _ receipt: inout Receipt,
    _ context: inout PostContext?
  ) -> Bool {
    if isAtHome(isolation.map { ObjectIdentifier($0) }, owner) {
      context?.markHeard()
      return callPlainly(owner, message, of: topic, &receipt)
    }
    return deliverElsewhere(
      message, to: owner, of: topic, from: sender, isolation: isolation, fileID: fileID,
      line: line, &receipt, &context)
  }

  /// Whether it only has to be called, see `ListenerExtras.isAtHome`.
  @inline(__always)
  func isAtHome(_ here: ObjectIdentifier?, _ owner: AnyObject) -> Bool {
    // SAFETY: this entry retains it, and the walk this entry.
    guard let extras = unsafe heldExtras else { return false }
    return unsafe extras._withUnsafeGuaranteedRef { $0.isAtHome(here, owner: owner) }
  }

  // Not inlined: what precedes it then needs a small frame.
  @inline(never)
  private func deliverElsewhere(
    _ message: Message, to owner: AnyObject, of topic: Topic, from sender: AnyObject?,
    isolation: (any Actor)?, fileID: StaticString, line: UInt, _ receipt: inout Receipt,
    _ context: inout PostContext?
  ) -> Bool {
    guard let extras else { return true }
    if let outlet = extras.outlet {
      handOut(message, to: outlet, of: topic, from: sender, extras, &receipt, context)
      return true
    }
    let step = decide(owner, sender, isolation, extras)
    if extras.envelopeHandler != nil, context == nil {
      context = PostContext(
        name: topic.name, sender: sender, site: SourceSite(fileID: fileID, line: line))
    }
    switch step {
    case .pass: return true
    case .call: return call(owner, message, of: topic, context, extras, &receipt)
    case .refuse:
      context?.markHeard()
      refuse(topic, extras, &receipt)
      return true
    case .queue(let mailbox):
      context?.markHeard()
      let outcome = mailbox.send(message, to: self, of: topic, context)
      note(outcome, topic, extras, &receipt)
      return true
    }
  }

  /// Hands a message to what takes it out of the process: what `decide` comes to for such a listener, without its steps.
  private func handOut(
    _ message: Message, to outlet: any ChannelOutlet<Message>, of topic: Topic,
    from sender: AnyObject?, _ extras: ListenerExtras<Message>, _ receipt: inout Receipt,
    _ context: PostContext?
  ) {
    if let pattern = extras.pattern, !pattern.isCallable { return }
    if extras.isLocalOnly, sender === RemoteSender.shared { return }
    context?.markHeard()
    note(outlet.accept(message, OutgoingPost(self, topic, nil)), topic, extras, &receipt)
  }

  /// Decides what a post does with this listener. A one-shot that is to be queued is claimed here.
  func decide(
    _ owner: AnyObject, _ sender: AnyObject?, _ isolation: (any Actor)?,
    _ extras: ListenerExtras<Message>
  ) -> DeliveryStep<Message> {
    if let pattern = extras.pattern, !pattern.isCallable { return .pass }
    if extras.isLocalOnly, sender === RemoteSender.shared { return .pass }
    if extras.sender.isBound {
      guard let sender, extras.sender.refers(to: sender) else {
        // Its sender is gone for good, and so is the reason to listen.
        if !extras.sender.isAlive { _ = remove() }
        return .pass
      }
    }
    guard let mailbox = extras.mailbox, !mayRunInline(owner, isolation, extras) else {
      return .call
    }
    if case .inline = extras.mode.kind { return .refuse }
    guard extras.claim() else { return .pass }
    return .queue(mailbox)
  }

  /// Counts a message that an `.inline` listener cannot get.
  func refuse(_ topic: Topic, _ extras: ListenerExtras<Message>, _ receipt: inout Receipt) {
    receipt.droppedCount &+= 1
    topic.noteDrop(by: self)
    reportOnce(.wrongIsolation, in: topic, extras) {
      "Can't deliver '\(shown(topic.name))': its listener is '.inline' on \($0), and the post came "
        + "from elsewhere. Post from there, or listen with '.automatic'."
    }
  }

  /// Whether the poster's isolation allows the call, and nothing waits that would be overtaken.
  private func mayRunInline(
    _ owner: AnyObject, _ isolation: (any Actor)?, _ extras: ListenerExtras<Message>
  ) -> Bool {
    guard extras.mode.mayRunInline, let mailbox = extras.mailbox else { return false }
    return extras.isOnActor(isolation.map { ObjectIdentifier($0) }, owner: owner) && mailbox.isIdle
  }

  /// Calls the handler now, on this thread. Returns whether to go on.
  func call(
    _ owner: AnyObject, _ message: Message, of topic: Topic, _ context: PostContext?,
    _ extras: ListenerExtras<Message>, _ receipt: inout Receipt
  ) -> Bool {
    if extras.isOnce, !remove() { return true }
    context?.markHeard()
    receipt.calledCount &+= 1
    do {
      try invoke(owner, message, context, extras)
    } catch {
      if !topic.didThrow(error, by: self, &receipt) { return false }
    }
    if let context, context.isConsumed.load(ordering: .acquiring) {
      receipt.marks.insert(.consumed)
      return false
    }
    return true
  }

  /// Calls the handler.
  private func invoke(
    _ owner: AnyObject, _ message: Message, _ context: PostContext?,
    _ extras: ListenerExtras<Message>
  ) throws {
    if let handler = extras.envelopeHandler, let context {
      try handler.call(owner, message, Envelope(context))
    } else {
      try invoke(owner, message)
    }
  }

  /// Counts what came of handing a message in.
  func note(
    _ outcome: MailboxOutcome, _ topic: Topic, _ extras: ListenerExtras<Message>,
    _ receipt: inout Receipt
  ) {
    switch outcome {
    case .queued:
      receipt.queuedCount &+= 1
      noteTaken(topic, extras)
      return
    case .displacedOldest:
      receipt.queuedCount &+= 1
      receipt.droppedCount &+= 1
      noteTaken(topic, extras)
    case .droppedNewest:
      receipt.droppedCount &+= 1
      // A one-shot is still to have its message.
      extras.unclaim()
    case .closed: return
    }
    topic.noteDrop(by: self)
    reportOnce(.messageDropped, in: topic, extras) {
      "Can't keep every message of '\(shown(topic.name))': a listener on \($0) is slower than its "
        + "posters, and its buffer is full. Make the listener faster or its buffer larger."
    }
  }

  /// Records what a message sequence has got; any other listener's delivery is recorded when it is called.
  private func noteTaken(_ topic: Topic, _ extras: ListenerExtras<Message>) {
    guard topic.isRecorded, case .stream = extras.mailbox else { return }
    topic.noteDelivery(to: self, began: WiringHistory.now())
  }

  private func reportOnce(
    _ code: Diagnostic.Code, in topic: Topic, _ extras: ListenerExtras<Message>,
    _ message: (String) -> String
  ) {
    guard !extras.hasReportedDrop.exchange(true, ordering: .relaxed) else { return }
    Junctor.report(Diagnostic(code, message(extras.place(of: self)), sites: [site, topic.site]))
  }
}

/// What a post does with one listener.
enum DeliveryStep<Message: Sendable> {
  /// Nothing: the message is not for it.
  case pass
  /// Calls it.
  case call
  /// Drops the message, which may not be delivered from here.
  case refuse
  /// Hands the message in, to be delivered elsewhere.
  case queue(ListenerMailbox<Message>)
}
