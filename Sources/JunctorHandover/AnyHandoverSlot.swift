public import JunctorCore
public import Synchronization

/// What the slots of all models have in common: all that can be decided without knowing the model.
///
/// Code that knows no type parameter needs no metadata at run time, which is why the frequent decisions are made here.
///
/// ## Concurrency
/// Belongs to its receiver's isolation; see ``HandoverSlot``.
public class AnyHandoverSlot {
  /// Whether several threads may use it, so that it is locked.
  @usableFromInline final let isShared: Bool

  // An atomic in a constant, because a variable would be checked for exclusive access at every look. Whoever finds a
  // shared slot quiet has to see what the last handover that waited has done, hence released and acquired.
  /// What keeps a handover to a ready receiver from going straight to it; 0 for nothing.
  @usableFromInline final let hindrances = Atomic<UInt8>(AnyHandoverSlot.busy)

  /// Something waits, is being prepared with, or nothing was handed over yet. Written by the receiver's side alone, under
  /// the lock of a shared slot.
  private static let busy: UInt8 = 1
  /// Handovers are recorded. Written under the ledger's lock alone.
  private static let watched: UInt8 = 2

  /// Whether the receiver of a shared slot was seen to keep its model there, as all objects of a class do or none.
  @usableFromInline final let isKeeper = Atomic<Bool>(false)

  /// Whether anything was handed over so far.
  final var wasHandedOver = false

  /// How many handovers wait.
  final var waiting = 0

  /// Whether somebody is preparing the receiver with what waited.
  @usableFromInline final var isDraining = false

  /// The requests that came with a handover and may still be open, oldest first.
  final var requests: [AnyRequest] = []

  /// The numbers of the latest requests that have ended, and how.
  final var endedRequests: [(id: UInt64, how: String)] = []

  /// Serialises a shared slot.
  @usableFromInline final let gate = Mutex<Void>(())

  /// What the wiring may see of this, from any thread.
  final let record = Mutex(HandoverRecord())

  /// How many handovers have arrived. Written only by the receiver's side.
  @usableFromInline final let deliveries = Atomic<UInt64>(0)

  /// The place in the ledger, which guards it.
  final var ledgerIndex = 0

  /// Makes a slot and enters it in the ledger.
  @usableFromInline
  init(isShared: Bool) {
    self.isShared = isShared
    HandoverLedger.shared.add(self)
  }

  deinit { HandoverLedger.shared.remove(self) }

  /// Runs a few lines that touch the slot's state, under its lock where it is shared. No code of the user's in there.
  @inlinable
  final func locked<Value>(_ body: () -> Value) -> Value {
    guard isShared else { return body() }
    var value: Value?
    gate.withLock { _ in value = body() }
    // The closure above has run: `withLock` calls it exactly once.
    return value ?? body()
  }
}

extension AnyHandoverSlot {
  /// Whether a handover to a ready receiver may go straight to it: known, and nothing waits.
  ///
  /// Of a shared slot this says what was so a moment ago, which is enough to hand over: it comes before what began to wait
  /// meanwhile. Who has become ready must look under the lock, or neither it nor who waits would see the other.
  @inlinable
  final var isQuiet: Bool { hindrances.load(ordering: .acquiring) == 0 }

  /// Whether a handover may set the model here without asking the receiver.
  @inlinable
  final var keepsModel: Bool { isKeeper.load(ordering: .relaxed) }

  /// Notes that the receiver declares no model of its own. A slot that is not shared lies in its receiver, and is asked for
  /// as quickly as this.
  @inlinable
  final func noteKeeping() {
    if isShared, !keepsModel { isKeeper.store(true, ordering: .relaxed) }
  }

  /// Notes whether something stands in the way of a handover.
  final func setBusy(_ isBusy: Bool) { set(Self.busy, isBusy) }

  /// Has handovers recorded, or not, as the history is. Call it under the ledger's lock.
  final func watchIfHistoryIsOn() { set(Self.watched, WiringHistory.isOn) }

  private final func set(_ bit: UInt8, _ isSet: Bool) {
    // Each bit has one writer at a time, so a look tells whether there is anything to write.
    guard (hindrances.load(ordering: .relaxed) & bit != 0) != isSet else { return }
    if isSet {
      hindrances.bitwiseOr(bit, ordering: .releasing)
    } else {
      hindrances.bitwiseAnd(~bit, ordering: .releasing)
    }
  }

  /// Notes that one more handover has arrived.
  @inlinable
  final func countDelivery() {
    if isShared {
      deliveries.wrappingAdd(1, ordering: .relaxed)
    } else {
      // One writer: a load and a store are enough, and cost a tenth of a read-modify-write. Readers want no more than
      // a recent number, hence relaxed.
      deliveries.store(deliveries.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }
  }

  /// Whether anything was handed over so far.
  final var lockedWasHandedOver: Bool { locked { wasHandedOver } }

  /// How many handovers wait.
  final var waitingCount: Int { locked { waiting } }

  /// Notes a handover that cannot go straight to its receiver, and says whether it can after all.
  ///
  /// If not, the caller has it wait.
  ///
  /// - Returns: `nil` if it has to wait; otherwise what to call `noteHandover` with.
  @usableFromInline
  final func admit(
    to receiver: AnyObject, isReady: Bool, from sender: AnyObject?, site: SourceSite
  ) -> UInt64? {
    // Nothing but the recording stands in the way.
    if isReady, sender == nil, hindrances.load(ordering: .acquiring) == Self.watched {
      return WiringHistory.begin()
    }
    if sender != nil || !locked({ wasHandedOver }) { note(receiver, sender: sender, site: site) }
    let isAdmitted = locked {
      wasHandedOver = true
      let isIdle = waiting == 0 && !isDraining
      setBusy(!isIdle)
      return isIdle && isReady
    }
    return isAdmitted ? WiringHistory.begin() : nil
  }

  /// Records a handover that has been prepared with, if it was measured.
  ///
  /// - Parameters:
  ///   - receiver: who got it.
  ///   - site: where it was handed over.
  ///   - began: what `admit` returned; 0 for nothing to record.
  @usableFromInline
  final func noteHandover(to receiver: any Any.Type, at site: SourceSite, began: UInt64) {
    guard began != 0 else { return }
    WiringHistory.record(.handover, .type(receiver), site: site, began: began, count: 1)
  }
}
