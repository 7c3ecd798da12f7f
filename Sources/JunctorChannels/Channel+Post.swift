public import JunctorCore

extension Channel {
  /// Delivers a message to everybody who listens, in order.
  ///
  /// Plain listeners have been called when this returns; listeners of an actor, a queue or an executor have it queued,
  /// unless the poster is on their actor. Never throws: what listeners threw is in the receipt.
  ///
  /// - Parameters:
  ///   - message: is handed to every listener.
  ///   - isolation: where the poster is; filled in by the compiler.
  ///   - fileID: where it is posted.
  ///   - line: where it is posted.
  /// - Returns: what came of it.
  /// - Complexity: O(number of listeners); one atomic load when there are none. Allocates nothing for plain listeners.
  @inlinable
  @discardableResult
  public func post(
    _ message: Message, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Receipt {
    guard home.isPlain else {
      return home.postSpecially(
        message, from: nil, isolation: isolation, fileID: fileID, line: line)
    }
    if home.list.isEmpty { return Receipt() }
    if Topic.isDeep {
      return home.postDeeply(message, from: nil, isolation: isolation, fileID: fileID, line: line)
    }
    return home.deliver(message, from: nil, isolation: isolation, fileID: fileID, line: line)
  }

  /// Delivers a message and says who sent it.
  ///
  /// - Parameters:
  ///   - message: is handed to every listener.
  ///   - sender: is compared with the listeners' wishes and made known, weakly, to those who ask for the envelope.
  ///   - isolation: where the poster is; filled in by the compiler.
  ///   - fileID: where it is posted.
  ///   - line: where it is posted.
  /// - Returns: what came of it.
  /// - Complexity: as `post(_:)`.
  @discardableResult
  public func post(
    _ message: Message, from sender: AnyObject, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Receipt {
    home.postSpecially(message, from: sender, isolation: isolation, fileID: fileID, line: line)
  }
}

extension Channel where Message == Void {
  /// Delivers the bare news that something happened.
  ///
  /// - Parameters:
  ///   - isolation: where the poster is; filled in by the compiler.
  ///   - fileID: where it is posted.
  ///   - line: where it is posted.
  /// - Returns: what came of it.
  /// - Complexity: as `post(_:)`.
  @inlinable
  @discardableResult
  public func post(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Receipt {
    post((), isolation: isolation, fileID: fileID, line: line)
  }
}
