import JunctorCore
import Synchronization

/// The diagnostics of one test.
final class Reports: Sendable {
  private let found = Mutex<[Diagnostic]>([])
  var codes: [Diagnostic.Code] { found.withLock { $0.map(\.code) } }
  func add(_ diagnostic: Diagnostic) { found.withLock { $0.append(diagnostic) } }
}
