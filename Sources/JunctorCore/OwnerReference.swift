public import CJunctorCore

/// A weak reference that leaves its object's own reference counting as fast as it was.
///
/// On platforms without Objective-C it holds an unowned reference and asks the runtime to retain the object if it is
/// still alive (about 24 ns for the pair, against 66 ns for a `weak` variable, which besides makes every later
/// retain of that object slower for good). Objective-C objects cannot be held so; there it is a `weak` variable.
@safe
@usableFromInline
package struct OwnerReference: ~Copyable, @unchecked Sendable {
  // SAFETY (unchecked Sendable): the only state is a constant address (or a weak variable that is never written after
  // initialisation); every operation on it is one of the runtime's atomic reference-count operations.
  #if canImport(ObjectiveC)
    @usableFromInline
    final class WeakBox {
      @usableFromInline weak let object: AnyObject?
      @usableFromInline init(_ object: AnyObject) { self.object = object }
    }

    @usableFromInline let box: WeakBox
  #else
    @usableFromInline let address: UnsafeMutableRawPointer
  #endif

  /// Refers to an object weakly; `nil` if its deinitialiser has begun.
  @inlinable
  package init?(_ object: AnyObject) {
    #if canImport(ObjectiveC)
      box = WeakBox(object)
      if box.object == nil { return nil }
    #else
      // SAFETY: `object` is alive as memory for the length of this call; the unowned reference keeps it so until `deinit`.
      let address = unsafe Unmanaged.passUnretained(object).toOpaque()
      if unsafe junctor_is_deallocating(address) { return nil }
      unsafe self.address = junctor_unowned_retain(address)
    #endif
  }

  #if !canImport(ObjectiveC)
    deinit {
      // SAFETY: balances the unowned reference taken in `init`.
      unsafe junctor_unowned_release(address)
    }
  #endif

  /// Whether the object's deinitialiser has not begun. Retains nothing, runs no code of the user's.
  @inlinable
  package var isAlive: Bool {
    #if canImport(ObjectiveC)
      box.object != nil
    #else
      // SAFETY: the unowned reference keeps the object's header readable.
      unsafe !junctor_is_deallocating(address)
    #endif
  }

  /// The object, retained, if it is still alive. Its last release may be the caller's: hold no lock then.
  @inlinable
  package var object: AnyObject? {
    #if canImport(ObjectiveC)
      box.object
    #else
      // SAFETY: `junctor_try_retain` returns the same object at +1, which `takeRetainedValue` takes over.
      guard let retained = unsafe junctor_try_retain(address) else { return nil }
      return unsafe Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
    #endif
  }

  /// Whether this refers to exactly that object. A new object at a dead one's address is never that object: the unowned
  /// reference keeps the address taken.
  @inlinable
  package func refers(to other: AnyObject) -> Bool {
    #if canImport(ObjectiveC)
      box.object === other
    #else
      unsafe address == Unmanaged.passUnretained(other).toOpaque()
    #endif
  }
}
