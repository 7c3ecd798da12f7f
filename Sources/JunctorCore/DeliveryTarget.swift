package import Dispatch

/// Where asynchronous deliveries are made.
package enum DeliveryTarget: Sendable {
  /// As blocks on a dispatch queue, serial or concurrent.
  case queue(DispatchQueue)
  /// As jobs of an actor, the main actor for one.
  case actor(any Actor)
  /// As jobs of an actor that is not retained in between; once it is gone, the mailbox closes.
  case weakActor(@Sendable () -> (any Actor)?)
  /// As tasks that prefer an executor.
  case executor(any TaskExecutor)

  /// The target's name in dumps and in the wiring.
  package var label: String {
    switch self {
    case .queue(let queue): queue.label
    case .actor(let actor): String(describing: type(of: actor))
    case .weakActor(let find): find().map { String(describing: type(of: $0)) } ?? "actor"
    case .executor(let executor): String(describing: type(of: executor))
    }
  }
}

/// How much may wait in a mailbox, and what gives way when it is full.
package enum MailboxLimit: Sendable, Hashable {
  /// As much as comes.
  case unbounded
  /// At most so many; the oldest gives way.
  case dropOldest(Int)
  /// At most so many; what comes then is dropped.
  case dropNewest(Int)

  /// How many items may wait.
  var capacity: Int {
    switch self {
    case .unbounded: Int.max
    case .dropOldest(let count), .dropNewest(let count): max(0, count)
    }
  }
}
