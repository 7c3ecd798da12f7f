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
    var pass = DeliveryPass()
    unsafe withUnsafeMutablePointer(to: &pass) { pass in
      // A function, as a closure would be called rather than inlined, once for every listener; a pointer, as captured
      // variables would be checked for exclusive access while the program runs.
      // SAFETY: the pointer is used inside this call only, on this thread, by one access at a time.
      @inline(__always)
      func visit(_ entry: _ListEntry, _ owner: AnyObject) -> Bool {
        // SAFETY: only entries of the topic's own message type are ever added to its list.
        let entry = unsafe unsafeDowncast(entry, to: ChannelEntry<Message>.self)
        if entry.isPlain {
          unsafe pass.pointee.receipt.calledCount &+= 1
          do {
            try entry.invoke(owner, message)
            return true
          } catch {
            return unsafe didThrow(error, by: entry, &pass.pointee.receipt)
          }
        }
        return unsafe entry.deliver(
          message, to: owner, of: self, from: sender, isolation: isolation, fileID: fileID,
          line: line, &pass.pointee.receipt, &pass.pointee.context)
      }
      list.walk(visit)
    }
    return pass.receipt
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
  @inline(never)
  func didThrow(_ error: any Error, by entry: _ListEntry, _ receipt: inout Receipt) -> Bool {
    receipt.add(error)
    let flags = currentFlags
    if flags.contains(.recorded) { WiringHistory.record(.failure, name, site: entry.site) }
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

/// What one delivery gathers on its way.
@usableFromInline
struct DeliveryPass {
  /// What came of it so far.
  @usableFromInline var receipt = Receipt()
  /// Made when the first listener asks for the envelope.
  @usableFromInline var context: PostContext?

  @inlinable
  init() {}
}
