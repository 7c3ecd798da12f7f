internal import JunctorCore
internal import Synchronization

/// What came of one post.
///
/// ## Concurrency
/// A value; may be used anywhere. Retains the errors that listeners threw.
public struct Receipt: Sendable {
  /// How many listeners were called.
  @usableFromInline var calledCount: UInt32
  /// How many listeners had it queued.
  @usableFromInline var queuedCount: UInt32
  /// How many deliveries were dropped.
  @usableFromInline var droppedCount: UInt32
  /// What else is true of the post.
  @usableFromInline var marks: Marks
  // Most posts meet no error; an array would be retained and released for each of them all the same.
  /// What listeners threw; `nil` while none has.
  @usableFromInline var failures: Failures?

  /// What is true of a post besides its numbers.
  @usableFromInline
  struct Marks: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8
    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A listener kept it from those after it.
    static let consumed = Marks(rawValue: 1)
    /// It waits for the message before it.
    static let deferred = Marks(rawValue: 2)
    /// Posts were nested without an end.
    static let refused = Marks(rawValue: 4)
  }

  /// What listeners threw, made by the first who does.
  @usableFromInline
  final class Failures: Sendable {
    // Changed only while one receipt alone has it, see `Receipt.add`; the lock makes that plain to the compiler.
    private let state: Mutex<[Failure]>

    /// Keeps what was thrown.
    init(_ all: [Failure]) { state = Mutex(all) }

    /// All of it, in its order.
    var all: [Failure] { state.withLock { $0 } }

    /// The first of it.
    var first: Failure? { state.withLock { $0.first } }

    /// Keeps one more.
    func append(_ failure: Failure) { state.withLock { $0.append(failure) } }
  }

  /// What one listener threw.
  struct Failure: Sendable {
    /// What was thrown.
    let error: any Error
    /// Where the listener was registered.
    let listener: SourceSite
  }

  /// Makes the receipt of a post that nobody has heard yet.
  @inlinable
  init() {
    // Not as initial values: the expression of one is a call in other modules.
    calledCount = 0
    queuedCount = 0
    droppedCount = 0
    marks = Marks(rawValue: 0)
    failures = nil
  }

  /// How many listeners were called before `post` returned, those that threw included.
  public var called: Int { Int(calledCount) }

  /// How many listeners will be called elsewhere: on an actor, a queue or an executor.
  public var queued: Int { Int(queuedCount) }

  /// How many deliveries were dropped because a listener's buffer was full.
  public var dropped: Int { Int(droppedCount) }

  /// Whether a listener kept the message from those after it.
  public var isConsumed: Bool { marks.contains(.consumed) }

  /// Whether the message waits for the one before it, see `ChannelOrder.queued`.
  public var isDeferred: Bool { marks.contains(.deferred) }

  /// Whether the post was refused because posts were nested without an end.
  public var isRefused: Bool { marks.contains(.refused) }

  /// What listeners threw before `post` returned, in their order.
  public var errors: [any Error] { thrown.map(\.error) }

  /// Whether anybody got the message or will get it.
  public var wasHeard: Bool { calledCount > 0 || queuedCount > 0 || isDeferred }

  /// Throws the first error that a listener threw, if one did.
  ///
  /// - Returns: the receipt itself.
  /// - Throws: the first of `errors`.
  /// - Complexity: O(1).
  @discardableResult
  public func throwIfFailed() throws -> Receipt {
    if let failure = failures?.first { throw failure.error }
    return self
  }
}

extension Receipt {
  /// What listeners threw, and which, in their order.
  var thrown: [Failure] { failures?.all ?? [] }

  /// Notes what a listener threw.
  ///
  /// - Complexity: amortised O(1) for a receipt of which there is no copy.
  mutating func add(_ failure: Failure) {
    if isKnownUniquelyReferenced(&failures) {
      failures?.append(failure)
    } else {
      failures = Failures(thrown + [failure])
    }
  }
}
