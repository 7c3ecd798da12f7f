internal import JunctorCore
internal import Synchronization

/// A listener of a pattern: stands in the exchange's list, and with a deputy in each topic that it matches.
///
/// The deputies have its number, and with it its place in the order. They ask it whether it may still be called, so
/// ending it ends them all at once; then they are taken out.
///
/// ## Concurrency
/// Constant, but for the state that `_ListEntry` keeps. Retains its exchange until it leaves its list.
final class PatternEntry: _ListEntry, @unchecked Sendable {
  // SAFETY (unchecked Sendable): every property is a constant of a Sendable type or an atomic.

  /// Which names are meant.
  let pattern: ChannelPattern
  /// Where it listens.
  let exchange: Exchange
  /// Its priority in every topic.
  let priority: Int
  /// What it is called in dumps.
  let label: String?
  /// Makes its entries in topics.
  let deputy: any DeputyMaker
  private let isClaimed = Atomic(false)

  /// Makes the entry of a listener that lives by its subscription.
  init(
    _ pattern: ChannelPattern, in exchange: Exchange, _ options: ListenerOptions,
    site: SourceSite, deputy: any DeputyMaker
  ) {
    self.pattern = pattern
    self.exchange = exchange
    priority = options.priority.rawValue
    label = options.label
    self.deputy = deputy
    super.init(site: site)
  }

  /// Makes the entry of an owner's listener; `nil` if the owner's deinitialiser has begun.
  init?(
    _ pattern: ChannelPattern, in exchange: Exchange, owner: AnyObject,
    _ options: ListenerOptions, site: SourceSite, deputy: any DeputyMaker
  ) {
    self.pattern = pattern
    self.exchange = exchange
    priority = options.priority.rawValue
    label = options.label
    self.deputy = deputy
    super.init(owner: owner, site: site)
  }

  private var key: OrderKey { OrderKey(priority: priority, id: id) }

  /// Joins the exchange and every topic in it that matches. Returns the token that ends it.
  func register() -> Registration {
    exchange.reportIfMisplaced(pattern, site)
    let registration = exchange.patterns.add(self, priority: priority)
    for topic in exchange.livingTopics() { attach(to: topic) }
    // What is kept where nobody listens and no value names the channel: naming it lets the patterns join.
    for store in exchange.keptStores(where: pattern.matches) where isCallable {
      attach(to: exchange.topic(store.name, store.kind, flags: [], site: store.site))
    }
    // It may have ended meanwhile, with its owner or as a one-shot.
    if isRemoved { detachEverywhere() }
    return registration
  }

  /// Puts a deputy into a topic that matches, once.
  func attach(to topic: Topic) {
    guard pattern.matches(topic.name), topic.attached.withLock({ $0.insert(id) }),
      let entry = deputy.deputy(of: self, in: topic)
    else { return }
    topic.list.add(entry, priority: priority)
    (entry as? any OwnListener)?.catchUp(in: topic, for: id)
    // Ended meanwhile: whoever took the deputies out may have been here before it came in.
    guard isRemoved else { return }
    _ = topic.attached.withLock { $0.removeValue(forKey: id) }
    takeOut(of: topic)
    exchange.forgetListener(id)
  }

  /// Takes the deputy out of a topic.
  func detach(from topic: Topic) {
    guard topic.attached.withLock({ $0.removeValue(forKey: id) }) != nil else { return }
    takeOut(of: topic)
  }

  private func takeOut(of topic: Topic) {
    topic.list.remove(id: id, key: key)
    if topic.isRecorded { topic.forgetCount(of: id) }
  }

  /// Ends it. Returns whether this call did.
  func remove() -> Bool {
    guard markRemoved() else { return false }
    exchange.patterns.remove(id: id, key: key)
    return true
  }

  override func _didLeaveList() {
    deputy.close()
    detachEverywhere()
    exchange.forgetListener(id)
    exchange.currentObservation?.noteLeft(self, of: pattern.text)
  }

  // MARK: - One-shots

  /// Notes that its message is under way. Returns whether this call did.
  func claim() -> Bool { !isClaimed.exchange(true, ordering: .acquiringAndReleasing) }

  /// Notes that its message did not arrive.
  func unclaim() { isClaimed.store(false, ordering: .releasing) }

  /// Whether its message is under way.
  var hasClaim: Bool { isClaimed.load(ordering: .acquiring) }

  private func detachEverywhere() {
    for topic in exchange.livingTopics() { detach(from: topic) }
  }
}

extension [UInt64: Bool] {
  /// Notes a pattern that is about to join. Returns whether that is news.
  fileprivate mutating func insert(_ pattern: UInt64) -> Bool {
    if self[pattern] != nil { return false }
    self[pattern] = false
    return true
  }
}
