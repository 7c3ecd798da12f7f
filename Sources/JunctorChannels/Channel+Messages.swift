internal import JunctorCore

extension Channel {
  /// The messages as an asynchronous sequence, from now on.
  ///
  /// - Parameters:
  ///   - buffer: how many messages may wait for each iterator.
  ///   - priority: its place among the listeners.
  ///   - sender: the only sender to listen to; `nil` for any, named or not.
  ///   - label: what it is called in dumps.
  ///   - fileID: where it is made.
  ///   - line: where it is made.
  /// - Returns: the sequence; the listening ends with it and its last iterator.
  /// - Complexity: as `listen(priority:)`.
  public func messages(
    buffer: BufferPolicy = .standard, priority: ListenerPriority = .normal,
    from sender: AnyObject? = nil, label: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> MessageSequence<Message> {
    let hub = MessageHub<Message>(limit: buffer.limit)
    let options = ListenerOptions(
      priority: priority, mode: .deferred, buffer: buffer, sender: sender, label: label)
    let sequence = MessageSequence(hub)
    if options.waitsForNobody {
      hub.finish()
    } else {
      hub.begin(topic.add(hub, options, SourceSite(fileID: fileID, line: line)))
    }
    return sequence
  }
}

extension Topic {
  /// Adds the listener behind a message sequence.
  func add<Message: Sendable>(
    _ hub: MessageHub<Message>, _ options: ListenerOptions, _ site: SourceSite
  ) -> Registration {
    join(options) { gate in
      let extras = ListenerExtras<Message>(options, mailbox: .stream(hub), gate: gate)
      return ChannelEntry(topic: self, handler: .unused, extras: extras, site: site)
    }
  }
}
