import Synchronization

/// Keeps what it is given.
final class Kept<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  /// Keeps one more.
  func keep(_ value: Value) { values.withLock { $0.append(value) } }
}
