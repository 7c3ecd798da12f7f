/// A service that has something to do before it is used: open a port, read a file, start a loop.
///
/// ## Concurrency
/// `start()` is called by `Services.start()`, once, after the same of everything that the service was built with, with no
/// lock held.
public protocol ServiceStarting: Sendable {
  /// Starts the service.
  ///
  /// - Throws: why it cannot start; what was started before it is closed again.
  func start() async throws
}

/// A service that has something to give back: a port, a file, a loop.
///
/// ## Concurrency
/// `close()` is called by `Services.close(within:clock:)`, once, after the same of everything that was built with the
/// service, with no lock held. Its task is cancelled when the time limit is over.
public protocol ServiceClosing: Sendable {
  /// Closes the service.
  ///
  /// - Throws: what went wrong; the others are closed all the same.
  func close() async throws
}
