internal import JunctorCore
internal import Synchronization

extension Topic {
  /// Delivers to everybody in order, waiting for room where there is none, and then for the end of it all.
  nonisolated(nonsending) func send<Message: Sendable>(
    _ message: Message, from sender: AnyObject?, isolation: (any Actor)?, _ site: SourceSite
  ) async throws(CancellationError) -> Receipt {
    if Task.isCancelled { throw CancellationError() }
    let start = WiringHistory.begin()
    let group = DeliveryGroup()
    defer { group.close() }
    let context = PostContext(name: name, sender: sender, site: site, group: group)
    let isQueued = currentFlags.contains(.queued)
    var begun: Observation.Begun?
    if currentFlags.contains(.observed) {
      exchange.show(message, to: self, from: sender, site: site)
      begun = exchange.beginPost(self, site)
    }
    if isQueued, !(await queue.enter()) {
      begun?.ended(Receipt())
      throw CancellationError()
    }
    let keeps = currentFlags.contains(.replays)
    if keeps { keepPosted(message, context) }
    var receipt = Receipt()
    let isHandedIn = await handIn(
      message, from: sender, isolation: isolation, context, group, &receipt)
    if keeps {
      // What was called back before anybody had it is not kept either.
      let isVoid = !isHandedIn && !receipt.wasHeard && receipt.dropped == 0
      settlePosted(Message.self, context, isVoid: isVoid)
    }
    // What others posted meanwhile is delivered here and now; nobody waits for those who have the message in hand.
    if isQueued { queue.leave(isolation: isolation) }
    let isOver = isHandedIn ? await group.wait() : false
    for failure in group.takeFailures() { receipt.add(failure) }
    receipt.droppedCount &+= UInt32(clamping: group.dropped)
    begun?.ended(receipt)
    if start != 0 { notePost(receipt, from: sender, at: site, began: start) }
    guard isOver else { throw CancellationError() }
    noteUnheard(receipt, site)
    return receipt
  }

  /// Goes through the listeners as they stand now. Returns `false` if the task was cancelled meanwhile.
  private nonisolated(nonsending) func handIn<Message: Sendable>(
    _ message: Message, from sender: AnyObject?, isolation: (any Actor)?, _ context: PostContext,
    _ group: DeliveryGroup, _ receipt: inout Receipt
  ) async -> Bool {
    let exchangeWatch =
      currentFlags.contains(.observed) ? exchange.currentObservation : nil
    let hold = list.hold()
    for index in 0..<hold.count {
      // SAFETY: only entries of the topic's own message type are ever added to its list.
      let entry = unsafe unsafeDowncast(hold[index], to: ChannelEntry<Message>.self)
      guard entry.isCallable else { continue }
      var owner: AnyObject = entry
      if entry.owner.isBound {
        guard let living = entry.owner.object else {
          list.noteDead()
          continue
        }
        owner = living
      }
      if let extras = entry.extras,
        !entry.admit(message, sender, context, of: self, extras, &receipt)
      {
        continue
      }
      let step = entry.extras.map { entry.decide(owner, sender, isolation, $0) } ?? .call
      var goesOn = true
      switch step {
      case .pass: break
      case .call:
        let began = WiringHistory.begin()
        goesOn = exchangeWatch.callIfWatching(entry.registrant, of: self) {
          entry.call(owner, message, of: self, context, &receipt)
        } wasCalled: {
          true
        }
        if began != 0 { noteDelivery(to: entry, began: began) }
      case .refuse:
        context.markHeard()
        if let extras = entry.extras { entry.refuse(self, extras, &receipt) }
      case .queue(let mailbox):
        context.markHeard()
        // Not kept alive while this waits.
        owner = entry
        guard let outcome = await entry.handIn(message, to: mailbox, of: self, context, group)
        else {
          // A one-shot that was claimed for this message is free again.
          entry.extras?.unclaim()
          return false
        }
        if let extras = entry.extras { entry.note(outcome, self, extras, &receipt) }
        goesOn = await mayGoOn(group, &receipt)
      }
      if !goesOn { break }
    }
    return !Task.isCancelled
  }

  /// Waits for the listener before, where its error would end the delivery. Returns whether to go on.
  private nonisolated(nonsending) func mayGoOn(
    _ group: DeliveryGroup, _ receipt: inout Receipt
  ) async -> Bool {
    guard currentFlags.contains(.stopsAtError) else { return true }
    guard await group.wait() else { return false }
    let failures = group.takeFailures()
    for failure in failures { receipt.add(failure) }
    return failures.isEmpty
  }
}

extension ChannelEntry {
  /// Calls the handler now, of a listener plain or not. Returns whether to go on.
  func call(
    _ owner: AnyObject, _ message: Message, of topic: Topic, _ context: PostContext,
    _ receipt: inout Receipt
  ) -> Bool {
    if let extras { return call(owner, message, of: topic, context, extras, &receipt) }
    context.markHeard()
    return callPlainly(owner, message, of: topic, &receipt)
  }

  /// Calls the handler of a plain listener now. Returns whether to go on.
  @inline(__always)
  func callPlainly(
    _ owner: AnyObject, _ message: Message, of topic: Topic, _ receipt: inout Receipt
  ) -> Bool {
    receipt.calledCount &+= 1
    do {
      try invoke(owner, message)
      return true
    } catch {
      return topic.didThrow(error, by: self, &receipt)
    }
  }

  /// Hands a message in as soon as there is room. Returns `nil` if the task was cancelled meanwhile.
  fileprivate nonisolated(nonsending) func handIn(
    _ message: Message, to mailbox: ListenerMailbox<Message>, of topic: Topic,
    _ context: PostContext, _ group: DeliveryGroup
  ) async -> MailboxOutcome? {
    while true {
      let outcome = mailbox.sendIfRoom(
        message, to: self, of: topic, context, ticket: group.enter())
      if let outcome { return outcome }
      guard await mailbox.waitForRoom() else { return nil }
    }
  }
}
