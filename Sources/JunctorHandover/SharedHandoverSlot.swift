/// A slot for a receiver that several threads use: a `Sendable` class that is bound to no actor.
///
/// The class holds it and shows its `base`:
///
/// ```swift
/// private let slot = SharedHandoverSlot<Order>()
/// var handoverSlot: HandoverSlot<Order> { slot.base }
/// ```
///
/// ## Concurrency
/// May be used from any thread; every access to the slot is locked. `prepare(with:)` runs on the thread that hands over, or
/// that makes the receiver ready, with no lock held; what waited is prepared with one at a time.
@safe
public struct SharedHandoverSlot<Model: Sendable>: @unchecked Sendable {
  // SAFETY (unchecked Sendable): the slot's own state is only touched under its lock (`isShared`), and models are
  // `Sendable`.

  /// The slot itself.
  public let base: HandoverSlot<Model>

  /// Makes an empty slot for one receiver.
  ///
  /// - Complexity: O(1).
  public init() { base = HandoverSlot(shared: ()) }
}
