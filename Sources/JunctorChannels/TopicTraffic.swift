internal import JunctorCore

/// What was counted of one topic while the history was on, for the wiring.
struct TopicTraffic {
  /// What was counted of one listener, or of one who posts.
  struct Count {
    /// How often.
    var times: UInt64 = 0
    /// The longest time, in nanoseconds.
    var longest: UInt64 = 0

    /// Counts once more.
    mutating func add(_ nanoseconds: UInt64) {
      times &+= 1
      longest = max(longest, nanoseconds)
    }
  }

  /// One place, or one sender at one place, that posts.
  struct Poster {
    /// The place.
    let site: SourceSite
    /// The sender, weakly, where one was named.
    let sender: OwnerBox?
    /// The sender's identity, which a later object may have again.
    let identity: ObjectIdentifier?
    /// Its posts.
    var count = Count()

    /// Whether a post is this one's.
    func made(_ sender: AnyObject?, _ site: SourceSite) -> Bool {
      guard self.site == site else { return false }
      guard let sender else { return self.sender == nil }
      // The identity first: where a weak reference has to be loaded to be compared, that then yields the caller's own
      // object or nothing, and no other object is released for the last time under the lock.
      guard identity == ObjectIdentifier(sender) else { return false }
      return self.sender?.reference.refers(to: sender) ?? false
    }
  }

  /// How many who post are told apart at most.
  static let limit = 256

  /// All posts.
  var posts = Count()
  /// How many calls of listeners they made.
  var called: UInt64 = 0
  /// How many deliveries were queued.
  var queued: UInt64 = 0
  /// How many deliveries were dropped.
  var dropped: UInt64 = 0
  /// How many posts nobody heard.
  var unheard: UInt64 = 0
  /// Those who posted.
  var posters: [Poster] = []
  /// Those who were called, as long as they listen, mostly in the order in which posts meet them.
  private var listeners: [(id: UInt64, count: Count)] = []
  /// Where the next listener of a post stands, probably.
  private var cursor = 0

  /// Counts a post. Returns what gave way and dies outside the lock.
  mutating func note(
    _ receipt: Receipt, from sender: AnyObject?, at site: SourceSite, took nanoseconds: UInt64
  ) -> Poster? {
    posts.add(nanoseconds)
    called &+= UInt64(receipt.calledCount)
    queued &+= UInt64(receipt.queuedCount)
    dropped &+= UInt64(receipt.droppedCount)
    if !receipt.wasHeard { unheard &+= 1 }
    if let place = posters.firstIndex(where: { $0.made(sender, site) }) {
      count(at: place, nanoseconds)
      return nil
    }
    // A sender on its way out can't be referred to: the place alone is known then.
    let known = sender.flatMap { OwnerBox($0) }
    if sender != nil, known == nil, let place = posters.firstIndex(where: { $0.made(nil, site) }) {
      count(at: place, nanoseconds)
      return nil
    }
    let old = posters.count == Self.limit ? posters.removeLast() : nil
    posters.append(
      Poster(
        site: site, sender: known,
        identity: known == nil ? nil : sender.map { ObjectIdentifier($0) }))
    count(at: posters.count - 1, nanoseconds)
    return old
  }

  private mutating func count(at place: Int, _ nanoseconds: UInt64) {
    posters[place].count.add(nanoseconds)
    // A place that posts often is found soon.
    if place > 0 { posters.swapAt(place, place - 1) }
  }

  /// Counts a call of a listener.
  mutating func note(listener id: UInt64, took nanoseconds: UInt64) {
    if cursor >= listeners.count { cursor = 0 }
    if cursor >= listeners.count || listeners[cursor].id != id {
      if let place = listeners.firstIndex(where: { $0.id == id }) {
        cursor = place
      } else {
        cursor = listeners.count
        listeners.append((id, Count()))
      }
    }
    listeners[cursor].count.add(nanoseconds)
    cursor += 1
  }

  /// Forgets a listener that has left.
  mutating func forget(listener id: UInt64) { listeners.removeAll { $0.id == id } }

  /// What was counted of the listeners, by their numbers.
  var byListener: [UInt64: Count] {
    Dictionary(listeners.map { ($0.id, $0.count) }, uniquingKeysWith: { first, _ in first })
  }

  /// What was counted of all posts, by name.
  var counters: [String: UInt64] {
    let all = [
      "posted": posts.times, "called": called, "queued": queued, "dropped": dropped,
      "unheard": unheard,
    ]
    return all.filter { $0.value > 0 }
  }
}

extension TopicTraffic.Count {
  /// The longest time, by name; nothing where nothing was counted.
  var longestTimes: [String: Duration] {
    times > 0 ? ["longest": .nanoseconds(Int64(clamping: longest))] : [:]
  }
}
