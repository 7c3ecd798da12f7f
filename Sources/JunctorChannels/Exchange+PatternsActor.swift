public import JunctorCore

extension Exchange {
  /// Listens to every channel of one message type whose name matches, for as long as an actor lives.
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
  ///   - handler: gets the actor, isolated to it, the message and its envelope.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: O(number of the exchange's channels); every new channel asks every pattern.
  @discardableResult
  public func listen<Owner: Actor, Message: Sendable>(
    matching pattern: ChannelPattern, of type: Message.Type, for owner: Owner,
    priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    buffer: BufferPolicy = .standard, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (isolated Owner, Message, Envelope) throws -> Void
  ) -> Registration {
    let options = ListenerOptions(
      priority: priority, mode: mode, buffer: buffer, sender: sender, once: once, label: label)
    return add(
      pattern, owner: owner,
      TypedDeputy<Message>(
        StoredEnvelopeHandler(ActorEnvelopeHandler(call: handler)), nil, actor: owner, options),
      options, SourceSite(fileID: fileID, line: line))
  }

  /// Listens to every channel whose name matches, of any message type, for as long as an actor lives.
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
  ///   - handler: gets the actor, isolated to it, the message and its envelope.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: O(number of the exchange's channels); every new channel asks every pattern.
  @discardableResult
  public func listen<Owner: Actor>(
    matching pattern: ChannelPattern, for owner: Owner, priority: ListenerPriority = .normal,
    on mode: DeliveryMode = .automatic, buffer: BufferPolicy = .standard,
    from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (isolated Owner, any Sendable, Envelope) throws -> Void
  ) -> Registration {
    let options = ListenerOptions(
      priority: priority, mode: mode, buffer: buffer, sender: sender, once: once, label: label)
    return add(
      pattern, owner: owner,
      UntypedDeputy(
        StoredEnvelopeHandler(ActorEnvelopeHandler(call: handler)), nil, actor: owner, options),
      options, SourceSite(fileID: fileID, line: line))
  }
}
