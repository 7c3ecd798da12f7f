public import JunctorCore

extension Exchange {
  /// Watches every post of the exchange, heard or not, without counting as a listener.
  ///
  /// A tap is called by the poster before any listener, so nobody can keep a message from it. Meant for logs and tracing;
  /// what it does, every post waits for. Once an exchange was tapped, its posts look for taps.
  ///
  /// - Parameters:
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the message and its envelope, on the poster's thread.
  /// - Returns: keep it: when it goes, the watching ends.
  /// - Complexity: O(number of the exchange's channels).
  public func tap(
    fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping @Sendable (_ message: any Sendable, _ envelope: Envelope) -> Void
  ) -> Subscription {
    let entry = TapEntry(handler, site: SourceSite(fileID: fileID, line: line))
    let registration = taps.add(entry)
    addInherited(.observed)
    return Subscription(registration)
  }

  /// Shows a post to those who watch.
  func show<Message: Sendable>(
    _ message: Message, to topic: Topic, from sender: AnyObject?, site: SourceSite
  ) {
    guard !taps.isEmpty else { return }
    let envelope = Envelope(PostContext(name: topic.name, sender: sender, site: site))
    taps.walk { entry, _ in
      (entry as? TapEntry)?.handler(message, envelope)
      return true
    }
  }
}
