public import CJunctorCore
public import JunctorCore
public import Synchronization

extension Topic {
  /// Calls everybody, in order; the heart of `post`.
  ///
  /// - Complexity: O(n). Allocates nothing for plain listeners.
  @inlinable
  func deliver<Message: Sendable>(
    _ message: Message, from sender: AnyObject?, isolation: (any Actor)?, fileID: StaticString,
    line: UInt
  ) -> Receipt {
    var receipt = Receipt()
    var context: PostContext?
    list.walk { entry, owner in
      // SAFETY: only entries of the topic's own message type are ever added to its list.
      let entry = unsafe unsafeDowncast(entry, to: ChannelEntry<Message>.self)
      if entry.isPlain {
        receipt.calledCount &+= 1
        do {
          try entry.call(owner, message)
          return true
        } catch {
          return didThrow(error, by: entry, &receipt)
        }
      }
      return entry.deliver(
        message, to: owner, of: self, from: sender, isolation: isolation, fileID: fileID,
        line: line, &receipt, &context)
    }
    return receipt
  }

  /// Whether a post is a walk and nothing more, and not nested deeply.
  @inlinable
  @inline(__always)
  var isPlain: Bool { flags.load(ordering: .acquiring) == 0 }

  /// Whether so many posts are nested on this thread that a circle has to be thought of.
  @inlinable
  @inline(__always)
  static var isDeep: Bool {
    // SAFETY: the record belongs to this thread.
    unsafe junctor_thread_record().pointee.depth >= UInt32(JUNCTOR_PINS)
  }

  /// Does with an error what the channel says. Returns whether to go on.
  @usableFromInline
  func didThrow(_ error: any Error, by entry: _ListEntry, _ receipt: inout Receipt) -> Bool {
    receipt.add(error)
    let flags = currentFlags
    if flags.contains(.stopsAtError) { return false }
    if !flags.contains(.collectsErrors) { report(error, by: entry) }
    return true
  }

  /// Reports an error that no poster gets to see.
  func report(_ error: any Error, by entry: _ListEntry) {
    Junctor.report(
      Diagnostic(
        .listenerThrew,
        "Can't finish a delivery on '\(shown(name))': a listener threw \(error). "
          + "Catch the error in the listener, or give the channel another error policy.",
        sites: [entry.site, site]))
  }
}
