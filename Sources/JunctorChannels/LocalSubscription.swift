/// The token of one listener of a confined channel.
///
/// ## Concurrency
/// Not `Sendable`: stays with its channel. Keeps neither the channel nor the handler alive.
public struct LocalRegistration {
  private let end: (() -> Void)?

  /// Keeps what ends the listener; `nil` for one that was never there.
  init(_ end: (() -> Void)?) { self.end = end }

  /// Ends it; twice, late or from inside the call does no harm.
  ///
  /// - Complexity: O(number of listeners).
  public func cancel() { end?() }
}

/// A listener of a confined channel that lives as long as this object does.
///
/// ## Concurrency
/// Not `Sendable`: stays with its channel.
public final class LocalSubscription {
  private let registration: LocalRegistration

  /// Binds a registration to the life of the new object.
  init(_ registration: LocalRegistration) { self.registration = registration }

  deinit { registration.cancel() }

  /// Ends it now.
  ///
  /// - Complexity: O(number of listeners).
  public func cancel() { registration.cancel() }
}
