public import JunctorCore

/// Who listens to what in one exchange, at one moment.
///
/// ## Concurrency
/// A value; may be used anywhere. Keeps nothing alive.
public struct ExchangeSnapshot: Sendable, Hashable {
  /// What the exchange is called.
  public let label: String

  /// The channels that are named or listened to, by name.
  public let channels: [Channel]

  /// The listeners of patterns, in calling order, whether or not a channel matches now.
  public let patterns: [Listener]

  /// Those who watch every post, in the order in which they are called.
  public let taps: [Listener]

  /// One channel.
  public struct Channel: Sendable, Hashable {
    /// The channel's name.
    public let name: String
    /// The full name of its message type.
    public let messageType: String
    /// Where it was first named.
    public let site: SourceSite
    /// Those who listen, in the order in which they are called.
    public let listeners: [Listener]
  }

  /// One listener of one channel.
  public struct Listener: Sendable, Hashable {
    /// What it is called, if it was given a name.
    public let label: String?
    /// The owner's type; `nil` for one that lives by its subscription.
    public let owner: String?
    /// Where it was registered.
    public let site: SourceSite
    /// Its priority.
    public let priority: Int
    /// Where it is called: by the poster, or an actor's, a queue's or an executor's name.
    public let place: String
    /// The pattern by which it listens, if it does.
    public let pattern: String?
    /// Whether it is set aside.
    public let isPaused: Bool
    /// Whether its owner lives; always true of one that lives by its subscription.
    public let isAlive: Bool
    /// How many messages wait for it.
    public let pending: Int
    /// What became of the messages that were queued for it, by name.
    public let counters: [String: UInt64]
  }
}

extension Exchange {
  /// Who listens to what, now.
  ///
  /// Blocks no post for longer than it takes to copy a list.
  ///
  /// - Returns: a value that keeps nothing alive.
  /// - Complexity: O(number of listeners), and O(n log n) in the number of channels.
  public func snapshot() -> ExchangeSnapshot {
    ExchangeSnapshot(
      label: label,
      channels: livingTopics().map { topic in
        ExchangeSnapshot.Channel(
          name: topic.name, messageType: topic.kind.name(), site: topic.site,
          listeners: topic.list.entries().compactMap { ($0 as? any OwnListener)?.listing })
      }, patterns: patterns.entries().compactMap { ($0 as? PatternEntry)?.listing },
      taps: taps.entries().map { entry in
        ExchangeSnapshot.Listener(
          label: nil, owner: nil, site: entry.site, priority: 0, place: "the poster", pattern: nil,
          isPaused: entry.isPaused, isAlive: true, pending: 0, counters: [:])
      })
  }

  /// Who listens to what, now, as text: a line for each channel and each listener.
  ///
  /// - Returns: lines for people to read; programs read `snapshot()` or `dumpJSON()`.
  /// - Complexity: as `snapshot()`.
  public func dump() -> String { snapshot().text }

  /// Who listens to what, now, as JSON.
  ///
  /// - Returns: one object, with the properties of `ExchangeSnapshot` under their names.
  /// - Complexity: as `snapshot()`.
  public func dumpJSON() -> String { snapshot().json }
}

extension ChannelEntry {
  var listing: ExchangeSnapshot.Listener {
    let mailbox = extras?.mailbox
    return ExchangeSnapshot.Listener(
      self, label: extras?.label, priority: extras?.priority ?? 0,
      place: extras?.place(of: self) ?? "the poster", pattern: extras?.pattern?.pattern.text,
      isPaused: isPaused || extras?.pattern?.isPaused == true, pending: mailbox?.pending ?? 0,
      counters: mailbox?.counters)
  }
}

extension PatternEntry {
  /// What a dump says of it.
  var listing: ExchangeSnapshot.Listener {
    let counts = deputy.counts
    return ExchangeSnapshot.Listener(
      self, label: label, priority: priority, place: deputy.place(of: self), pattern: pattern.text,
      isPaused: isPaused, pending: counts?.pending ?? 0, counters: counts?.counters)
  }
}

extension ExchangeSnapshot.Listener {
  /// Shows an entry.
  fileprivate init(
    _ entry: _ListEntry, label: String?, priority: Int, place: String, pattern: String?,
    isPaused: Bool, pending: Int, counters: MailboxCounters?
  ) {
    self.label = label
    // Not retained: an owner's last release belongs where the owner does.
    owner =
      entry.owner.isBound
      ? entry.owner.naming.map { String(reflecting: $0.type) } ?? "gone" : nil
    site = entry.site
    self.priority = priority
    self.place = place
    self.pattern = pattern
    self.isPaused = isPaused
    isAlive = !entry.owner.isBound || entry.owner.isAlive
    self.pending = pending
    self.counters =
      counters.map {
        [
          "accepted": $0.accepted, "delivered": $0.delivered, "dropped": $0.dropped,
          "cancelled": $0.cancelled,
        ]
      } ?? [:]
  }
}
