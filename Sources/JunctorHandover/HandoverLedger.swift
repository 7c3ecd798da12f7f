internal import JunctorCore
internal import Synchronization

/// Knows every slot, without keeping any, so that the wiring can show the receivers.
///
/// ## Concurrency
/// May be used from any thread. Reads of a slot only what any thread may read.
final class HandoverLedger: WiringSource {
  /// The one ledger of the process.
  static let shared: HandoverLedger = {
    let ledger = HandoverLedger()
    _ = WiringRegistry.add(ledger)
    return ledger
  }()

  /// One slot's record, copied.
  struct Entry: Sendable {
    /// What the slot shows.
    var record: HandoverRecord
    /// How many handovers have arrived.
    var deliveries: UInt64
  }

  /// The addresses of all slots. Plain numbers, because neither retaining a slot nor moving it between threads is meant.
  private let state = Mutex<[UInt]>([])

  /// How many slots there are.
  var count: Int { state.withLock { $0.count } }

  /// Enters a slot.
  func add(_ slot: AnyHandoverSlot) {
    let address = UInt(bitPattern: ObjectIdentifier(slot))
    state.withLock { addresses in
      // SAFETY: `slot` is alive for the length of this call.
      Self.slot(at: address) { slot in
        slot.ledgerIndex = addresses.count
        if WiringHistory.isOn { slot.watchIfHistoryIsOn() }
      }
      addresses.append(address)
    }
  }

  /// Takes a slot out. Called from its `deinit`.
  func remove(_ slot: AnyHandoverSlot) {
    let address = UInt(bitPattern: ObjectIdentifier(slot))
    state.withLock { addresses in
      // SAFETY: `slot` is still there as memory, because its `deinit` is waiting for this; so is the last one, which
      // cannot leave the ledger while the lock is held.
      let index = Self.slot(at: address) { $0.ledgerIndex }
      let last = addresses.removeLast()
      guard last != address else { return }
      addresses[index] = last
      Self.slot(at: last) { $0.ledgerIndex = index }
    }
  }

  /// Has handovers recorded, or not, as the history is.
  ///
  /// - Complexity: O(slots).
  func historyDidChange() {
    state.withLock { addresses in
      for address in addresses {
        // SAFETY: as in `entries`; the slot's flags are atomic.
        Self.slot(at: address) { $0.watchIfHistoryIsOn() }
      }
    }
  }

  /// A copy of what the slots show.
  ///
  /// - Complexity: O(slots).
  func entries() -> [Entry] {
    state.withLock { addresses in
      addresses.map { address in
        // SAFETY: every slot in the ledger is there as memory while the lock is held, and `record` and `deliveries` may
        // be read from any thread.
        Self.slot(at: address) { slot in
          Entry(
            record: slot.record.withLock { $0 },
            deliveries: slot.deliveries.load(ordering: .relaxed))
        }
      }
    }
  }

  /// Looks at the slot at an address without retaining it.
  ///
  /// Unsafe: the slot must be there as memory for the length of the call.
  private static func slot<Value>(
    at address: UInt, _ body: (AnyHandoverSlot) -> Value
  ) -> Value {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else {
      preconditionFailure("Can't find a slot: its address is null. Report this as a fault.")
    }
    // SAFETY: the caller's promise; `_withUnsafeGuaranteedRef` retains nothing, so that a slot whose `deinit` has begun
    // is not touched beyond its memory.
    return unsafe Unmanaged<AnyHandoverSlot>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
      body($0)
    }
  }
}
