@testable import JunctorServices

/// A service that notes when it is started and closed.
final class Part: Alpha, Beta, Gamma, ServiceStarting, ServiceClosing {
  let label: String
  let log: Log
  let inner: (any Sendable)?
  let startFails: Bool
  let closeFails: Bool

  init(
    _ label: String, _ log: Log, holding inner: (any Sendable)? = nil, startFails: Bool = false,
    closeFails: Bool = false
  ) {
    self.label = label
    self.log = log
    self.inner = inner
    self.startFails = startFails
    self.closeFails = closeFails
  }

  func start() async throws {
    if startFails { throw Trouble() }
    log.add("start \(label)")
  }

  func close() async throws {
    log.add("close \(label)")
    if closeFails { throw Trouble() }
  }
}
