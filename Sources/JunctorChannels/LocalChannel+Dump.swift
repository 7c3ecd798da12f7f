internal import JunctorCore

extension LocalChannel {
  /// Who listens, now, in the order in which they are called.
  ///
  /// - Returns: a value that keeps nothing alive.
  /// - Complexity: O(n).
  public func snapshot() -> ExchangeSnapshot.Channel {
    ExchangeSnapshot.Channel(
      name: name, messageType: messageName(of: Message.self), site: site,
      listeners: entries.map(\.line.listing))
  }

  /// Who listens, now, as text: a line for the channel and one for each listener.
  ///
  /// - Returns: lines for people to read; programs read `snapshot()`.
  /// - Complexity: O(n).
  public func dump() -> String { snapshot().lines.joined(separator: "\n") + "\n" }
}
