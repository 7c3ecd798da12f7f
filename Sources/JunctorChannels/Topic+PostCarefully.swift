internal import CJunctorCore
internal import JunctorCore

extension Topic {
  /// Delivers where messages are kept for those who come later, where somebody watches, or where it is recorded.
  ///
  /// - Parameter time: when the post began, if it is recorded, and then when the last listener was done; otherwise 0.
  func postCarefully<Message: Sendable>(
    _ message: Message, from sender: AnyObject?, isolation: (any Actor)?, _ watch: Observation?,
    _ time: inout UInt64, _ site: SourceSite
  ) -> Receipt {
    let flags = currentFlags
    let keeps = flags.contains(.replays)
    // Where it only has to be recorded, whoever asks for the envelope makes it.
    var context =
      keeps || watch != nil ? PostContext(name: name, sender: sender, site: site) : nil
    let isDeep = Self.isDeep
    guard !isDeep || PostChain.enter(self, site) else {
      var refused = Receipt()
      refused.marks.insert(.refused)
      return refused
    }
    defer { if isDeep { PostChain.leave() } }
    if keeps, let context { keepPosted(message, context) }
    var receipt = Receipt()
    var last = time
    list.walk { entry, owner in
      // SAFETY: only entries of the topic's own message type are ever added to its list.
      let entry = unsafe unsafeDowncast(entry, to: ChannelEntry<Message>.self)
      let before = receipt.calledCount
      let goesOn = watch.callIfWatching(entry.registrant, of: self) {
        entry.deliver(
          message, to: owner, of: self, from: sender, isolation: isolation, site, &context,
          &receipt)
      } wasCalled: {
        receipt.calledCount != before
      }
      if last != 0 {
        last =
          receipt.calledCount == before
          ? WiringHistory.now() : noteDelivery(to: entry, began: last)
      }
      return goesOn
    }
    time = last
    if keeps, let context { settlePosted(Message.self, context) }
    return receipt
  }
}

extension ChannelEntry {
  /// Delivers to a listener plain or not. Returns whether to go on.
  fileprivate func deliver(
    _ message: Message, to owner: AnyObject, of topic: Topic, from sender: AnyObject?,
    isolation: (any Actor)?, _ site: SourceSite, _ context: inout PostContext?,
    _ receipt: inout Receipt
  ) -> Bool {
    if isPlain || isAtHome(isolation.map { ObjectIdentifier($0) }, owner) {
      context?.markHeard()
      return callPlainly(owner, message, of: topic, &receipt)
    }
    guard let extras else { return true }
    let isAsked = extras.gate != nil || extras.envelopeHandler != nil
    if isAsked, context == nil {
      context = PostContext(name: topic.name, sender: sender, site: site)
    }
    if let context, !admit(message, sender, context, of: topic, extras, &receipt) { return true }
    return deliver(
      message, to: owner, of: topic, from: sender, isolation: isolation, fileID: "", line: 0,
      &receipt, &context)
  }
}

extension Observation? {
  /// Calls a listener, and notes that where somebody watches.
  func callIfWatching(
    _ entry: @autoclosure () -> _ListEntry, of topic: Topic, _ body: () -> Bool,
    wasCalled: () -> Bool
  ) -> Bool {
    guard let watch = self else { return body() }
    return watch.call(entry(), of: topic, body, wasCalled: wasCalled)
  }
}
