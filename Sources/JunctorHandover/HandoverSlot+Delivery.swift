internal import JunctorCore
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

  /// Has a handover wait that cannot be delivered yet, and delivers what waits if the receiver has become ready meanwhile.
  @usableFromInline
  func wait<Receiver: DataReceiver>(_ handover: PendingHandover<Model>, for receiver: Receiver)
  where Receiver.Model == Model {
    let isLatestOnly = Receiver.handoverPolicy == .latest
    // Before it is seen to wait: whoever delivers it, or something later, must not be overwritten.
    receiver.model = handover.model
    let replaced = locked { () -> [PendingHandover<Model>] in
      var replaced: [PendingHandover<Model>] = []
      // A receiver that is being prepared is ready: what comes then is delivered in turn, not replaced.
      if isLatestOnly, !isDraining { swap(&replaced, &pending) }
      pending.append(handover)
      waiting = pending.count
      return replaced
    }
    updateRecord()
    if !replaced.isEmpty { noteDrops(replaced.map(\.site), of: Receiver.self) }
    for old in replaced { old.request?.cancel(because: "a later handover took its place") }
    // Asked again, because a receiver of several threads may have become ready since.
    if receiver.isReady { drain(into: receiver) }
  }

  /// Prepares the receiver with what waits. Returns at once if that is being done already.
  @usableFromInline
  func drain<Receiver: DataReceiver>(into receiver: Receiver) where Receiver.Model == Model {
    let isMine = locked { () -> Bool in
      guard !isDraining, waiting > 0 else { return false }
      isDraining = true
      return true
    }
    guard isMine else { return }
    while true {
      let batch = locked { () -> [PendingHandover<Model>] in
        var batch: [PendingHandover<Model>] = []
        swap(&batch, &pending)
        waiting = 0
        if batch.isEmpty { isDraining = false }
        return batch
      }
      if batch.isEmpty { break }
      for handover in batch {
        countDelivery()
        deliver(handover, to: receiver)
      }
    }
    updateRecord()
  }

  private func deliver<Receiver: DataReceiver>(
    _ handover: PendingHandover<Model>, to receiver: Receiver
  ) where Receiver.Model == Model {
    let began = WiringHistory.begin()
    handover.request?.phase.isDelivered = true
    receiver.model = handover.model
    receiver.prepare(with: handover.model)
    noteHandover(to: Receiver.self, at: handover.site, began: began)
  }

  private func noteDrops(_ sites: [SourceSite], of receiver: any Any.Type) {
    guard WiringHistory.isOn else { return }
    for site in sites { WiringHistory.record(.drop, .type(receiver), site: site) }
  }

  private func updateRecord() {
    let sites = locked { () -> [SourceSite] in
      setBusy(isShared || waiting > 0 || isDraining)
      return pending.map(\.site)
    }
    record.withLock { $0.pending = sites }
  }
}
