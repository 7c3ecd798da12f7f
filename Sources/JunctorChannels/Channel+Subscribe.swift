public import JunctorCore

extension Channel {
  /// Listens for as long as the returned subscription lives.
  ///
  /// - Parameters:
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - mode: where the handler is called.
  ///   - buffer: how many messages may wait where it is not called by the poster.
  ///   - sender: the only sender to listen to; `nil` for any, named or not.
  ///   - once: whether the listener is removed before its first call.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the message; runs on the actor that the closure is written on.
  /// - Returns: keep it: when it goes, the listening ends.
  /// - Complexity: amortised O(1) at the lowest priority present, otherwise O(log n) at the next post.
  public func listen(
    priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    buffer: BufferPolicy = .standard, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler: @escaping @isolated(any) @Sendable (Message) throws -> Void
  ) -> Subscription {
    let options = ListenerOptions(
      priority: priority, mode: mode, buffer: buffer, sender: sender, once: once, label: label)
    return topic.add(
      .ignoringOwner(handler), isolation: handler.isolation, options,
      SourceSite(fileID: fileID, line: line))
  }

  /// Listens for as long as the returned subscription lives, and wants to know who posted.
  ///
  /// - Parameters:
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
  /// - Complexity: amortised O(1) at the lowest priority present, otherwise O(log n) at the next post.
  public func listen(
    priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    buffer: BufferPolicy = .standard, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler:
      @escaping @isolated(any) @Sendable (Message, Envelope) throws -> Void
  ) -> Subscription {
    let options = ListenerOptions(
      priority: priority, mode: mode, buffer: buffer, sender: sender, once: once, label: label)
    return topic.add(
      .unused, .ignoringOwner(handler), isolation: handler.isolation, options,
      SourceSite(fileID: fileID, line: line))
  }
}
