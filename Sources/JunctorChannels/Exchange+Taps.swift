internal import JunctorCore

extension Exchange {
  /// Shows a post to those who watch.
  func show<Message: Sendable>(
    _ message: Message, to topic: Topic, from sender: AnyObject?, site: SourceSite
  ) {
  }
}

extension PatternEntry {
  /// Makes the entry by which an untyped pattern listens to one topic.
  func entry<Message: Sendable>(for type: Message.Type, in topic: Topic) -> _ListEntry? { nil }
}
