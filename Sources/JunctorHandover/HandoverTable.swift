/// The slots and shelves of objects that keep none themselves.
@usableFromInline
enum HandoverTable {
  private static let slots = OwnerStorage()
  private static let shelves = OwnerStorage()

  /// The slot of a receiver, made at its first use.
  ///
  /// - Complexity: O(1).
  @inlinable
  static func slot<Receiver: DataReceiver>(
    for receiver: Receiver
  ) -> HandoverSlot<Receiver.Model> {
    if let slot = find(receiver) as? HandoverSlot<Receiver.Model> { return slot }
    return make(for: receiver)
  }

  /// The value in the table, if there is one.
  @usableFromInline
  static func find(_ receiver: AnyObject) -> AnyObject? { slots.value(for: receiver) }

  /// Puts a slot into the table, unless another thread was quicker.
  @usableFromInline
  static func make<Receiver: DataReceiver>(
    for receiver: Receiver
  ) -> HandoverSlot<Receiver.Model> {
    let slot = HandoverSlot<Receiver.Model>(shared: ())
    return slots.keep(slot, for: receiver) as? HandoverSlot<Receiver.Model> ?? slot
  }

  /// The shelf of a container, made at its first use.
  ///
  /// - Complexity: O(1).
  static func shelf(for container: AnyObject) -> HandoverShelf {
    if let shelf = existingShelf(for: container) { return shelf }
    let shelf = HandoverShelf()
    return shelves.keep(shelf, for: container) as? HandoverShelf ?? shelf
  }

  /// The shelf of a container, if anything was ever left with it.
  ///
  /// - Complexity: O(1).
  static func existingShelf(for container: AnyObject) -> HandoverShelf? {
    shelves.value(for: container) as? HandoverShelf
  }

  /// How many slots there are, those of receivers just gone included. For tests.
  static var count: Int { slots.count }

  /// Clears away everything whose object is gone. For tests.
  static func sweep() {
    slots.sweep()
    shelves.sweep()
  }
}
