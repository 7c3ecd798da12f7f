internal import JunctorCore

/// A channel that stays where it was made: any owner and any message, `Sendable` or not, and no lock.
///
/// The rules are those of `Channel`: owners are held weakly and kept alive during their call, the order is priority and
/// then registration, a post calls the list as it stood without those who were removed or died, and posts nest.
///
/// ```swift
/// let selected = LocalChannel<NSView>()
/// selected.listen(for: self) { me, view in me.show(view) }
/// selected.post(view)
/// ```
///
/// ## Concurrency
/// Not `Sendable`: the compiler keeps it in the isolation in which it was made, and handlers run there, before `post`
/// returns. Dead owners' handlers go at the next post, or as listeners are added. Retains handlers, no owners.
public final class LocalChannel<Message> {
  /// What the channel is called.
  public let name: String

  private var entries: [LocalEntry<Message>] = []
  private var limit = 16

  /// Makes a channel.
  ///
  /// - Parameter name: what it is called.
  /// - Complexity: O(1).
  public init(_ name: String = "") { self.name = name }

  /// How many listeners there are, those of dead owners included until they are cleared away.
  ///
  /// - Complexity: O(1).
  public var count: Int { entries.count }

  /// Listens for as long as an owner lives.
  ///
  /// - Parameters:
  ///   - owner: is held weakly, kept alive during a call, and handed to the handler.
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - once: whether the listener is removed before its first call.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the owner and the message.
  /// - Returns: the token that ends it; need not be kept.
  /// - Complexity: amortised O(1) at the lowest priority present, otherwise O(n).
  @discardableResult
  public func listen<Owner: AnyObject>(
    for owner: Owner, priority: ListenerPriority = .normal, once: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (Owner, Message) throws -> Void
  ) -> LocalRegistration {
    guard let reference = OwnerReference(owner) else { return LocalRegistration(nil) }
    let entry = LocalEntry(
      owner: reference, priority: priority.rawValue, isOnce: once,
      site: SourceSite(fileID: fileID, line: line)
    ) { (object: AnyObject, message: Message) in
      // SAFETY: the entry passes only the object that `reference` was made for, which is an `Owner`.
      try handler(unsafe unsafeDowncast(object, to: Owner.self), message)
    }
    return add(entry)
  }

  /// Listens for as long as the returned subscription lives.
  ///
  /// - Parameters:
  ///   - priority: who is called before whom; among equals, the earlier listener.
  ///   - once: whether the listener is removed before its first call.
  ///   - fileID: where it is registered.
  ///   - line: where it is registered.
  ///   - handler: gets the message.
  /// - Returns: keep it: when it goes, the listening ends.
  /// - Complexity: amortised O(1) at the lowest priority present, otherwise O(n).
  public func listen(
    priority: ListenerPriority = .normal, once: Bool = false, fileID: StaticString = #fileID,
    line: UInt = #line, handler: @escaping (Message) throws -> Void
  ) -> LocalSubscription {
    let entry = LocalEntry<Message>(
      owner: OwnerReference(), priority: priority.rawValue, isOnce: once,
      site: SourceSite(fileID: fileID, line: line)
    ) { _, message in try handler(message) }
    return LocalSubscription(add(entry))
  }

  /// Calls everybody who listens, in order. What listeners throw is in the receipt and stops nobody.
  ///
  /// - Parameter message: is handed to every listener.
  /// - Returns: what came of it.
  /// - Complexity: O(n). Allocates nothing.
  @discardableResult
  public func post(_ message: Message) -> Receipt {
    let began = WiringHistory.begin()
    var receipt = Receipt()
    var sawDead = false
    // The list as it stands; changes meanwhile are made to a copy.
    for entry in entries where !entry.isRemoved {
      if entry.owner.isBound {
        guard let owner = entry.owner.object else {
          sawDead = true
          continue
        }
        call(entry, owner, message, &receipt)
      } else {
        call(entry, entry, message, &receipt)
      }
    }
    if sawDead { reclaim() }
    if began != 0 { note(receipt, began: began) }
    return receipt
  }

  /// Ends everything that an owner listens to here.
  ///
  /// - Parameter owner: whose listening ends.
  /// - Complexity: O(n).
  public func removeListeners(of owner: AnyObject) {
    remove { $0.owner.refers(to: owner) }
  }

  private func call(
    _ entry: LocalEntry<Message>, _ owner: AnyObject, _ message: Message,
    _ receipt: inout Receipt
  ) {
    if entry.isOnce { remove { $0 === entry } }
    receipt.calledCount += 1
    let began = WiringHistory.begin()
    do { try entry.call(owner, message) } catch { receipt.add(error) }
    if began != 0 {
      WiringHistory.record(.delivery, name, site: entry.site, began: began, count: 1)
    }
  }

  private func note(_ receipt: Receipt, began: UInt64) {
    WiringHistory.record(.post, name, began: began, count: Int(receipt.calledCount))
    if !receipt.wasHeard { WiringHistory.record(.drop, name) }
  }

  private func add(_ entry: LocalEntry<Message>) -> LocalRegistration {
    if entries.count >= limit {
      reclaim()
      limit = max(16, 2 * entries.count)
    }
    if let last = entries.last, entry.key < last.key {
      let place = entries.firstIndex { entry.key < $0.key } ?? entries.endIndex
      entries.insert(entry, at: place)
    } else {
      entries.append(entry)
    }
    return LocalRegistration { [weak self, weak entry] in
      guard let self, let entry else { return }
      self.remove { $0 === entry }
    }
  }

  private func reclaim() { remove { $0.owner.isBound && !$0.owner.isAlive } }

  private func remove(where fits: (LocalEntry<Message>) -> Bool) {
    let gone = entries.filter(fits)
    guard !gone.isEmpty else { return }
    for entry in gone { entry.isRemoved = true }
    // What goes dies after the list is whole again: its `deinit` may come back here.
    let kept = entries.filter { !$0.isRemoved }
    let old = entries
    entries = kept
    withExtendedLifetime(old) {}
  }
}

/// One listener of a confined channel.
///
/// ## Concurrency
/// Confined with its channel.
final class LocalEntry<Message> {
  /// The owner, held weakly; bound to nothing for one that lives by its subscription.
  let owner: OwnerReference
  /// Its place in the order.
  let key: OrderKey
  /// Whether it is removed before its first call.
  let isOnce: Bool
  /// Where it was registered.
  let site: SourceSite
  /// Called with the owner, or with the entry itself where there is none.
  let call: (AnyObject, Message) throws -> Void
  /// Whether it was removed; read before each call.
  var isRemoved = false

  /// Makes an entry with a number of its own.
  init(
    owner: consuming OwnerReference, priority: Int, isOnce: Bool, site: SourceSite,
    call: @escaping (AnyObject, Message) throws -> Void
  ) {
    self.owner = owner
    key = OrderKey(priority: priority, id: Identifier.next())
    self.isOnce = isOnce
    self.site = site
    self.call = call
  }
}
