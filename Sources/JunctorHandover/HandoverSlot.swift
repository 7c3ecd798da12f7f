public import JunctorCore
internal import Synchronization

/// Keeps the model of one receiver, and what waits until the receiver is ready.
///
/// A class that is a ``DataReceiver`` holds one in a stored member, added by the macro `@DataReceiver` or written by hand:
/// `let handoverSlot = HandoverSlot<Profile>()`.
///
/// ## Concurrency
/// Not `Sendable`: it belongs to its receiver and is used where the receiver is. It retains the model and what waits, never
/// the receiver. When it goes, what never arrived is reported, and open requests end as cancelled.
public final class HandoverSlot<Model>: AnyHandoverSlot {
  /// What is kept, if anything.
  @usableFromInline var stored: Model?

  /// What waits for the receiver to become ready, oldest first. Its count is `waiting`.
  @usableFromInline var pending: [PendingHandover<Model>] = []

  /// Makes an empty slot for one receiver.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init() { super.init(isShared: false) }

  /// Makes an empty slot that several threads may use.
  @inlinable
  init(shared: Void) { super.init(isShared: true) }

  deinit {
    if waiting > 0 {
      for handover in pending { reportLost(handover) }
    }
    endAllRequests(because: "its receiver is gone", inline: false)
  }

  /// What is kept, if anything.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var model: Model? {
    get { isShared ? locked { stored } : stored }
    set {
      guard isShared else { return stored = newValue }
      // The old model dies outside the lock.
      let old = locked {
        let old = stored
        stored = newValue
        return old
      }
      _ = old
    }
  }

  private func reportLost(_ handover: PendingHandover<Model>) {
    let receiver = record.withLock { $0.receiverName }
    if WiringHistory.isOn { WiringHistory.record(.drop, receiver, site: handover.site) }
    Junctor.report(
      Diagnostic(
        .handoverNeverArrived,
        "Can't hand over '\(Model.self)' to '\(receiver)': the receiver went away before it was"
          + " ready. Call 'becomeReady()' when it is, or check 'isReady'.",
        sites: [handover.site]))
  }
}

/// One handover on its way.
@usableFromInline
struct PendingHandover<Model> {
  /// What is handed over.
  @usableFromInline var model: Model?
  /// Where it was handed over.
  @usableFromInline var site: SourceSite
  /// The request that came with it.
  @usableFromInline var request: AnyRequest?

  /// Puts it together.
  @usableFromInline
  init(model: Model?, site: SourceSite, request: AnyRequest?) {
    self.model = model
    self.site = site
    self.request = request
  }
}
