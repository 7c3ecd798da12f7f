internal import CJunctorCore
internal import JunctorCore

extension Topic {
  /// Posts where there is more to do than a walk.
  @usableFromInline
  func postSpecially<Message: Sendable>(
    _ message: Message, from sender: AnyObject?, isolation: (any Actor)?, fileID: StaticString,
    line: UInt
  ) -> Receipt {
    // Asked first, so that a topic that is its own resolution is not retained for it.
    guard currentFlags.contains(.scoped) else {
      return postInOrder(message, from: sender, isolation: isolation, fileID: fileID, line: line)
    }
    return resolved.postInOrder(
      message, from: sender, isolation: isolation, fileID: fileID, line: line)
  }

  private func postInOrder<Message: Sendable>(
    _ message: Message, from sender: AnyObject?, isolation: (any Actor)?, fileID: StaticString,
    line: UInt
  ) -> Receipt {
    let flags = currentFlags
    guard flags.contains(.queued) else {
      return postNow(
        message, from: sender, isolation: isolation, flags, fileID: fileID, line: line)
    }
    // The sender is known weakly while its message waits.
    let waiting = sender.flatMap { OwnerBox($0) }
    var receipt: Receipt?
    let site = SourceSite(fileID: fileID, line: line)
    let circle = queue.run(isolation: isolation, at: site) { isolation, isAwaited in
      let result = self.postNow(
        message, from: waiting?.reference.object, isolation: isolation, flags, fileID: fileID,
        line: line)
      if !isAwaited { self.reportUnseen(result, site) }
      return result
    } first: {
      receipt = $0
    }
    if let circle { PostTurns.report(name, circle) }
    if let receipt { return receipt }
    var deferred = Receipt()
    deferred.marks.insert(.deferred)
    return deferred
  }

  private func postNow<Message: Sendable>(
    _ message: Message, from sender: AnyObject?, isolation: (any Actor)?, _ flags: TopicFlags,
    fileID: StaticString, line: UInt
  ) -> Receipt {
    let site = SourceSite(fileID: fileID, line: line)
    let start = flags.contains(.recorded) ? WiringHistory.now() : 0
    var time = start
    var begun: Observation.Begun?
    if flags.contains(.observed) {
      exchange.show(message, to: self, from: sender, site: site)
      begun = exchange.beginPost(self, site)
    }
    let receipt: Receipt
    if begun != nil || flags.contains(.replays) || start != 0 && !list.isEmpty {
      receipt = postCarefully(
        message, from: sender, isolation: isolation, begun?.observation, &time, site)
    } else if list.isEmpty {
      receipt = Receipt()
    } else if Self.isDeep {
      receipt = postDeeply(
        message, from: sender, isolation: isolation, fileID: fileID, line: line)
    } else {
      receipt = deliver(message, from: sender, isolation: isolation, fileID: fileID, line: line)
    }
    begun?.ended(receipt)
    if start != 0 {
      notePost(receipt, from: sender, at: site, began: start, ended: time == start ? 0 : time)
    }
    noteUnheard(receipt, site)
    return receipt
  }

  /// Reports a message that nobody heard, where the channel says so.
  func noteUnheard(_ receipt: Receipt, _ site: SourceSite) {
    // What is kept will be heard.
    guard currentFlags.contains(.requiresListener), !isKeeping, !receipt.wasHeard,
      !receipt.isRefused
    else { return }
    Junctor.report(
      Diagnostic(
        .nobodyListens,
        "Can't deliver '\(shown(name))': nobody listens. Listen before it is posted, or drop "
          + "'requiresListener' from the channel's options.",
        sites: [site, self.site]))
  }

  /// Reports what listeners threw where no poster gets to see the receipt.
  ///
  /// - Parameters:
  ///   - receipt: what came of the post.
  ///   - posted: where it was posted; `nil` if that was in another process.
  func reportUnseen(_ receipt: Receipt, _ posted: SourceSite?) {
    guard !currentFlags.isDisjoint(with: [.collectsErrors, .stopsAtError]) else { return }
    for failure in receipt.thrown {
      let sites = [failure.listener, posted, site].compactMap(\.self)
      Junctor.report(.threwUnseen(failure.error, on: name, sites: sites))
    }
  }

  /// Posts from deep inside other posts, and finds out whether there is an end to it.
  @usableFromInline
  func postDeeply<Message: Sendable>(
    _ message: Message, from sender: AnyObject?, isolation: (any Actor)?, fileID: StaticString,
    line: UInt
  ) -> Receipt {
    let site = SourceSite(fileID: fileID, line: line)
    guard PostChain.enter(self, site) else {
      var refused = Receipt()
      refused.marks.insert(.refused)
      return refused
    }
    defer { PostChain.leave() }
    return deliver(message, from: sender, isolation: isolation, fileID: fileID, line: line)
  }
}

/// A weak handle that can be captured.
final class OwnerBox: Sendable {
  /// The handle.
  let reference: OwnerReference

  /// Refers to an object weakly; `nil` if its deinitialiser has begun.
  init?(_ object: AnyObject) {
    guard let reference = OwnerReference(object) else { return nil }
    self.reference = reference
  }
}
