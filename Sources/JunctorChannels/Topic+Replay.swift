internal import CJunctorCore
internal import JunctorCore
internal import Synchronization

extension Topic {
  private var replayKey: ReplayKey { ReplayKey(name: name, kind: kind.id) }

  /// Keeps messages from now on.
  func keep<Message: Sendable>(_ type: Message.Type, _ policy: ReplayPolicy, site: SourceSite) {
    guard policy != .none else { return }
    let store = exchange.state.withLock {
      $0.replay(replayKey) { ReplayStore<Message>(policy) }
    }
    use(store)
    if let store = store as? ReplayStore<Message>, !store.join(policy) {
      Junctor.report(
        Diagnostic(
          .optionConflict,
          "Can't keep messages of '\(shown(name))' in two ways: it was asked for 'last' and for "
            + "'untilFirstListener'. The first wish stands; ask for one of them.",
          sites: [site, self.site]))
    }
  }

  /// Keeps messages as another topic does that this one stands in for.
  func keep(like other: Topic) {
    guard let model = other.replay.withLock({ $0 }) else { return }
    use(exchange.state.withLock { $0.replay(replayKey) { model.makeSibling() } })
  }

  private func use(_ store: any AnyReplayStore) {
    replay.withLock { $0 = store }
    insert(.replays)
  }

  private func store<Message: Sendable>(_ type: Message.Type) -> ReplayStore<Message>? {
    replay.withLock { $0 } as? ReplayStore<Message>
  }

  /// A gate for a listener that is about to join; `nil` where nothing is kept.
  func makeGate<Message: Sendable>(_ type: Message.Type) -> ReplayGate<Message>? {
    currentFlags.contains(.replays) ? ReplayGate() : nil
  }

  // MARK: - Posting

  /// Puts a message in for those who come later, before anybody hears it.
  func keepPosted<Message: Sendable>(_ message: Message, _ context: PostContext) {
    store(Message.self)?.append(message, context)
  }

  /// Takes a message out again, if somebody consumed it or it was only for want of a listener.
  func settlePosted<Message: Sendable>(
    _ type: Message.Type, _ context: PostContext, _ receipt: Receipt
  ) {
    guard let store = store(type) else { return }
    let wasHeard = receipt.wasHeard || receipt.dropped > 0
    if receipt.isConsumed || (wasHeard && store.policy.kind == .untilFirst) {
      store.discard(context)
    }
  }

  // MARK: - Joining

  /// Gives a listener that has just joined what was kept, and then what was posted meanwhile.
  func catchUp<Message: Sendable>(_ entry: ChannelEntry<Message>) {
    guard let extras = entry.extras, let gate = extras.gate else { return }
    let kept = store(Message.self)?.join(once: extras.isOnce, where: extras.wants)
    for item in gate.begin(kept?.items ?? [], kept?.cutoff ?? 0) {
      if extras.wants(item.context) { entry.deliverKept(item, of: self, extras) }
    }
    while let item = gate.next() {
      if extras.wants(item.context) { entry.deliverKept(item, of: self, extras) }
    }
  }
}

extension ChannelEntry {
  /// Whether a post goes on to this listener now, rather than being held up, or known to it already.
  func admit(
    _ message: Message, _ sender: AnyObject?, _ context: PostContext,
    _ extras: ListenerExtras<Message>, _ receipt: inout Receipt
  ) -> Bool {
    guard let gate = extras.gate else { return true }
    if extras.isLocalOnly, sender === RemoteSender.shared { return true }
    if extras.sender.isBound, !(sender.map { extras.sender.refers(to: $0) } ?? false) {
      return true
    }
    switch gate.admit(message, context) {
    case .deliver: return true
    case .pass: return false
    case .held:
      receipt.queuedCount &+= 1
      return false
    }
  }

  /// Delivers what was kept: where the listener wants it, or here.
  fileprivate func deliverKept(
    _ item: ReplayStore<Message>.Item, of topic: Topic, _ extras: ListenerExtras<Message>
  ) {
    guard isCallable else { return }
    let delivery = PendingDelivery(
      entry: self, message: item.message, topic: topic, context: item.context)
    guard let mailbox = extras.mailbox else {
      _ = delivery.run()
      return
    }
    if extras.isOnce, extras.isClaimed.exchange(true, ordering: .acquiringAndReleasing) { return }
    var receipt = Receipt()
    note(mailbox.send(delivery), topic, extras, &receipt)
  }
}

extension ListenerExtras {
  /// Whether a kept message is of the sender that is listened to.
  func wants(_ context: PostContext) -> Bool {
    if isLocalOnly, context.sender?.is(RemoteSender.shared) == true { return false }
    return !sender.isBound || (context.sender.map { $0.isSame(as: sender) } ?? false)
  }
}
