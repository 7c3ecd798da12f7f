public import JunctorCore
internal import Synchronization

extension Exchange {
  /// What is posted by name alone: values under keys.
  public typealias Info = [String: any Sendable]

  /// Posts values under keys to a channel that is known by its name alone.
  ///
  /// - Parameters:
  ///   - info: is handed to every listener.
  ///   - name: the channel's name.
  ///   - sender: who posts it; `nil` to leave that open.
  ///   - isolation: where the poster is; filled in by the compiler.
  ///   - fileID: where it is posted.
  ///   - line: where it is posted.
  /// - Returns: what came of it.
  /// - Complexity: O(number of listeners), and O(length of the name).
  @discardableResult
  public func post(
    _ info: Info, to name: String, from sender: AnyObject? = nil,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Receipt {
    Channel<Info>(name, in: self, fileID: fileID, line: line).home.postSpecially(
      info, from: sender, isolation: isolation, fileID: fileID, line: line)
  }

  /// Listens to a channel that is known by its name alone, for as long as an owner lives.
  ///
  /// - Parameters:
  ///   - name: the channel's name.
  ///   - owner: is held weakly, kept alive during a call, and handed to the handler.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - mode: where the handler is called.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the owner and the values; runs on the actor that the closure is written on.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: as `Channel.listen(for:)`.
  @discardableResult
  public func listen<Owner: AnyObject & Sendable>(
    to name: String, for owner: Owner, priority: ListenerPriority = .normal,
    on mode: DeliveryMode = .automatic, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler: @escaping @isolated(any) @Sendable (Owner, Info) throws -> Void
  ) -> Registration {
    Channel<Info>(name, in: self, fileID: fileID, line: line).listen(
      for: owner, priority: priority, on: mode, fileID: fileID, line: line, handler: handler)
  }

  /// Listens to a channel known by its name alone for as long as an actor lives, on that actor.
  ///
  /// - Parameters:
  ///   - name: the channel's name.
  ///   - owner: is held weakly, kept alive during a call, and handed to the handler.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - mode: where the handler is called.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the actor, isolated to it, and the values.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: as `Channel.listen(for:)`.
  @discardableResult
  public func listen<Owner: Actor>(
    to name: String, for owner: Owner, priority: ListenerPriority = .normal,
    on mode: DeliveryMode = .automatic, fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (isolated Owner, Info) throws -> Void
  ) -> Registration {
    Channel<Info>(name, in: self, fileID: fileID, line: line).listen(
      for: owner, priority: priority, on: mode, fileID: fileID, line: line, handler: handler)
  }

  /// Listens to a channel known by its name alone, for as long as the returned subscription lives.
  ///
  /// - Parameters:
  ///   - name: the channel's name.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - mode: where the handler is called.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the values; runs on the actor that the closure is written on.
  /// - Returns: keep it: when it goes, the listening ends.
  /// - Complexity: as `Channel.listen(for:)`.
  public func listen(
    to name: String, priority: ListenerPriority = .normal, on mode: DeliveryMode = .automatic,
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext handler: @escaping @isolated(any) @Sendable (Info) throws -> Void
  ) -> Subscription {
    Channel<Info>(name, in: self, fileID: fileID, line: line).listen(
      priority: priority, on: mode, fileID: fileID, line: line, handler: handler)
  }

  /// How many channel names are in use now: named by a value, or listened to.
  ///
  /// - Complexity: O(1).
  public var channelCount: Int { state.withLock { $0.count } }
}
