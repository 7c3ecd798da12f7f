internal import JunctorCore
internal import Synchronization

extension LocalChannel {
  /// Keeps a message for listeners that come later.
  func keep(_ message: Message, _ context: PostContext) {
    kept.append((message, context))
    if kept.count > options.replay.limit { _ = kept.popFirst() }
  }

  /// Does what the end of a delivery asks for: keeps what nobody heard, forgets what was consumed.
  func settle(_ message: Message, _ pass: inout LocalPass) {
    switch options.replay.kind {
    case .none: break
    case .last:
      guard pass.receipt.isConsumed, let context = pass.context else { return }
      _ = kept.takeLast { $0.context === context }
    case .untilFirst:
      if !pass.receipt.wasHeard {
        keep(message, pass.makeContext(name))
      } else if pass.receipt.calledCount > 0 {
        // Where it is held up for others as well, it is not kept for want of them.
        pass.context?.markHeard()
      }
    }
  }

  /// Gives a listener that has just joined what was kept, and then what was posted meanwhile.
  func catchUp(_ entry: LocalEntry<Message>) {
    guard !kept.isEmpty else { return }
    var items = kept.elements.filter { entry.line.wants($0.context.sender) }
    if entry.line.isOnce { items = Array(items.prefix(1)) }
    if options.replay.kind == .untilFirst {
      let taken = Set(items.map { ObjectIdentifier($0.context) })
      _ = kept.takeAll { taken.contains(ObjectIdentifier($0.context)) }
    }
    entry.held = RingBuffer()
    for item in items { entry.held?.append(item) }
    while entry.line.isCallable, let item = entry.held?.popFirst() { deliverKept(item, to: entry) }
    // It dies when nobody is at the entry any more: a message's `deinit` may come back here.
    let rest = entry.held
    entry.held = nil
    let left = (rest?.elements ?? []).filter { !$0.context.isHeard }
    // What it could not have, because it has gone meanwhile, is for the next, unless somebody else has heard it.
    guard options.replay.kind == .untilFirst, !left.isEmpty else { return }
    func number(_ context: PostContext) -> UInt64 { context.number.load(ordering: .relaxed) }
    let all = (left + kept.elements).sorted { number($0.context) < number($1.context) }
    kept = RingBuffer()
    for item in all.suffix(options.replay.limit) { kept.append(item) }
  }

  private func deliverKept(
    _ item: (message: Message, context: PostContext), to entry: LocalEntry<Message>
  ) {
    guard entry.line.isCallable else { return }
    var pass = LocalPass(item.context)
    if !entry.line.owner.isBound {
      _ = call(entry, entry, item.message, &pass)
    } else if let owner = entry.line.owner.object {
      _ = call(entry, owner, item.message, &pass)
    }
  }
}
