#if canImport(ObjectiveC)
  internal import ObjectiveC
  internal import Synchronization
#endif

/// The slots of receivers that keep none themselves.
enum HandoverTable {
  #if canImport(ObjectiveC)
    // SAFETY: only its address is used, as the key of the associated object.
    nonisolated(unsafe) private static let key = UnsafeMutableRawPointer.allocate(
      byteCount: 1, alignment: 1)
    private static let creation = Mutex<Void>(())
  #else
    private static let slots = OwnerTable()
  #endif

  /// The slot of a receiver, made at its first use.
  ///
  /// - Complexity: O(1).
  static func slot<Receiver: DataReceiver>(
    for receiver: Receiver
  ) -> HandoverSlot<Receiver.Model> {
    if let slot = find(receiver) as? HandoverSlot<Receiver.Model> { return slot }
    let slot = HandoverSlot<Receiver.Model>(shared: ())
    return keep(slot, for: receiver) as? HandoverSlot<Receiver.Model> ?? slot
  }

  #if canImport(ObjectiveC)
    private static func find(_ receiver: AnyObject) -> AnyObject? {
      unsafe objc_getAssociatedObject(receiver, key) as AnyObject?
    }

    private static func keep(_ slot: AnyObject, for receiver: AnyObject) -> AnyObject {
      creation.withLock { _ in
        if find(receiver) == nil {
          unsafe objc_setAssociatedObject(receiver, key, slot, .OBJC_ASSOCIATION_RETAIN)
        }
      }
      return find(receiver) ?? slot
    }
  #else
    private static func find(_ receiver: AnyObject) -> AnyObject? { slots.value(for: receiver) }

    private static func keep(_ slot: AnyObject, for receiver: AnyObject) -> AnyObject {
      slots.keep(slot, for: receiver)
    }

    /// How many slots there are, those of receivers just gone included. For tests.
    static var count: Int { slots.count }

    /// Clears away every slot whose receiver is gone. For tests.
    static func sweep() { while !slots.sweep(limit: 1024).atEnd {} }
  #endif
}
