public import JunctorCore

extension Channel {
  /// Listens for as long as an owner lives.
  ///
  /// - Parameters:
  ///   - owner: is held weakly, kept alive during a call, and handed to the handler.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - mode: where the handler is called.
  ///   - buffer: how many messages may wait where it is not called by the poster.
  ///   - sender: the only sender to listen to; `nil` for any, named or not.
  ///   - once: whether the listener is removed before its first call.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the owner and the message; runs on the actor that the closure is written on.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: amortised O(1) at the lowest priority present, otherwise O(log n) at the next post.
  @discardableResult
  public func listen<Owner: AnyObject & Sendable>(
    for owner: Owner, priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    buffer: BufferPolicy = .standard, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler:
      @escaping @isolated(any) @Sendable (Owner, Message) throws -> Void
  ) -> Registration {
    let options = ListenerOptions(
      priority: priority, mode: mode, buffer: buffer, sender: sender, once: once, label: label)
    return topic.add(
      owner: owner, StoredHandler(OwnerHandler(call: handler)), isolation: handler.isolation,
      options, SourceSite(fileID: fileID, line: line))
  }

  /// Listens for as long as an owner lives, and wants to know who posted, and from where.
  ///
  /// - Parameters:
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
  /// - Complexity: amortised O(1) at the lowest priority present, otherwise O(log n) at the next post.
  @discardableResult
  public func listen<Owner: AnyObject & Sendable>(
    for owner: Owner, priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    buffer: BufferPolicy = .standard, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler:
      @escaping @isolated(any) @Sendable (Owner, Message, Envelope) throws -> Void
  ) -> Registration {
    let options = ListenerOptions(
      priority: priority, mode: mode, buffer: buffer, sender: sender, once: once, label: label)
    return topic.add(
      owner: owner, .unused, StoredEnvelopeHandler(OwnerEnvelopeHandler(call: handler)),
      isolation: handler.isolation, options, SourceSite(fileID: fileID, line: line))
  }
}
