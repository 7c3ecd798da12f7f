public import JunctorCore

// Without these a structure as an owner is told to conform to 'Actor', after the last of the overloads that fail. Every
// other comes first, so that nothing else that the compiler says of a call changes.

@available(
  *, unavailable,
  message:
    "Can't listen for a value: an owner is held weakly. Let it be a class or an actor, unwrapped where it is optional, or listen without an owner and keep the subscription."
)
extension Channel {
  /// Not for values: they can't be held weakly.
  ///
  /// - Complexity: O(1).
  @_disfavoredOverload
  @discardableResult
  public func listen<Owner>(
    for owner: Owner, priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    buffer: BufferPolicy = .standard, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (Owner, Message) throws -> Void
  ) -> Registration { Registration() }

  /// Not for values: they can't be held weakly.
  ///
  /// - Complexity: O(1).
  @_disfavoredOverload
  @discardableResult
  public func listen<Owner>(
    for owner: Owner, priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    buffer: BufferPolicy = .standard, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (Owner, Message, Envelope) throws -> Void
  ) -> Registration { Registration() }
}

@available(
  *, unavailable,
  message:
    "Can't listen for a value: an owner is held weakly. Let it be a class or an actor, unwrapped where it is optional, or listen without an owner and keep the subscription."
)
extension Exchange {
  /// Not for values: they can't be held weakly.
  ///
  /// - Complexity: O(1).
  @_disfavoredOverload
  @discardableResult
  public func listen<Owner, Message: Sendable>(
    matching pattern: ChannelPattern, of type: Message.Type, for owner: Owner,
    priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    buffer: BufferPolicy = .standard, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (Owner, Message, Envelope) throws -> Void
  ) -> Registration { Registration() }

  /// Not for values: they can't be held weakly.
  ///
  /// - Complexity: O(1).
  @_disfavoredOverload
  @discardableResult
  public func listen<Owner>(
    matching pattern: ChannelPattern, for owner: Owner, priority: ListenerPriority = .normal,
    on mode: DeliveryMode = .automatic, buffer: BufferPolicy = .standard,
    from sender: AnyObject? = nil, once: Bool = false, label: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (Owner, any Sendable, Envelope) throws -> Void
  ) -> Registration { Registration() }
}
