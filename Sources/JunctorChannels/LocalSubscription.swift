/// The token of one listener of a confined channel: asks about it, sets it aside, ends it.
///
/// ## Concurrency
/// Not `Sendable`: stays with its channel. Keeps neither the channel nor the handler alive.
public struct LocalRegistration {
  private let line: LocalLine?
  private let end: (() -> Void)?

  /// The token of a listener that was never there.
  init() {
    line = nil
    end = nil
  }

  /// Keeps what shows the listener and what ends it.
  init(line: LocalLine, _ end: @escaping () -> Void) {
    self.line = line
    self.end = end
  }

  /// Whether it has neither been cancelled nor outlived its owner.
  ///
  /// - Complexity: O(1).
  public var isActive: Bool { line.map { !$0.isEnded && $0.isAlive } ?? false }

  /// Ends it; twice, late or from inside the call does no harm.
  ///
  /// - Complexity: O(number of listeners).
  public func cancel() { end?() }

  /// Sets it aside for a while: it keeps its place and is not called.
  ///
  /// - Complexity: O(1).
  public func pause() { line?.setPaused(true) }

  /// Takes it back after `pause()`.
  ///
  /// - Complexity: O(1).
  public func resume() { line?.setPaused(false) }
}

/// A listener of a confined channel that lives as long as this object does.
///
/// ## Concurrency
/// Not `Sendable`: stays with its channel.
public final class LocalSubscription {
  /// The registration, to end it, set it aside or ask about it without keeping it alive.
  public let registration: LocalRegistration

  /// Binds a registration to the life of the new object.
  init(_ registration: LocalRegistration) { self.registration = registration }

  deinit { registration.cancel() }

  /// Ends it now.
  ///
  /// - Complexity: O(number of listeners).
  public func cancel() { registration.cancel() }
}
