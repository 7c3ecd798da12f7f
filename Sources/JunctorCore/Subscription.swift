/// A registration that lives as long as this object does.
///
/// Keep it, in a property or a `SubscriptionBag`; when it goes, the registration ends.
///
/// ## Concurrency
/// May be used from any thread, from inside the call that it stands for, and from `deinit`.
public final class Subscription: Sendable {
  /// The registration, for those who want to end it, pause it or ask about it without keeping it alive.
  public let registration: Registration

  /// Binds a registration to the life of the new object.
  ///
  /// - Parameter registration: ends when the new object goes.
  /// - Complexity: O(1).
  public init(_ registration: Registration) {
    self.registration = registration
  }

  deinit { registration.cancel() }

  /// Whether it has not been cancelled.
  ///
  /// - Complexity: O(log n) in the number of registrations beside it.
  public var isActive: Bool { registration.isActive }

  /// Ends the registration now; see `Registration.cancel()`.
  ///
  /// - Complexity: O(log n) in the number of registrations beside it.
  public func cancel() { registration.cancel() }

  /// Moves it into a bag, which keeps it from now on.
  ///
  /// - Parameter bag: keeps it.
  /// - Complexity: amortised O(1).
  public func store(in bag: SubscriptionBag) { bag.insert(self) }
}

extension Subscription: CustomStringConvertible {
  /// Where it was made, or that it has ended.
  ///
  /// - Complexity: as `isActive`.
  public var description: String { registration.description }
}

extension Registration {
  /// Ends it, at the latest, when a bag goes.
  ///
  /// A bag in the owner itself ends the owner's registrations at the moment of its death, rather than soon after.
  ///
  /// - Parameter bag: ends it.
  /// - Complexity: amortised O(1).
  public func store(in bag: SubscriptionBag) { bag.insert(Subscription(self)) }
}
