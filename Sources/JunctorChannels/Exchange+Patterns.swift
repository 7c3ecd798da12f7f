public import JunctorCore
internal import Synchronization

extension Exchange {
  /// Listens to every channel of one message type whose name matches, for as long as an owner lives.
  ///
  /// Channels that come later are listened to from their beginning. The listener has its place in the same order as
  /// those of each channel, and one mailbox for all of them.
  ///
  /// - Parameters:
  ///   - pattern: which names are meant.
  ///   - type: which message type is meant; channels of others are not listened to.
  ///   - owner: is held weakly, kept alive during a call, and handed to the handler.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - mode: where the handler is called.
  ///   - buffer: how many messages may wait where it is not called by the poster.
  ///   - sender: the only sender to listen to; `nil` for any, named or not.
  ///   - once: whether the listener is removed before its first call.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the owner, the message and its envelope; runs on the actor that the closure is written on.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: O(number of the exchange's channels); every new channel asks every pattern.
  @discardableResult
  public func listen<Owner: AnyObject & Sendable, Message: Sendable>(
    matching pattern: ChannelPattern, of type: Message.Type, for owner: Owner,
    priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    buffer: BufferPolicy = .standard, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler:
      @escaping @isolated(any) @Sendable (Owner, Message, Envelope) throws -> Void
  ) -> Registration {
    let options = ListenerOptions(
      priority: priority, mode: mode, buffer: buffer, sender: sender, once: once, label: label)
    return add(
      pattern, owner: owner,
      TypedDeputy<Message>(
        StoredEnvelopeHandler(OwnerEnvelopeHandler(call: handler)), handler.isolation, options),
      options, SourceSite(fileID: fileID, line: line))
  }

  /// Listens to every channel whose name matches, of any message type, for as long as an owner lives.
  ///
  /// - Parameters:
  ///   - pattern: which names are meant.
  ///   - owner: is held weakly, kept alive during a call, and handed to the handler.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - mode: where the handler is called.
  ///   - buffer: how many messages may wait where it is not called by the poster.
  ///   - sender: the only sender to listen to; `nil` for any, named or not.
  ///   - once: whether the listener is removed before its first call.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the owner, the message and its envelope; runs on the actor that the closure is written on.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: O(number of the exchange's channels); every new channel asks every pattern.
  @discardableResult
  public func listen<Owner: AnyObject & Sendable>(
    matching pattern: ChannelPattern, for owner: Owner, priority: ListenerPriority = .normal,
    on mode: DeliveryMode = .automatic, buffer: BufferPolicy = .standard,
    from sender: AnyObject? = nil, once: Bool = false, label: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler:
      @escaping @isolated(any) @Sendable (Owner, any Sendable, Envelope) throws -> Void
  ) -> Registration {
    let options = ListenerOptions(
      priority: priority, mode: mode, buffer: buffer, sender: sender, once: once, label: label)
    return add(
      pattern, owner: owner,
      UntypedDeputy(
        StoredEnvelopeHandler(OwnerEnvelopeHandler(call: handler)), handler.isolation, options),
      options, SourceSite(fileID: fileID, line: line))
  }

  /// Listens to the channels of one type whose names match, for as long as the subscription lives.
  ///
  /// - Parameters:
  ///   - pattern: which names are meant.
  ///   - type: which message type is meant; channels of others are not listened to.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - mode: where the handler is called.
  ///   - buffer: how many messages may wait where it is not called by the poster.
  ///   - sender: the only sender to listen to; `nil` for any, named or not.
  ///   - once: whether the listener is removed before its first call.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the message and its envelope; runs on the actor that the closure is written on.
  /// - Returns: keep it: when it goes, the listening ends.
  /// - Complexity: O(number of the exchange's channels); every new channel asks every pattern.
  public func listen<Message: Sendable>(
    matching pattern: ChannelPattern, of type: Message.Type,
    priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    buffer: BufferPolicy = .standard, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler:
      @escaping @isolated(any) @Sendable (Message, Envelope) throws -> Void
  ) -> Subscription {
    let options = ListenerOptions(
      priority: priority, mode: mode, buffer: buffer, sender: sender, once: once, label: label)
    return subscribe(
      pattern, TypedDeputy<Message>(.ignoringOwner(handler), handler.isolation, options), options,
      SourceSite(fileID: fileID, line: line))
  }

  /// Listens to the channels of any type whose names match, for as long as the subscription lives.
  ///
  /// - Parameters:
  ///   - pattern: which names are meant.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - mode: where the handler is called.
  ///   - buffer: how many messages may wait where it is not called by the poster.
  ///   - sender: the only sender to listen to; `nil` for any, named or not.
  ///   - once: whether the listener is removed before its first call.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the message and its envelope; runs on the actor that the closure is written on.
  /// - Returns: keep it: when it goes, the listening ends.
  /// - Complexity: O(number of the exchange's channels); every new channel asks every pattern.
  public func listen(
    matching pattern: ChannelPattern, priority: ListenerPriority = .normal,
    on mode: DeliveryMode = .automatic, buffer: BufferPolicy = .standard,
    from sender: AnyObject? = nil, once: Bool = false, label: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler:
      @escaping @isolated(any) @Sendable (any Sendable, Envelope) throws -> Void
  ) -> Subscription {
    let options = ListenerOptions(
      priority: priority, mode: mode, buffer: buffer, sender: sender, once: once, label: label)
    return subscribe(
      pattern, UntypedDeputy(.ignoringOwner(handler), handler.isolation, options), options,
      SourceSite(fileID: fileID, line: line))
  }
}

extension Exchange {
  /// What is kept for channels whose names are asked for, by name.
  func keptStores(
    where isMeant: (String) -> Bool
  ) -> [(name: String, kind: TopicKind, site: SourceSite)] {
    state.withLock { $0.keptStores }.filter { isMeant($0.name) }
      .sorted { $0.name < $1.name }
      .map { ($0.name, $0.store.kind, $0.store.site) }
  }

  /// Forgets what a pattern's listener has heard.
  func forgetListener(_ pattern: UInt64) {
    for (_, store) in state.withLock({ $0.keptStores }) {
      store.forgetListener(pattern)
    }
  }

  /// Reports a pattern with a wildcard where it stands for itself, once.
  func reportIfMisplaced(_ pattern: ChannelPattern, _ site: SourceSite) {
    guard let part = pattern.misplaced, state.withLock({ $0.noteMisplaced(pattern.text) }) else {
      return
    }
    Junctor.report(
      Diagnostic(
        .invalidPattern,
        "Can't take '\(shown(String(part)))' in '\(shown(pattern.text))' for a wildcard: '*' is one as "
          + "a whole part only, and '>' as the last part only. Let it be that, or listen to the "
          + "channel by its name.",
        sites: [site]))
  }

  /// Adds the listener of a pattern that lives as long as its owner.
  func add(
    _ pattern: ChannelPattern, owner: AnyObject, _ deputy: any DeputyMaker,
    _ options: ListenerOptions, _ site: SourceSite
  ) -> Registration {
    guard !options.waitsForNobody,
      let entry = PatternEntry(
        pattern, in: self, owner: owner, options, site: site, deputy: deputy)
    else { return Registration() }
    options.reportIfMoot(isOfActor: deputy.isOfActor, pattern.text, site)
    return entry.register()
  }

  /// Adds the listener of a pattern that lives by its subscription.
  private func subscribe(
    _ pattern: ChannelPattern, _ deputy: any DeputyMaker, _ options: ListenerOptions,
    _ site: SourceSite
  ) -> Subscription {
    guard !options.waitsForNobody else { return Subscription(Registration()) }
    options.reportIfMoot(isOfActor: deputy.isOfActor, pattern.text, site)
    let entry = PatternEntry(pattern, in: self, options, site: site, deputy: deputy)
    return Subscription(entry.register())
  }
}
