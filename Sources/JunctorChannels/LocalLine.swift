internal import JunctorCore
internal import Synchronization

/// What may be seen of a confined channel's listener from anywhere: all but its handler.
///
/// ## Concurrency
/// Constant, but for two flags, which the channel's isolation alone sets. Retains no owner.
final class LocalLine: Sendable {
  /// The owner, held weakly; bound to nothing for one that lives by its subscription.
  let owner: OwnerReference
  /// The only sender that is listened to; bound to nothing where there is no such wish.
  let sender: OwnerReference
  /// Its place in the order.
  let key: OrderKey
  /// Its number, never given to another.
  let id = Identifier.next()
  /// Whether it is removed before its first call.
  let isOnce: Bool
  /// What it is called in dumps.
  let label: String?
  /// Where it was registered.
  let site: SourceSite
  // Relaxed throughout: they are set and obeyed in one isolation, and shown to others.
  private let ended = Atomic(false)
  private let paused = Atomic(false)

  /// Notes a listener; `nil` if its owner, or the only sender to listen to, is on its way out.
  init?(owner: AnyObject?, _ options: ListenerOptions, site: SourceSite) {
    if let owner {
      guard let reference = OwnerReference(owner) else { return nil }
      self.owner = reference
    } else {
      self.owner = OwnerReference()
    }
    if let sender = options.sender {
      guard let reference = OwnerReference(sender) else { return nil }
      self.sender = reference
    } else {
      self.sender = OwnerReference()
    }
    key = OrderKey(priority: options.priority.rawValue, id: id)
    isOnce = options.once
    label = options.label
    self.site = site
  }

  /// Whether it may be called; read before each call.
  var isCallable: Bool {
    !ended.load(ordering: .relaxed) && !paused.load(ordering: .relaxed)
  }

  /// Whether it was removed.
  var isEnded: Bool { ended.load(ordering: .relaxed) }

  /// Whether it is set aside.
  var isPaused: Bool { paused.load(ordering: .relaxed) }

  /// Whether its owner lives, or it needs none.
  var isAlive: Bool { !owner.isBound || owner.isAlive }

  /// Marks it as removed.
  func end() { ended.store(true, ordering: .relaxed) }

  /// Sets it aside, or takes it back.
  func setPaused(_ isPaused: Bool) { paused.store(isPaused, ordering: .relaxed) }

  /// Whether a message is of the sender that is listened to.
  func wants(_ other: Sender?) -> Bool {
    !sender.isBound || other?.isSame(as: sender) == true
  }

  /// What a dump says of it.
  var listing: ExchangeSnapshot.Listener {
    ExchangeSnapshot.Listener(
      label: label,
      owner: owner.isBound ? owner.naming.map { String(reflecting: $0.type) } ?? "gone" : nil,
      site: site, priority: key.priority, place: "the poster", pattern: nil, isPaused: isPaused,
      isAlive: isAlive, pending: 0, counters: [:])
  }
}
