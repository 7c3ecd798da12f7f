internal import JunctorCore
internal import Synchronization

extension Exchange {
  /// Has the posts of every channel, present and future, recorded, or not, as the history is.
  package func historyDidChange() {
    let (topics, isOn, forgotten) = state.withLock { state -> ([Topic], Bool, [UnheardTopic]) in
      // Asked under the lock, so that of two changes the later is right.
      let isOn = WiringHistory.isOn
      if isOn { state.inherited.insert(.recorded) } else { state.inherited.remove(.recorded) }
      let topics = state.topics
      for topic in topics { topic.set(.recorded, isOn) }
      return (topics, isOn, isOn ? [] : state.takeUnheard())
    }
    _ = forgotten
    guard !isOn else { return }
    for topic in topics { topic.forgetTraffic() }
  }
}

extension Topic {
  /// Whether posts and deliveries are recorded.
  var isRecorded: Bool { currentFlags.contains(.recorded) }

  /// Records a post that has ended, and whatever became of it that nobody else records.
  ///
  /// - Parameters:
  ///   - receipt: what came of it.
  ///   - sender: who posted, where that was said.
  ///   - site: where it was posted.
  ///   - began: when it began.
  ///   - ended: when it ended; 0 for now.
  func notePost(
    _ receipt: Receipt, from sender: AnyObject?, at site: SourceSite, began: UInt64,
    ended: UInt64 = 0
  ) {
    let ended = ended == 0 ? WiringHistory.now() : ended
    var old: TopicTraffic.Poster?
    WiringHistory.record(
      .post, .name(name), site: site, began: began, ended: ended,
      count: Int(receipt.calledCount + receipt.queuedCount)
    ) {
      // The topic's own flag, too: it is cleared before what was counted is.
      guard isRecorded else { return }
      let took = WiringHistory.duration(from: began, to: ended)
      old = unsafe lockedTraffic.note(receipt, from: sender, at: site, took: took)
    }
    _ = old
    if receipt.isRefused {
      WiringHistory.record(.failure, name, site: site, ended: ended)
    } else if !receipt.wasHeard, receipt.droppedCount == 0 {
      WiringHistory.record(.drop, name, site: site, ended: ended)
    }
  }

  /// Records that a listener was called, and returns the time at its end.
  @discardableResult
  @inline(__always)
  func noteDelivery<Message: Sendable>(to entry: ChannelEntry<Message>, began: UInt64) -> UInt64 {
    noteDelivery(to: entry, for: entry.extras?.pattern, began: began)
  }

  // Knows no message type, so that nothing has to be looked up.
  private func noteDelivery(
    to entry: _ListEntry, for pattern: PatternEntry?, began: UInt64
  ) -> UInt64 {
    let ended = WiringHistory.now()
    WiringHistory.record(
      .delivery, .name(name), site: entry.site, began: began, ended: ended, count: 1
    ) {
      // One that has left meanwhile would never be forgotten; a pattern's deputy leaves with its pattern.
      guard isRecorded, !(pattern?.isRemoved ?? entry.isRemoved) else { return }
      let took = WiringHistory.duration(from: began, to: ended)
      unsafe lockedTraffic.note(listener: entry.id, took: took)
    }
    return ended
  }

  /// What was counted so far.
  var traffic: TopicTraffic {
    get {
      var found = TopicTraffic()
      WiringHistory.locked { unsafe found = lockedTraffic }
      return found
    }
    set {
      // What was there dies outside.
      var value = newValue
      WiringHistory.locked { unsafe swap(&value, &lockedTraffic) }
    }
  }

  /// Forgets what was counted, if the history has ended.
  func forgetTraffic() {
    var old = TopicTraffic()
    WiringHistory.locked { if !isRecorded { unsafe swap(&old, &lockedTraffic) } }
  }

  /// Records that a listener has left, and forgets what was counted of it.
  func noteLeft(_ entry: _ListEntry) {
    forgetCount(of: entry.id)
    WiringHistory.record(.close, name, site: entry.site)
  }

  /// Forgets what was counted of a listener.
  func forgetCount(of listener: UInt64) {
    WiringHistory.locked { unsafe lockedTraffic.forget(listener: listener) }
  }

  /// Records that a listener did not get a message.
  func noteDrop(by entry: _ListEntry) {
    if isRecorded { WiringHistory.record(.drop, name, site: entry.site) }
  }
}
