public import CJunctorCore

/// A weak reference that leaves its object's own reference counting as fast as it was.
///
/// On platforms without Objective-C it holds an unowned reference and asks the runtime to retain the object if it is
/// still alive; the object never gets the side table that a `weak` variable would give it for good. Objective-C objects
/// cannot be held so; there it is a `weak` variable.
///
/// ## Concurrency
/// May be used from any thread. Retains the object only for the caller of `object`.
@safe
@usableFromInline
package struct OwnerReference: ~Copyable, @unchecked Sendable {
  // SAFETY (unchecked Sendable): the only state is a constant address (or a weak constant); every operation on it is
  // one of the runtime's atomic reference-count operations.
  #if canImport(ObjectiveC)
    @usableFromInline
    final class WeakBox: Sendable {
      @usableFromInline weak let object: AnyObject?
      @usableFromInline init(_ object: AnyObject) { self.object = object }
    }

    @usableFromInline let box: WeakBox?
  #else
    /// The object's address, with an unowned reference; `nil` for nothing.
    @usableFromInline let address: UnsafeMutableRawPointer?
  #endif

  /// Refers to nothing.
  @inlinable
  package init() {
    #if canImport(ObjectiveC)
      box = nil
    #else
      unsafe address = nil
    #endif
  }

  /// Refers to an object weakly; `nil` if its deinitialiser has begun.
  ///
  /// On Apple platforms an Objective-C object must not be on its way out when this is called: its runtime stops the
  /// process then. A Swift class may.
  @inlinable
  package init?(_ object: AnyObject) {
    #if canImport(ObjectiveC)
      let box = WeakBox(object)
      if box.object == nil { return nil }
      self.box = box
    #else
      // SAFETY: `object` is there as memory for the length of this call; the unowned reference keeps it so until `deinit`.
      let address = unsafe Unmanaged.passUnretained(object).toOpaque()
      if unsafe junctor_is_deallocating(address) { return nil }
      unsafe self.address = junctor_unowned_retain(address)
    #endif
  }

  #if !canImport(ObjectiveC)
    deinit {
      // SAFETY: balances the unowned reference taken in `init`.
      if let address = unsafe address { unsafe junctor_unowned_release(address) }
    }
  #endif

  /// Whether it refers to an object at all, alive or not.
  @inlinable
  package var isBound: Bool {
    #if canImport(ObjectiveC)
      box != nil
    #else
      unsafe address != nil
    #endif
  }

  /// Whether there is an object and its deinitialiser has not begun.
  ///
  /// Without Objective-C this retains nothing. With it, the object may be released here for the last time: hold no lock.
  @inlinable
  package var isAlive: Bool {
    #if canImport(ObjectiveC)
      box?.object != nil
    #else
      // SAFETY: the unowned reference keeps the object's header readable.
      if let address = unsafe address { unsafe !junctor_is_deallocating(address) } else { false }
    #endif
  }

  /// The object, retained, if it is still alive. Its last release may be the caller's: hold no lock then.
  @inlinable
  package var object: AnyObject? {
    #if canImport(ObjectiveC)
      box?.object
    #else
      // SAFETY: `junctor_try_retain` returns the same object at +1, which `takeRetainedValue` takes over.
      guard let address = unsafe address, let retained = unsafe junctor_try_retain(address) else {
        return nil
      }
      return unsafe Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
    #endif
  }

  /// Calls `body` with the object, kept alive meanwhile; `nil`, with nothing called, if it is not alive.
  ///
  /// Cheaper than `object`: the one reference that the runtime gave is all that is counted. `body` is written into the
  /// caller once only, so that a large one is inlined as well.
  ///
  /// - Parameters:
  ///   - substitute: stands in where no object is referred to at all.
  ///   - body: gets the object.
  @inlinable
  @inline(__always)
  package func withObject<Result>(
    orIfUnbound substitute: AnyObject, _ body: (AnyObject) -> Result
  ) -> Result? {
    #if canImport(ObjectiveC)
      guard let object = isBound ? box?.object : substitute else { return nil }
      return body(object)
    #else
      // SAFETY: `object` is the substitute, which the caller holds, or the object at +1 until the release below, which
      // nothing can skip: `body` does not throw.
      var object = unsafe Unmanaged.passUnretained(substitute).toOpaque()
      let isBound = isBound
      if let address = unsafe address {
        guard let retained = unsafe junctor_try_retain(address) else { return nil }
        unsafe object = retained
      }
      let result = unsafe Unmanaged<AnyObject>.fromOpaque(object)._withUnsafeGuaranteedRef {
        body($0)
      }
      if isBound { unsafe junctor_release(object) }
      return result
    #endif
  }

  /// Calls `body` with the object, kept alive meanwhile; `nil`, with nothing called, if it is not alive.
  @inlinable
  package func withObject<Result>(_ body: (AnyObject) -> Result) -> Result? {
    guard let object else { return nil }
    return body(object)
  }

  /// The object's identity and type, if it is alive.
  ///
  /// Without Objective-C this retains nothing, so that a look from another thread never is an object's last release.
  package var naming: (identity: ObjectIdentifier, type: AnyClass)? {
    #if canImport(ObjectiveC)
      guard let object = box?.object else { return nil }
      return (ObjectIdentifier(object), Swift.type(of: object))
    #else
      guard isAlive, let address = unsafe address else { return nil }
      // SAFETY: the unowned reference keeps the object's header, which names its class, whether or not its `deinit` has
      // begun meanwhile; nothing else of the object is read.
      return unsafe Unmanaged<AnyObject>.fromOpaque(address)._withUnsafeGuaranteedRef {
        (ObjectIdentifier($0), Swift.type(of: $0))
      }
    #endif
  }

  /// Whether this refers to exactly that object. A new object at a dead one's address is never that object: the unowned
  /// reference keeps the address taken.
  @inlinable
  package func refers(to other: AnyObject) -> Bool {
    #if canImport(ObjectiveC)
      box?.object === other
    #else
      // SAFETY: addresses are compared, nothing is read; the unowned reference keeps the address taken.
      unsafe address == Unmanaged.passUnretained(other).toOpaque()
    #endif
  }
}
