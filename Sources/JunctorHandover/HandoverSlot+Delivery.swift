public import JunctorCore
internal import Synchronization

extension HandoverSlot {
  /// Takes a handover that comes from a search or with a request.
  func accept<Receiver: DataReceiver>(
    _ handover: PendingHandover<Model>, for receiver: Receiver, from sender: AnyObject?
  ) where Receiver.Model == Model {
    if let request = handover.request { add(request) }
    if admit(to: receiver, isReady: receiver.isReady, from: sender, site: handover.site) != nil {
      countDelivery()
      deliver(handover, to: receiver)
    } else {
      wait(handover, for: receiver)
    }
  }

  // What follows is written into the receiver's module: code that knows the model takes a tenth of the time.

  /// Has a handover wait that cannot be delivered yet, and delivers what waits if the receiver has become ready meanwhile.
  @inlinable
  func wait<Receiver: DataReceiver>(_ handover: PendingHandover<Model>, for receiver: Receiver)
  where Receiver.Model == Model {
    let isLatestOnly = Receiver.handoverPolicy == .latest
    // Before it is seen to wait: whoever delivers it, or something later, must not be overwritten.
    receiver.model = handover.model
    for old in enqueue(handover, isLatestOnly: isLatestOnly) {
      noteDrop(of: Receiver.self, at: old.site)
      old.request?.wasReplaced()
    }
    // Asked again, because a receiver of several threads may have become ready since.
    if receiver.isReady { drain(into: receiver) }
  }

  /// Puts a handover behind those that wait, or in their place. Returns those that it replaced.
  @inlinable
  func enqueue(
    _ handover: PendingHandover<Model>, isLatestOnly: Bool
  ) -> [PendingHandover<Model>] {
    locked {
      var replaced: [PendingHandover<Model>] = []
      // A receiver that is being prepared is ready: what comes then is delivered in turn, not replaced.
      let isReplacing = isLatestOnly && !isDraining && !pending.isEmpty
      if isReplacing { swap(&replaced, &pending) }
      pending.append(handover)
      noteWaiting(pending.count, site: handover.site, isReplacing: isReplacing)
      return replaced
    }
  }

  /// Prepares the receiver with what waits. Returns at once if that is being done already.
  @inlinable
  func drain<Receiver: DataReceiver>(into receiver: Receiver) where Receiver.Model == Model {
    guard beginDraining() else { return }
    var batch: [PendingHandover<Model>] = []
    while takeBatch(&batch) {
      for index in batch.indices {
        countDelivery()
        deliver(batch[index], to: receiver)
      }
      // What was handed over is let go here, with no lock held; a little room is kept for the next one that waits.
      batch.removeAll(keepingCapacity: batch.capacity <= 4)
    }
  }

  /// Takes all that waits; gives the room of the last batch back. Returns false, with the draining ended, if nothing does.
  @inlinable
  func takeBatch(_ batch: inout [PendingHandover<Model>]) -> Bool {
    locked {
      let isEmpty = pending.isEmpty
      swap(&batch, &pending)
      noteTaken(isEmpty: isEmpty)
      return !isEmpty
    }
  }

  /// Prepares the receiver with one handover.
  @inlinable
  func deliver<Receiver: DataReceiver>(
    _ handover: PendingHandover<Model>, to receiver: Receiver
  ) where Receiver.Model == Model {
    let began = beginHandover()
    handover.request?.noteDelivery()
    receiver.model = handover.model
    receiver.prepare(with: handover.model)
    noteHandover(to: Receiver.self, at: handover.site, began: began)
  }
}

extension AnyHandoverSlot {
  /// Notes that one more waits, or one in place of others. Under the lock.
  @usableFromInline
  final func noteWaiting(_ count: Int, site: SourceSite, isReplacing: Bool) {
    waiting = count
    setBusy(true)
    // Under the slot's lock, so that both agree; no code of the user's is run, and nothing of the user's let go.
    record.withLock { record in
      if isReplacing { record.pending.removeAll(keepingCapacity: true) }
      record.pending.append(site)
    }
  }

  /// Says whether the caller is the one to prepare the receiver with what waits.
  @usableFromInline
  final func beginDraining() -> Bool {
    locked {
      guard !isDraining, waiting > 0 else { return false }
      isDraining = true
      return true
    }
  }

  /// Notes that all that waited was taken, or that nothing was left to take. Under the lock.
  @usableFromInline
  final func noteTaken(isEmpty: Bool) {
    waiting = 0
    isDraining = !isEmpty
    setBusy(!isEmpty)
    if !isEmpty {
      record.withLock { $0.pending.removeAll(keepingCapacity: $0.pending.capacity <= 4) }
    }
  }

  /// When a handover begins, if it is to be recorded; otherwise 0.
  @usableFromInline
  final func beginHandover() -> UInt64 { WiringHistory.begin() }

  /// Records a handover that was replaced before it arrived.
  @usableFromInline
  final func noteDrop(of receiver: any Any.Type, at site: SourceSite) {
    if WiringHistory.isOn { WiringHistory.record(.drop, .type(receiver), site: site) }
  }
}
