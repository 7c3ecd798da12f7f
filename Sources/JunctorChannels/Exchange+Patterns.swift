public import JunctorCore

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

  /// Listens to every channel whose name matches, for as long as the returned subscription lives.
  ///
  /// - Parameters:
  ///   - pattern: which names are meant.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - mode: where the handler is called.
  ///   - buffer: how many messages may wait where it is not called by the poster.
  ///   - once: whether the listener is removed before its first call.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the message and its envelope; runs on the actor that the closure is written on.
  /// - Returns: keep it: when it goes, the listening ends.
  /// - Complexity: O(number of the exchange's channels); every new channel asks every pattern.
  public func listen(
    matching pattern: ChannelPattern, priority: ListenerPriority = .normal,
    on mode: DeliveryMode = .automatic, buffer: BufferPolicy = .standard, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler:
      @escaping @isolated(any) @Sendable (any Sendable, Envelope) throws -> Void
  ) -> Subscription {
    let options = ListenerOptions(
      priority: priority, mode: mode, buffer: buffer, once: once, label: label)
    let deputy = UntypedDeputy(.ignoringOwner(handler), handler.isolation, options)
    let entry = PatternEntry(
      pattern, in: self, options, site: SourceSite(fileID: fileID, line: line), deputy: deputy)
    return Subscription(entry.register())
  }

  private func add(
    _ pattern: ChannelPattern, owner: AnyObject, _ deputy: any DeputyMaker,
    _ options: ListenerOptions, _ site: SourceSite
  ) -> Registration {
    guard !options.waitsForNobody,
      let entry = PatternEntry(
        pattern, in: self, owner: owner, options, site: site, deputy: deputy)
    else { return Registration() }
    return entry.register()
  }
}
