internal import JunctorCore

extension Channel {
  /// Delivers a message to everybody who listens, and returns when all of them are done.
  ///
  /// The order is that of `post`. Where a listener's buffer is full it waits for room, whatever the buffer's policy is, and
  /// only then goes on to the next listener. A message sequence is done with a message when it has room for it. Errors of
  /// listeners that run elsewhere are in the receipt too, and end the delivery where the channel's policy says so.
  ///
  /// A cancelled task stops waiting at once: nobody else gets the message; those who have it waiting still get it.
  ///
  /// - Parameters:
  ///   - message: is handed to every listener.
  ///   - sender: is compared with the listeners' wishes and made known, weakly, to those who ask for the envelope.
  ///   - isolation: where the sender is, and stays; filled in by the compiler.
  ///   - fileID: where it is sent.
  ///   - line: where it is sent.
  /// - Returns: what came of it, when it is over.
  /// - Throws: `CancellationError`, if the task is cancelled before it is over.
  /// - Complexity: O(number of listeners), and the wait.
  @discardableResult
  public func send(
    _ message: Message, from sender: AnyObject? = nil,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws(CancellationError) -> Receipt {
    try await topic.send(
      message, from: sender, isolation: isolation, SourceSite(fileID: fileID, line: line))
  }
}
