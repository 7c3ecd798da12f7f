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
    for topic in topics {
      let old = topic.traffic.withLock { $0.take() }
      _ = old
    }
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
    let old = traffic.withLock { traffic -> TopicTraffic.Poster? in
      // Asked under the lock: after the history has ended the counts are not to come back.
      guard isRecorded else { return nil }
      if traffic == nil { traffic = TopicTraffic() }
      return traffic?.note(receipt, from: sender, at: site, took: ended - began)
    }
    _ = old
    WiringHistory.record(
      .post, name, site: site, began: began, ended: ended,
      count: Int(receipt.calledCount + receipt.queuedCount))
    if receipt.isRefused {
      WiringHistory.record(.failure, name, site: site, ended: ended)
    } else if !receipt.wasHeard, receipt.droppedCount == 0 {
      WiringHistory.record(.drop, name, site: site, ended: ended)
    }
  }

  /// Records that a listener was called, and returns the time at its end.
  @discardableResult
  func noteDelivery<Message: Sendable>(to entry: ChannelEntry<Message>, began: UInt64) -> UInt64 {
    let ended = WiringHistory.now()
    traffic.withLock { traffic in
      guard isRecorded else { return }
      if traffic == nil { traffic = TopicTraffic() }
      // One that has left meanwhile would never be forgotten; a pattern's deputy leaves with its pattern.
      if !entry.registrant.isRemoved { traffic?.note(listener: entry.id, took: ended - began) }
    }
    WiringHistory.record(.delivery, name, site: entry.site, began: began, ended: ended, count: 1)
    return ended
  }

  /// Records that a listener has left, and forgets what was counted of it.
  func noteLeft(_ entry: _ListEntry) {
    forgetCount(of: entry.id)
    WiringHistory.record(.close, name, site: entry.site)
  }

  /// Forgets what was counted of a listener.
  func forgetCount(of listener: UInt64) {
    traffic.withLock { $0?.forget(listener: listener) }
  }

  /// Records that a listener did not get a message.
  func noteDrop(by entry: _ListEntry) {
    if isRecorded { WiringHistory.record(.drop, name, site: entry.site) }
  }
}
