internal import JunctorCore
internal import Synchronization

extension HandoverSlot {
  private enum Step { case deliver, drain, wait }

  /// Takes a handover that cannot go straight to its receiver.
  @usableFromInline
  func accept<Receiver: DataReceiver>(
    _ handover: PendingHandover<Model>, for receiver: Receiver, from sender: AnyObject?
  ) where Receiver.Model == Model {
    note(receiver, sender: sender, site: handover.site)
    let isReady = receiver.isReady
    let isLatestOnly = Receiver.handoverPolicy == .latest
    if let request = handover.request { add(request) }

    let (step, replaced) = locked { () -> (Step, [PendingHandover<Model>]) in
      wasHandedOver = true
      if isReady, pending.isEmpty, !isDraining { return (.deliver, []) }
      var replaced: [PendingHandover<Model>] = []
      if isLatestOnly { swap(&replaced, &pending) }
      pending.append(handover)
      return (isReady && !isDraining ? .drain : .wait, replaced)
    }
    switch step {
    case .deliver:
      updateQuiet()
      deliver(handover, to: receiver)
    case .drain, .wait:
      updateQuiet()
      receiver.model = handover.model
      for old in replaced { old.request?.cancel(because: "a later handover took its place") }
      // A receiver of several threads may have become ready since it was asked.
      if step == .drain || receiver.isReady { drain(into: receiver) }
    }
  }

  /// Prepares the receiver with what waits. Returns at once if that is being done already.
  @usableFromInline
  func drain<Receiver: DataReceiver>(into receiver: Receiver) where Receiver.Model == Model {
    let isMine = locked { () -> Bool in
      guard !isDraining, !pending.isEmpty else { return false }
      isDraining = true
      return true
    }
    guard isMine else { return }
    while true {
      let batch = locked { () -> [PendingHandover<Model>] in
        var batch: [PendingHandover<Model>] = []
        swap(&batch, &pending)
        if batch.isEmpty { isDraining = false }
        return batch
      }
      if batch.isEmpty { break }
      for handover in batch { deliver(handover, to: receiver) }
    }
    updateQuiet()
  }

  private func deliver<Receiver: DataReceiver>(
    _ handover: PendingHandover<Model>, to receiver: Receiver
  ) where Receiver.Model == Model {
    countDelivery()
    handover.request?.isDelivered = true
    receiver.model = handover.model
    receiver.prepare(with: handover.model)
  }

  private func updateQuiet() {
    let sites = locked { () -> [SourceSite] in
      isQuiet = !isShared && pending.isEmpty && !isDraining
      return pending.map(\.site)
    }
    record.withLock { $0.pending = sites }
  }
}
