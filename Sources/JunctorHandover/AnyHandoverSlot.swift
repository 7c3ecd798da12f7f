internal import JunctorCore
internal import Synchronization

/// What the slots of all models have in common.
///
/// ## Concurrency
/// Belongs to its receiver's isolation; see ``HandoverSlot``.
public class AnyHandoverSlot {
  /// Whether several threads may use it, so that it is locked.
  @usableFromInline let isShared: Bool

  /// Whether a handover to a ready receiver may go straight to it: known, not shared, nothing waits.
  @usableFromInline var isQuiet = false

  /// Whether anything was handed over so far.
  final var wasHandedOver = false

  /// The requests that came with a handover and may still be open, oldest first.
  final var requests: [AnyRequest] = []

  /// The numbers of the latest requests that have ended, and how.
  final var endedRequests: [(id: UInt64, how: String)] = []

  /// Serialises a shared slot.
  final let gate = Mutex<Void>(())

  /// What the wiring may see of this, from any thread.
  final let record = Mutex(HandoverRecord())

  /// How many handovers have arrived. Written only by the receiver's side.
  final let deliveries = Atomic<UInt64>(0)

  /// The place in the ledger, which guards it.
  final var ledgerIndex = 0

  /// Makes a slot and enters it in the ledger.
  init(isShared: Bool) {
    self.isShared = isShared
    HandoverLedger.shared.add(self)
  }

  deinit { HandoverLedger.shared.remove(self) }

  /// Runs a few lines that touch the slot's state, under its lock where it is shared. No code of the user's in there.
  final func locked<Value>(_ body: () -> Value) -> Value {
    guard isShared else { return body() }
    var value: Value?
    gate.withLock { _ in value = body() }
    // The closure above has run: `withLock` calls it exactly once.
    return value ?? body()
  }
}

extension AnyHandoverSlot {
  /// Notes that one more handover has arrived.
  @usableFromInline
  final func countDelivery() {
    if isShared {
      deliveries.wrappingAdd(1, ordering: .relaxed)
    } else {
      // One writer: a load and a store are enough, and cost a tenth of a read-modify-write. Readers want no more than
      // a recent number, hence relaxed.
      deliveries.store(deliveries.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }
  }
}
