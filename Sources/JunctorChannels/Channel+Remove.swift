internal import JunctorCore

extension Channel {
  /// Ends everything that an owner listens to on this channel. Patterns stay.
  ///
  /// - Parameter owner: whose listening ends; may be in its `deinit`, though what is bound to it ends by itself.
  /// - Returns: how many listeners went.
  /// - Complexity: O(number of listeners).
  @discardableResult
  public func removeListeners(of owner: AnyObject) -> Int {
    topic.list.removeListeners { $0.owner.refers(to: owner) }
  }

  /// Ends everything that is listened to on this channel. Patterns stay.
  ///
  /// - Returns: how many listeners went.
  /// - Complexity: O(number of listeners).
  @discardableResult
  public func removeAllListeners() -> Int {
    topic.list.removeListeners { _ in true }
  }
}

extension OrderedList {
  /// Removes the channel's own listeners that fit. They are asked outside the lock; the owners' runtime may be involved.
  func removeListeners(where fits: (_ListEntry) -> Bool) -> Int {
    let fitting = entries().filter { $0 is any OwnListener && fits($0) }
    guard !fitting.isEmpty else { return 0 }
    let ids = Set(fitting.lazy.filter { ($0 as? any OwnListener)?.isDeputy == false }.map(\.id))
    return ids.isEmpty ? 0 : removeAll { ids.contains($0.id) }
  }
}

/// What can be asked of an entry whose message type is not known.
protocol OwnListener: _ListEntry {
  /// Whether it stands for others: for a pattern, or for those in other processes.
  var isDeputy: Bool { get }

  /// What a dump says of it.
  var listing: ExchangeSnapshot.Listener { get }

  /// Gets what was kept in a topic that it has just joined as a pattern's deputy.
  func catchUp(in topic: Topic, for pattern: UInt64)
}

extension ChannelEntry: OwnListener {
  var isDeputy: Bool { extras?.pattern != nil || extras?.isOutlet == true }

  func catchUp(in topic: Topic, for pattern: UInt64) { topic.catchUpDeputy(self, pattern) }
}
