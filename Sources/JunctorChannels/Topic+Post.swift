internal import CJunctorCore
internal import JunctorCore

extension Topic {
  /// Posts where there is more to do than a walk.
  @usableFromInline
  func postSpecially<Message: Sendable>(
    _ message: Message, from sender: AnyObject?, isolation: (any Actor)?, fileID: StaticString,
    line: UInt
  ) -> Receipt {
    let topic = resolved
    let flags = topic.currentFlags
    guard flags.contains(.queued) else {
      return topic.postNow(
        message, from: sender, isolation: isolation, flags, fileID: fileID, line: line)
    }
    // The sender is known weakly while its message waits.
    let waiting = sender.flatMap { OwnerBox($0) }
    var receipt: Receipt?
    topic.queue.run(isolation: isolation) { isolation in
      let result = topic.postNow(
        message, from: waiting?.reference.object, isolation: isolation, flags, fileID: fileID,
        line: line)
      return result
    } first: {
      receipt = $0
    }
    if let receipt { return receipt }
    var deferred = Receipt()
    deferred.marks.insert(.deferred)
    return deferred
  }

  private func postNow<Message: Sendable>(
    _ message: Message, from sender: AnyObject?, isolation: (any Actor)?, _ flags: TopicFlags,
    fileID: StaticString, line: UInt
  ) -> Receipt {
    if flags.contains(.observed) {
      exchange.show(
        message, to: self, from: sender, site: SourceSite(fileID: fileID, line: line))
    }
    let receipt =
      list.isEmpty
      ? Receipt()
      : Self.isDeep
        ? postDeeply(message, from: sender, isolation: isolation, fileID: fileID, line: line)
        : deliver(message, from: sender, isolation: isolation, fileID: fileID, line: line)
    if flags.contains(.requiresListener), !receipt.wasHeard, !receipt.isRefused {
      Junctor.report(
        Diagnostic(
          .nobodyListens,
          "Can't deliver '\(shown(name))': nobody listens. Listen before it is posted, or drop "
            + "'requiresListener' from the channel's options.",
          sites: [SourceSite(fileID: fileID, line: line), site]))
    }
    return receipt
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
  let reference: OwnerReference

  init?(_ object: AnyObject) {
    guard let reference = OwnerReference(object) else { return nil }
    self.reference = reference
  }
}
