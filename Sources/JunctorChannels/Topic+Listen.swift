internal import JunctorCore

extension Topic {
  /// Adds an owner's listener; stores nothing if the owner, or the only sender to listen to, is on its way out.
  func add<Message: Sendable>(
    owner: AnyObject, _ handler: StoredHandler<Message>,
    _ envelopeHandler: StoredEnvelopeHandler<Message>? = nil, isolation: (any Actor)?,
    ownerIsActor: Bool = false, _ options: ListenerOptions, _ site: SourceSite
  ) -> Registration {
    guard !options.waitsForNobody else { return Registration() }
    options.reportIfMoot(isOfActor: ownerIsActor || isolation != nil, name, site)
    return join(options) { gate in
      let extras = ListenerExtras.make(
        options, owner: owner, isolation: isolation, ownerIsActor: ownerIsActor, envelopeHandler,
        gate)
      return ChannelEntry(topic: self, owner: owner, handler: handler, extras: extras, site: site)
    }
  }

  /// Adds a listener that lives by its subscription.
  func add<Message: Sendable>(
    _ handler: StoredHandler<Message>,
    _ envelopeHandler: StoredEnvelopeHandler<Message>? = nil, isolation: (any Actor)?,
    _ options: ListenerOptions, _ site: SourceSite
  ) -> Subscription {
    guard !options.waitsForNobody else { return Subscription(Registration()) }
    options.reportIfMoot(isOfActor: isolation != nil, name, site)
    return Subscription(
      join(options) { gate in
        let extras = ListenerExtras.make(
          options, owner: nil, isolation: isolation, envelopeHandler, gate)
        return handler.isBare
          ? BareChannelEntry(topic: self, bare: handler, extras: extras, site: site)
          : ChannelEntry(topic: self, handler: handler, extras: extras, site: site)
      })
  }

  /// Puts a listener in the list, and gives it what was kept for it.
  ///
  /// - Parameters:
  ///   - options: what it asks for.
  ///   - make: makes the entry, with a gate where messages are kept; `nil` if the owner is on its way out. Where they begin to
  ///     be kept at this moment, the first entry is dropped and another made: it would miss what is kept before it comes in.
  func join<Message: Sendable>(
    _ options: ListenerOptions, _ make: (ReplayGate<Message>?) -> ChannelEntry<Message>?
  ) -> Registration {
    let priority = options.priority.rawValue
    if !isKeeping {
      guard let entry = make(nil) else { return Registration() }
      if let registration = list.add(entry, priority: priority, while: { !isKeeping }) {
        return registration
      }
    }
    guard let entry = make(ReplayGate(isOnce: options.once)) else { return Registration() }
    let registration = list.add(entry, priority: priority)
    catchUp(entry)
    return registration
  }
}

extension ListenerExtras {
  /// Notes what a listener asks for; `nil` where it is nothing.
  static func make(
    _ options: ListenerOptions, owner: AnyObject?, isolation: (any Actor)?,
    ownerIsActor: Bool = false, _ envelopeHandler: StoredEnvelopeHandler<Message>?,
    _ gate: ReplayGate<Message>?
  ) -> ListenerExtras? {
    let target = options.target(owner: owner, isolation: isolation, ownerIsActor: ownerIsActor)
    if options.isStandard, target == nil, envelopeHandler == nil, gate == nil { return nil }
    return ListenerExtras(
      options, isolation: isolation, ownerIsActor: ownerIsActor, envelopeHandler: envelopeHandler,
      mailbox: target.map { .queue(options.mailbox($0)) }, gate: gate)
  }
}

extension ListenerOptions {
  /// Where the listener is called when the poster does not call it; `nil` where the poster always does.
  func target(
    owner: AnyObject?, isolation: (any Actor)?, ownerIsActor: Bool
  ) -> DeliveryTarget? {
    // An actor's handler runs on its actor, whatever else was asked for.
    if ownerIsActor {
      // The owner is not to be kept alive by what waits for it.
      guard let box = owner.flatMap({ OwnerBox($0) }) else { return nil }
      return .weakActor { box.reference.object as? any Actor }
    }
    if let isolation { return .actor(isolation) }
    switch mode.kind {
    case .automatic, .inline: return nil
    case .deferred: return .executor(globalConcurrentExecutor)
    case .queue(let queue): return .queue(queue)
    case .executor(let executor): return .executor(executor)
    }
  }

  /// What waits for the listener.
  func mailbox(_ target: DeliveryTarget) -> Mailbox {
    Mailbox(target: target, limit: buffer.limit, isConcurrent: mode.isConcurrent)
  }

  /// Reports a queue or an executor that nothing will run on.
  ///
  /// - Parameters:
  ///   - isOfActor: whether the handler belongs to an actor.
  ///   - name: the channel's name, or the pattern.
  ///   - site: where it is registered.
  func reportIfMoot(isOfActor: Bool, _ name: String, _ site: SourceSite) {
    guard isOfActor, let place = mode.ownPlace else { return }
    Junctor.report(
      Diagnostic(
        .optionConflict,
        "Can't call a listener of '\(shown(name))' on \(place): its handler belongs to an actor and "
          + "runs there. Leave 'on:' out, or write the handler where it belongs to none.",
        sites: [site]))
  }

  /// Whether the only sender that is to be listened to is already on its way out.
  var waitsForNobody: Bool {
    guard let sender else { return false }
    return OwnerReference(sender) == nil
  }
}
