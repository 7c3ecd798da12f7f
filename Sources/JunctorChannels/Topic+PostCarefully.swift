internal import CJunctorCore
internal import JunctorCore

extension Topic {
  /// Delivers where messages are kept for those who come later, or where somebody watches.
  func postCarefully<Message: Sendable>(
    _ message: Message, from sender: AnyObject?, isolation: (any Actor)?, _ watch: Observation?,
    fileID: StaticString, line: UInt
  ) -> Receipt {
    let site = SourceSite(fileID: fileID, line: line)
    let context = PostContext(name: name, sender: sender, site: site)
    let keeps = currentFlags.contains(.replays)
    let isDeep = Self.isDeep
    guard !isDeep || PostChain.enter(self, site) else {
      var refused = Receipt()
      refused.marks.insert(.refused)
      return refused
    }
    defer { if isDeep { PostChain.leave() } }
    if keeps { keepPosted(message, context) }
    var receipt = Receipt()
    list.walk { entry, owner in
      // SAFETY: only entries of the topic's own message type are ever added to its list.
      let entry = unsafe unsafeDowncast(entry, to: ChannelEntry<Message>.self)
      let before = receipt.calledCount
      let goesOn = watch.callIfWatching(entry, of: self) {
        entry.deliver(
          message, to: owner, of: self, from: sender, isolation: isolation, context, &receipt)
      } wasCalled: {
        receipt.calledCount != before
      }
      return goesOn
    }
    if keeps { settlePosted(Message.self, context, receipt) }
    return receipt
  }
}

extension ChannelEntry {
  /// Delivers to a listener plain or not. Returns whether to go on.
  fileprivate func deliver(
    _ message: Message, to owner: AnyObject, of topic: Topic, from sender: AnyObject?,
    isolation: (any Actor)?, _ context: PostContext, _ receipt: inout Receipt
  ) -> Bool {
    guard let extras, !isPlain else {
      return call(owner, message, of: topic, context, &receipt)
    }
    guard admit(message, sender, context, extras, &receipt) else { return true }
    var shared: PostContext? = context
    return deliver(
      message, to: owner, of: topic, from: sender, isolation: isolation, fileID: "", line: 0,
      &receipt, &shared)
  }
}

extension Observation? {
  /// Calls a listener, and notes that where somebody watches.
  func callIfWatching(
    _ entry: _ListEntry, of topic: Topic, _ body: () -> Bool, wasCalled: () -> Bool
  ) -> Bool {
    guard let watch = self else { return body() }
    return watch.call(entry, of: topic, body, wasCalled: wasCalled)
  }
}
