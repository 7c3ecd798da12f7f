internal import JunctorCore

extension LocalChannel {
  /// Listens for as long as an owner lives.
  ///
  /// - Parameters:
  ///   - owner: is held weakly, kept alive during a call, and handed to the handler.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - sender: the only sender to listen to; `nil` for any, named or not.
  ///   - once: whether the listener is removed before its first call.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the owner and the message.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: amortised O(1) at the lowest priority present, otherwise O(n).
  @discardableResult
  public func listen<Owner: AnyObject>(
    for owner: Owner, priority: ListenerPriority = .normal, from sender: AnyObject? = nil,
    once: Bool = false, label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (Owner, Message) throws -> Void
  ) -> LocalRegistration {
    let options = ListenerOptions(priority: priority, sender: sender, once: once, label: label)
    guard let line = LocalLine(owner: owner, options, site: SourceSite(fileID: fileID, line: line))
    else { return LocalRegistration() }
    return add(
      LocalEntry<Message>(
        line,
        call: { (object: AnyObject, message: Message) in
          // SAFETY: the entry passes only the object that the line was made for, which is an `Owner`.
          try handler(unsafe unsafeDowncast(object, to: Owner.self), message)
        }))
  }

  /// Listens for as long as an owner lives, and wants to know who posted, and from where.
  ///
  /// - Parameters:
  ///   - owner: is held weakly, kept alive during a call, and handed to the handler.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - sender: the only sender to listen to; `nil` for any, named or not.
  ///   - once: whether the listener is removed before its first call.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the owner, the message and its envelope.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: amortised O(1) at the lowest priority present, otherwise O(n).
  @discardableResult
  public func listen<Owner: AnyObject>(
    for owner: Owner, priority: ListenerPriority = .normal, from sender: AnyObject? = nil,
    once: Bool = false, label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (Owner, Message, Envelope) throws -> Void
  ) -> LocalRegistration {
    let options = ListenerOptions(priority: priority, sender: sender, once: once, label: label)
    guard let line = LocalLine(owner: owner, options, site: SourceSite(fileID: fileID, line: line))
    else { return LocalRegistration() }
    return add(
      LocalEntry<Message>(
        line,
        envelopeCall: { (object: AnyObject, message: Message, envelope: Envelope) in
          // SAFETY: the entry passes only the object that the line was made for, which is an `Owner`.
          try handler(unsafe unsafeDowncast(object, to: Owner.self), message, envelope)
        }))
  }

  /// Listens for as long as the returned subscription lives.
  ///
  /// - Parameters:
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - sender: the only sender to listen to; `nil` for any, named or not.
  ///   - once: whether the listener is removed before its first call.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the message.
  /// - Returns: keep it: when it goes, the listening ends.
  /// - Complexity: amortised O(1) at the lowest priority present, otherwise O(n).
  public func listen(
    priority: ListenerPriority = .normal, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (Message) throws -> Void
  ) -> LocalSubscription {
    let options = ListenerOptions(priority: priority, sender: sender, once: once, label: label)
    guard let line = LocalLine(owner: nil, options, site: SourceSite(fileID: fileID, line: line))
    else { return LocalSubscription(LocalRegistration()) }
    return LocalSubscription(
      add(LocalEntry<Message>(line, call: { _, message in try handler(message) })))
  }

  /// Listens for as long as the subscription lives, and is told who posted, and from where.
  ///
  /// - Parameters:
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - sender: the only sender to listen to; `nil` for any, named or not.
  ///   - once: whether the listener is removed before its first call.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the message and its envelope.
  /// - Returns: keep it: when it goes, the listening ends.
  /// - Complexity: amortised O(1) at the lowest priority present, otherwise O(n).
  public func listen(
    priority: ListenerPriority = .normal, from sender: AnyObject? = nil, once: Bool = false,
    label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (Message, Envelope) throws -> Void
  ) -> LocalSubscription {
    let options = ListenerOptions(priority: priority, sender: sender, once: once, label: label)
    guard let line = LocalLine(owner: nil, options, site: SourceSite(fileID: fileID, line: line))
    else { return LocalSubscription(LocalRegistration()) }
    return LocalSubscription(
      add(
        LocalEntry<Message>(
          line, envelopeCall: { _, message, envelope in try handler(message, envelope) })))
  }
}
