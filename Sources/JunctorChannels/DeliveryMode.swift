public import Dispatch
internal import JunctorCore

/// Where a listener is called.
///
/// | mode | a handler of no actor | a handler of an actor |
/// | --- | --- | --- |
/// | `.automatic` | by the poster, before `post` returns | by the poster if it is on that actor and nothing waits, else on the actor |
/// | `.inline` | the same | by the poster if it is on that actor, else not at all: dropped, counted and reported |
/// | `.deferred` | as a task of its own, never by the poster | always on the actor, after `post` returned |
/// | `.queue(_:)`, `.executor(_:)` | always there, never by the poster | as `.deferred`: an actor's handler runs on its actor |
///
/// Whether the poster is on an actor is what the compiler knows at the call of `post`. Code that is not isolated but
/// happens to run on the main thread is not on the main actor: a listener of the main actor gets its message queued.
///
/// ## Concurrency
/// A value; may be used anywhere. A listener retains its queue or executor.
public struct DeliveryMode: Sendable {
  /// What `DeliveryMode` stands for.
  enum Kind: Sendable {
    /// By the poster where that is allowed.
    case automatic
    /// By the poster or not at all.
    case inline
    /// Never by the poster.
    case deferred
    /// On a dispatch queue.
    case queue(DispatchQueue)
    /// In tasks that prefer an executor.
    case executor(any TaskExecutor)
  }

  /// Which mode it is.
  let kind: Kind
  /// Whether messages may be handled at the same time.
  var isConcurrent = false

  /// By the poster where that is allowed, else on the handler's actor.
  public static let automatic = DeliveryMode(kind: .automatic)

  /// By the poster or not at all.
  public static let inline = DeliveryMode(kind: .inline)

  /// Never by the poster.
  public static let deferred = DeliveryMode(kind: .deferred)

  /// The same place, where messages may now overlap and overtake one another: one job for each.
  ///
  /// Means something where a queue or an executor runs several jobs at a time; what an actor or the poster calls stays in
  /// line. What waits is bounded, counted and cancelled as before.
  public var concurrent: DeliveryMode { DeliveryMode(kind: kind, isConcurrent: true) }

  /// On a dispatch queue, serial or concurrent; messages neither overlap nor change places on either.
  ///
  /// - Parameter queue: runs the handler.
  /// - Returns: the mode.
  /// - Complexity: O(1).
  public static func queue(_ queue: DispatchQueue) -> DeliveryMode {
    DeliveryMode(kind: .queue(queue))
  }

  /// In tasks that prefer an executor.
  ///
  /// - Parameter executor: runs the handler.
  /// - Returns: the mode.
  /// - Complexity: O(1).
  public static func executor(_ executor: some TaskExecutor) -> DeliveryMode {
    DeliveryMode(kind: .executor(executor))
  }
}

extension DeliveryMode {
  /// Whether the poster may call the handler, if the handler's isolation allows it.
  var mayRunInline: Bool {
    switch kind {
    case .automatic, .inline: true
    case .deferred, .queue, .executor: false
    }
  }

  /// The queue or the executor, for people to read; `nil` where none was named.
  var ownPlace: String? {
    switch kind {
    case .automatic, .inline, .deferred: nil
    case .queue(let queue): "queue '\(shown(queue.label))'"
    case .executor: "an executor"
    }
  }

  /// Where a handler runs when it is not called by the poster, for people to read.
  func place(of entry: _ListEntry, _ isolation: (any Actor)?, _ ownerIsActor: Bool) -> String {
    if ownerIsActor { return entry.owner.naming.map { "\($0.type)" } ?? "an actor" }
    if let isolation { return "\(type(of: isolation))" }
    switch kind {
    case .queue(let queue): return "queue '\(queue.label)'"
    case .executor(let executor): return "\(type(of: executor))"
    case .deferred: return "the global executor"
    case .automatic, .inline: return "the poster"
    }
  }
}
