internal import CJunctorCore
internal import JunctorCore
internal import Synchronization

extension Topic {
  private var replayKey: ReplayKey { ReplayKey(name: name, kind: kind.id) }

  /// Keeps messages from now on.
  func keep<Message: Sendable>(_ type: Message.Type, _ policy: ReplayPolicy, site: SourceSite) {
    guard policy != .none else { return }
    let store = exchange.state.withLock {
      $0.replay(replayKey) { ReplayStore<Message>(policy, site: site) }
    }
    use(store)
    if let store = store as? ReplayStore<Message>, !store.join(policy) {
      Junctor.report(
        Diagnostic(
          .optionConflict,
          "Can't keep messages of '\(shown(name))' in two ways: it was asked for 'last' and for "
            + "'untilFirstListener'. The first wish stands; ask for one of them.",
          sites: [site, store.site]))
    }
  }

  /// Keeps messages as another topic does that this one stands in for.
  func keep(like other: Topic) {
    guard let model = other.replay.withLock({ $0 }) else { return }
    use(exchange.state.withLock { $0.replay(replayKey) { model.makeSibling() } })
  }

  private func use(_ store: any AnyReplayStore) {
    attached.withLock { attached in
      replay.withLock { $0 = store }
      // They hear everything from now on. Those that are about to join see the store and catch up.
      for (pattern, hasJoined) in attached where hasJoined { _ = store.noteListener(pattern) {} }
    }
    // Whoever came in without a gate before this meets all that is kept from now on.
    list.excluding { insert(.replays) }
  }

  private func store<Message: Sendable>(_ type: Message.Type) -> ReplayStore<Message>? {
    replay.withLock { $0 } as? ReplayStore<Message>
  }

  /// Whether messages are kept, so that a listener needs a gate to join.
  var isKeeping: Bool { currentFlags.contains(.replays) }

  // MARK: - Posting

  /// Puts a message in for those who come later, before anybody hears it.
  func keepPosted<Message: Sendable>(_ message: Message, _ context: PostContext) {
    store(Message.self)?.append(message, context)
  }

  /// Takes a message out again, if somebody consumed it or it was only for want of a listener.
  func settlePosted<Message: Sendable>(
    _ type: Message.Type, _ context: PostContext, isVoid: Bool = false
  ) {
    store(type)?.settle(context, isVoid: isVoid)
  }

  // MARK: - Joining

  /// Gives a listener that has just joined what was kept, and then what was posted meanwhile.
  func catchUp<Message: Sendable>(_ entry: ChannelEntry<Message>) {
    catchUp(entry, from: store(Message.self))
  }

  /// Gives a pattern's deputy that has just joined what was kept, unless the pattern's listener has had it.
  func catchUpDeputy<Message: Sendable>(_ entry: ChannelEntry<Message>, _ pattern: UInt64) {
    let store = attached.withLock { attached -> ReplayStore<Message>? in
      guard attached[pattern] != nil else { return nil }
      attached[pattern] = true
      let kept = self.store(Message.self)
      return kept?.noteListener(pattern, { entry.extras?.gate?.noteFirstOfPattern() }) == true
        ? kept : nil
    }
    catchUp(entry, from: store)
  }

  /// Whether a pattern's listener heard everything before this deputy came, which only continues that.
  fileprivate func isContinued<Message: Sendable>(
    by gate: ReplayGate<Message>, of pattern: PatternEntry?
  ) -> Bool {
    guard let pattern else { return false }
    return store(Message.self)?.hasNoted(pattern.id) != false && !gate.hasNotedFirst
  }

  private func catchUp<Message: Sendable>(
    _ entry: ChannelEntry<Message>, from store: ReplayStore<Message>?
  ) {
    guard let extras = entry.extras, let gate = extras.gate else { return }
    if extras.isOnce { return catchUpOnce(entry, extras, gate, from: store) }
    let kept =
      entry.registrant.isCallable ? store?.join(where: extras.wants) : nil
    var left: [ReplayStore<Message>.Item] = []
    func give(_ item: ReplayStore<Message>.Item) {
      if extras.wants(item.context), !entry.deliverKept(item, of: self, extras) {
        left.append(item)
      }
    }
    for item in gate.begin((kept?.items ?? []).map { $0.awaited() }, kept?.cutoff ?? 0) {
      give(item)
    }
    while let item = gate.next() { give(item) }
    // What it could not have, because it has gone meanwhile, is for the next.
    store?.putBack(left)
  }

  /// Gives a one-shot one of the messages that were kept, or lets it wait for one to come.
  private func catchUpOnce<Message: Sendable>(
    _ entry: ChannelEntry<Message>, _ extras: ListenerExtras<Message>,
    _ gate: ReplayGate<Message>, from store: ReplayStore<Message>?
  ) {
    // A pattern's listener that has had what was kept is still to have what passes at its gate here.
    let source = store ?? self.store(Message.self)
    while let source, entry.registrant.isCallable, !extras.hasClaim {
      let first = store == nil ? gate.firstPassed ?? .max : 0
      let kept = source.joinOnce(from: first, where: extras.wants)
      if let item = kept.item {
        if !entry.deliverKept(item.awaited(), of: self, extras) { source.putBack([item]) }
        break
      }
      // What has passed meanwhile is kept, as nobody else has heard it, or was never for this one.
      if gate.openOnce(kept.cutoff) { return }
    }
    _ = gate.openOnce(nil)
  }
}

extension ReplayStore.Item {
  /// The same, for a delivery that a `send` waits for where it is on its way still.
  fileprivate func awaited() -> Self {
    var item = self
    item.ticket = context.group?.enterIfAwaited()
    return item
  }
}

extension ChannelEntry {
  /// Whether a post goes on to this listener now, rather than being held up, or known to it already.
  func admit(
    _ message: Message, _ sender: AnyObject?, _ context: PostContext, of topic: Topic,
    _ extras: ListenerExtras<Message>, _ receipt: inout Receipt
  ) -> Bool {
    guard let gate = extras.gate else { return true }
    if extras.isLocalOnly, sender === RemoteSender.shared { return true }
    if extras.sender.isBound, !(sender.map { extras.sender.refers(to: $0) } ?? false) {
      return true
    }
    let isTaken =
      context.isTaken.load(ordering: .acquiring)
      && !topic.isContinued(by: gate, of: extras.pattern)
    switch gate.admit(message, context, isTaken: isTaken) {
    case .deliver: return true
    case .pass: return false
    case .held:
      context.markHeard()
      receipt.queuedCount &+= 1
      return false
    }
  }

  /// Delivers what was kept: where the listener wants it, or here. Returns whether it took it, or lost it for want of room.
  fileprivate func deliverKept(
    _ item: ReplayStore<Message>.Item, of topic: Topic, _ extras: ListenerExtras<Message>
  ) -> Bool {
    guard isCallable else { return false }
    guard let mailbox = extras.mailbox else {
      let delivery = PendingDelivery(
        entry: self, message: item.message, topic: topic, context: item.context,
        ticket: item.ticket)
      guard delivery.run() else { return false }
      item.context.markHeard()
      return true
    }
    guard extras.claim() else { return false }
    var receipt = Receipt()
    let outcome = mailbox.send(
      item.message, to: self, of: topic, item.context, ticket: item.ticket)
    note(outcome, topic, extras, &receipt)
    if receipt.droppedCount > 0 { item.ticket?.noteDropped() }
    guard outcome != .closed else { return false }
    item.context.markHeard()
    return true
  }
}

extension ListenerExtras {
  /// Whether a kept message is of the sender that is listened to.
  func wants(_ context: PostContext) -> Bool {
    if isLocalOnly, context.sender?.is(RemoteSender.shared) == true { return false }
    return !sender.isBound || (context.sender.map { $0.isSame(as: sender) } ?? false)
  }
}
