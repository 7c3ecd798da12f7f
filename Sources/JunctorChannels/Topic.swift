public import JunctorCore
public import Synchronization

/// What is behind all channels of one exchange, name and message type: the list of listeners.
///
/// A topic lives as long as a channel value names it or somebody listens to it. Its exchange knows it weakly.
///
/// ## Concurrency
/// May be used from any thread. Retained by its channels and by its own listeners' entries; retains its exchange.
@usableFromInline
final class Topic: Sendable {
  /// What makes a post more than a walk; zero for most topics.
  @usableFromInline let flags: Atomic<UInt32>

  /// The listeners.
  @usableFromInline let list = OrderedList()

  /// The channel's name.
  let name: String
  /// Where it belongs.
  let exchange: Exchange
  /// What it knows of its message type.
  let kind: TopicKind
  /// Where it was first named.
  let site: SourceSite
  /// Puts messages one behind the other, where the channel's order asks for it.
  let queue = TopicQueue()
  /// What is kept for listeners that come later.
  let replay = Mutex<(any AnyReplayStore)?>(nil)
  // SAFETY: touched only in what `WiringHistory` runs under its lock, in `Topic+Record.swift`.
  /// Who posted what to whom, as far as it was recorded.
  nonisolated(unsafe) var lockedTraffic = TopicTraffic()
  /// The patterns that have an entry here, and whether that hears everything already.
  let attached = Mutex<[UInt64: Bool]>([:])

  /// Makes a topic without listeners.
  init(name: String, exchange: Exchange, kind: TopicKind, flags: TopicFlags, site: SourceSite) {
    self.name = name
    self.exchange = exchange
    self.kind = kind
    self.flags = Atomic(flags.rawValue)
    self.site = site
  }

  deinit { exchange.forget(self) }

  /// Adds to what makes a post more than a walk.
  func insert(_ added: TopicFlags) {
    guard !added.isEmpty else { return }
    flags.bitwiseOr(added.rawValue, ordering: .acquiringAndReleasing)
  }

  /// Adds to what makes a post more than a walk, or takes it away.
  func set(_ changed: TopicFlags, _ isSet: Bool) {
    if isSet { return insert(changed) }
    flags.bitwiseAnd(~changed.rawValue, ordering: .acquiringAndReleasing)
  }

  /// Adds what a channel was asked for. Of two wishes that exclude each other the first stands; the second is reported.
  func insert(_ wishes: TopicFlags, askedAt site: SourceSite) {
    guard !wishes.isSubset(of: currentFlags) else { return }
    var old = flags.load(ordering: .acquiring)
    while true {
      let (new, isConflict) = TopicFlags(rawValue: old).joined(wishes)
      let (isDone, found) = flags.weakCompareExchange(
        expected: old, desired: new.rawValue, ordering: .acquiringAndReleasing)
      guard isDone else {
        old = found
        continue
      }
      if isConflict { reportConflict(site) }
      return
    }
  }

  private func reportConflict(_ site: SourceSite) {
    Junctor.report(
      Diagnostic(
        .optionConflict,
        "Can't treat errors on '\(shown(name))' in two ways: it was asked for 'rethrowAfterAll' and "
          + "for 'stopAtFirst'. The first wish stands; ask for one of them.",
        sites: [site, self.site]))
  }

  /// What makes a post more than a walk.
  var currentFlags: TopicFlags { TopicFlags(rawValue: flags.load(ordering: .acquiring)) }
}

/// What a topic knows of its message type.
struct TopicKind: Sendable {
  /// The type's identity.
  let id: ObjectIdentifier
  /// The type's full name; costs microseconds, so made when asked for.
  let name: @Sendable () -> String
  /// Makes the entry by which an untyped pattern listens to a topic of this type.
  let makeEntry: @Sendable (UntypedDeputy, PatternEntry) -> _ListEntry?

  /// Notes what is to be known of a type.
  init<Message: Sendable>(_ type: Message.Type) {
    id = ObjectIdentifier(type)
    name = { messageName(of: Message.self) }
    makeEntry = { deputy, pattern in deputy.entry(of: pattern, for: Message.self) }
  }
}

/// What makes a post more than a walk over listeners.
struct TopicFlags: OptionSet, Sendable, Hashable {
  let rawValue: UInt32

  /// A scope may replace the exchange; see `Exchange.withShared`.
  static let scoped = TopicFlags(rawValue: 1)
  /// One message is finished before the next begins.
  static let queued = TopicFlags(rawValue: 2)
  /// Errors are handed to the poster, after everybody was called.
  static let collectsErrors = TopicFlags(rawValue: 4)
  /// The first error ends the delivery.
  static let stopsAtError = TopicFlags(rawValue: 8)
  /// A message that nobody hears is reported.
  static let requiresListener = TopicFlags(rawValue: 16)
  /// Messages are kept for those who come later.
  static let replays = TopicFlags(rawValue: 32)
  /// Posts are written down.
  static let observed = TopicFlags(rawValue: 64)
  /// It was reported that two wishes exclude each other.
  static let conflicted = TopicFlags(rawValue: 256)

  /// The history is on.
  static let recorded = TopicFlags(rawValue: 128)

  /// What belongs to a channel wherever it is, and is taken along into a scope.
  static let options: TopicFlags = [
    .queued, .collectsErrors, .stopsAtError, .requiresListener, .replays,
  ]

  /// Adds wishes, without those that exclude what is there. Returns whether that is to be reported.
  func joined(_ wishes: TopicFlags) -> (flags: TopicFlags, isConflict: Bool) {
    let policies: TopicFlags = [.collectsErrors, .stopsAtError]
    let present = intersection(policies)
    let asked = wishes.intersection(policies)
    guard !present.isEmpty, !asked.isEmpty, present != asked else {
      return (union(wishes), false)
    }
    return (union(wishes.subtracting(policies)).union(.conflicted), !contains(.conflicted))
  }
}
