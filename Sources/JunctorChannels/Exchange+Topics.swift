internal import JunctorCore
internal import Synchronization

extension Exchange {
  /// The topic of a name and message type; made now, unless it is there.
  func topic(
    _ name: String, _ kind: TopicKind, flags: TopicFlags, site: SourceSite
  ) -> Topic {
    if let found = state.withLock({ $0.find(name, kind.id) }) {
      found.insert(flags, askedAt: site)
      return found
    }
    let made = Topic(name: name, exchange: self, kind: kind, flags: flags, site: site)
    // Patterns that join see what is kept.
    state.withLock { $0.giveReplay(to: made) }
    var attached: [PatternEntry] = []
    while true {
      // Patterns join before the topic is known, so that nobody ever meets it without them. That takes locks of the
      // topic's own, so it is done before this one is taken, and again if the patterns changed meanwhile.
      let version = patterns.version
      for pattern in attached where pattern.isRemoved { pattern.detach(from: made) }
      attached = patterns.entries().compactMap { $0 as? PatternEntry }
      for pattern in attached { pattern.attach(to: made) }
      let outcome = state.withLock { state -> (topic: Topic, met: (other: Topic, isNews: Bool)?)? in
        if let found = state.find(name, kind.id) { return (found, nil) }
        guard patterns.version == version else { return nil }
        made.insert(state.inherited)
        state.giveReplay(to: made)
        state.resumeCounting(of: made)
        return (made, state.add(made))
      }
      guard let outcome else { continue }
      if let met = outcome.met, met.isNews { reportCollision(made, met.other) }
      outcome.topic.insert(flags, askedAt: site)
      return outcome.topic
    }
  }

  /// Takes a topic out that nobody holds any longer. Works from its `deinit`.
  func forget(_ topic: Topic) {
    let store = state.withLock { state -> (any AnyReplayStore)? in
      guard state.remove(topic) else { return nil }
      state.noteUnheard(topic)
      return state.takeReplayIfEmpty(of: topic)
    }
    _ = store
  }

  /// The topics that are alive, by name and, for equal names, by the line that first named them.
  func livingTopics() -> [Topic] {
    // Released after the lock was left.
    let topics = state.withLock { $0.topics }
    return topics.sorted { ($0.name, $0.site.line) < ($1.name, $1.site.line) }
  }

  private func reportCollision(_ made: Topic, _ other: Topic) {
    Junctor.report(
      Diagnostic(
        .nameCollision,
        "Can't join '\(shown(made.name))' of \(made.kind.name()) with '\(shown(other.name))' of "
          + "\(other.kind.name()): channels meet only if their message types are the same. "
          + "Use one type, or two names.",
        sites: [made.site, other.site]))
  }
}

extension Topic {
  /// The topic that is meant here: in a scope, the one of the same name and type in the scope's exchange.
  var resolved: Topic {
    guard currentFlags.contains(.scoped), let current = ExchangeScope.current,
      current !== exchange
    else { return self }
    let topic = current.topic(name, kind, flags: currentFlags.intersection(.options), site: site)
    if currentFlags.contains(.replays) { topic.keep(like: self) }
    return topic
  }
}
