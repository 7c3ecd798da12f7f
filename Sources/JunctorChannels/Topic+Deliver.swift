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
    unsafe withUnsafePointers(&pass, message) { pass, argument in
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
      @inline(__always)
      func threw(_ error: UnsafeMutableRawPointer, _ entry: Unmanaged<_ListEntry>) -> Bool {
        unsafe didThrow(error, by: entry, &pass.pointee.receipt)
      }
      // SAFETY: the words of an entry in this list are those of a closure that takes a message of this type and nothing
      // else, in the most general form (`BareChannelEntry`); the walk holds the entries, and they the closures.
      let count = unsafe list.walk(argument: argument, threw: threw, visit)
      unsafe pass.pointee.receipt.calledCount &+= UInt32(truncatingIfNeeded: count)
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

  /// Takes over an error that a closure called by its words threw. Returns whether to go on.
  @usableFromInline
  @inline(never)
  func didThrow(
    _ error: UnsafeMutableRawPointer, by entry: Unmanaged<_ListEntry>, _ receipt: inout Receipt
  ) -> Bool {
    // SAFETY: the word is an error at +1, as the call gave it; it is moved out once. The walk holds the entry.
    var word = unsafe error
    let error = unsafe withUnsafeMutablePointer(to: &word) {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: (any Error).self).move()
    }
    return unsafe entry._withUnsafeGuaranteedRef { didThrow(error, by: $0, &receipt) }
  }

  /// Does with an error what the channel says. Returns whether to go on.
  @usableFromInline
  @inline(never)
  func didThrow(_ error: any Error, by entry: _ListEntry, _ receipt: inout Receipt) -> Bool {
    receipt.add(Receipt.Failure(error: error, listener: entry.site))
    let flags = currentFlags
    if flags.contains(.recorded) { WiringHistory.record(.failure, name, site: entry.site) }
    if flags.contains(.stopsAtError) { return false }
    if !flags.contains(.collectsErrors) { report(error, by: entry) }
    return true
  }

  /// Reports an error, since the channel's policy says so or no poster gets to see it.
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
  // No initial values: the expression of one is a call in other modules.
  /// What came of it so far.
  @usableFromInline var receipt: Receipt
  /// Made when the first listener asks for the envelope.
  @usableFromInline var context: PostContext?

  @inlinable
  init() {
    receipt = Receipt()
    context = nil
  }
}

/// Calls `body` with a pointer to a variable and one to a value.
@inlinable
@inline(__always)
func withUnsafePointers<Pass, Value>(
  _ pass: inout Pass, _ value: Value,
  _ body: (UnsafeMutablePointer<Pass>, UnsafeRawPointer) -> Void
) {
  unsafe withUnsafeMutablePointer(to: &pass) { pass in
    unsafe withUnsafePointer(to: value) { unsafe body(pass, UnsafeRawPointer($0)) }
  }
}
