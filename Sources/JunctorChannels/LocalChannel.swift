public import JunctorCore

/// A channel that stays where it was made: any owner, any message, and no lock in a post.
///
/// The rules are those of `Channel`: owners are held weakly and kept alive during their call, the order is priority and
/// then registration, a post calls the list as it stood without those who were removed or died, and posts nest unless the
/// channel is `.queued`. Its options mean the same.
///
/// ```swift
/// let selected = LocalChannel<NSView>()
/// selected.listen(for: self) { me, view in me.show(view) }
/// selected.post(view)
/// ```
///
/// ## Concurrency
/// Neither owners nor messages need be `Sendable`. It is not either: the compiler keeps it in the isolation in which it
/// was made, and handlers run there, before `post` returns. Dead owners' handlers go at the next post, or as listeners
/// are added. Retains handlers, no owners. Who listens is noted beside it under a lock, so that the wiring can be looked
/// at from anywhere; only changes take that.
public final class LocalChannel<Message> {
  /// What the channel is called.
  public let name: String

  /// How messages are treated.
  public let options: ChannelOptions

  /// Where it was made.
  public let site: SourceSite

  /// Those who listen, in order.
  var entries: [LocalEntry<Message>] = []
  private var limit = 16
  /// Shows the listeners to others; made with the first one.
  private var wiring: LocalWiring?
  /// What is kept for listeners that come later.
  var kept = RingBuffer<(message: Message, context: PostContext)>()
  /// The number of the latest post.
  var lastNumber: UInt64 = 0
  /// What waits for the message before it, where that is asked for.
  var waiting = RingBuffer<LocalPost<Message>>()
  /// Whether a message is being delivered, where the next has to wait for it.
  var isDelivering = false
  /// What came of the message that was posted while none was being delivered.
  var turns = PostTurns()
  /// Where the posts were made that are nested in one another just now.
  var chain: [SourceSite] = []
  /// Whether they were found to be without an end.
  var isBroken = false

  /// Makes a channel.
  ///
  /// - Parameters:
  ///   - name: what it is called.
  ///   - options: how messages are treated.
  ///   - fileID: where it is made.
  ///   - line: where it is made.
  /// - Complexity: O(1).
  public init(
    _ name: String = "", options: ChannelOptions = ChannelOptions(),
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.name = name
    self.options = options
    site = SourceSite(fileID: fileID, line: line)
  }

  /// How many listeners there are, those of dead owners included until they are cleared away.
  ///
  /// - Complexity: O(1).
  public var count: Int { entries.count }

  // MARK: - Changing the list

  /// Adds a listener and gives it what was kept. Returns the token that ends it.
  func add(_ entry: LocalEntry<Message>) -> LocalRegistration {
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
    let wiring = wiring ?? LocalWiring(name: name, type: Message.self, site: site)
    self.wiring = wiring
    wiring.add(entry.line)
    catchUp(entry)
    return LocalRegistration(line: entry.line) { [weak self, weak entry] in
      guard let self, let entry else { return }
      self.remove { $0 === entry }
    }
  }

  /// Takes the listeners out whose owners have died.
  func reclaim() { remove { !$0.line.isAlive } }

  /// Takes listeners out. Returns how many went.
  @discardableResult
  func remove(where fits: (LocalEntry<Message>) -> Bool) -> Int {
    let gone = entries.filter(fits)
    guard !gone.isEmpty else { return 0 }
    for entry in gone {
      entry.line.end()
      wiring?.remove(entry.line)
    }
    // What goes dies after the list is whole again: its `deinit` may come back here.
    let kept = entries.filter { !$0.line.isEnded }
    let old = entries
    entries = kept
    withExtendedLifetime(old) {}
    return gone.count
  }

  /// Ends everything that an owner listens to here.
  ///
  /// - Parameter owner: whose listening ends.
  /// - Returns: how many listeners went.
  /// - Complexity: O(n).
  @discardableResult
  public func removeListeners(of owner: AnyObject) -> Int {
    remove { $0.line.owner.refers(to: owner) }
  }

  /// Ends everything that is listened to here.
  ///
  /// - Returns: how many listeners went.
  /// - Complexity: O(n).
  @discardableResult
  public func removeAllListeners() -> Int { remove { _ in true } }
}

/// One listener of a confined channel.
///
/// ## Concurrency
/// Confined with its channel.
final class LocalEntry<Message> {
  /// What others may see of it.
  let line: LocalLine
  /// Called with the owner, or with the entry itself where there is none.
  let call: (AnyObject, Message) throws -> Void
  /// Called instead, where it asks for the envelope.
  let envelopeCall: ((AnyObject, Message, Envelope) throws -> Void)?
  /// What was posted while it gets what was kept; `nil` at any other time.
  var held: RingBuffer<(message: Message, context: PostContext)>?
  /// How much that was.
  var turns = PostTurns()

  /// Its place in the order.
  var key: OrderKey { line.key }

  /// Makes the entry of a handler that wants the message alone.
  init(_ line: LocalLine, call: @escaping (AnyObject, Message) throws -> Void) {
    self.line = line
    self.call = call
    envelopeCall = nil
  }

  /// Makes the entry of a handler that asks for the envelope.
  init(_ line: LocalLine, envelopeCall: @escaping (AnyObject, Message, Envelope) throws -> Void) {
    self.line = line
    call = { _, _ in }
    self.envelopeCall = envelopeCall
  }
}

/// A message that waits for the one before it.
struct LocalPost<Message> {
  /// The message.
  let message: Message
  /// Who posted it.
  let sender: Sender?
  /// Where it was posted.
  let site: SourceSite
}
