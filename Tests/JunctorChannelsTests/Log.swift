import JunctorChannels
import Synchronization

/// What happened, in order.
final class Log: Sendable {
  private let state = Mutex<[String]>([])

  func add(_ event: String) { state.withLock { $0.append(event) } }

  var events: [String] { state.withLock { $0 } }
}

/// Numbers, in the order in which they came.
final class Numbers: Sendable {
  private let state = Mutex<[Int]>([])

  func append(_ number: Int) { state.withLock { $0.append(number) } }

  var values: [Int] { state.withLock { $0 } }
}

/// A number that many may count up.
final class Count: Sendable {
  private let state = Mutex(0)

  @discardableResult
  func add(_ amount: Int = 1) -> Int {
    state.withLock { value in
      value += amount
      return value
    }
  }

  var value: Int { state.withLock { $0 } }
}

/// An owner with a name, which tells when it dies.
final class Owner: Sendable {
  let name: String
  private let onDeinit: @Sendable () -> Void

  init(_ name: String = "owner", onDeinit: @escaping @Sendable () -> Void = {}) {
    self.name = name
    self.onDeinit = onDeinit
  }

  deinit { onDeinit() }
}

/// Something that can be set and taken from any thread.
final class Holder<Value: Sendable>: Sendable {
  private let state: Mutex<Value?>

  init(_ value: Value? = nil) { state = Mutex(value) }

  var value: Value? {
    get { state.withLock { $0 } }
    set {
      let old = state.withLock { current in
        let old = current
        current = newValue
        return old
      }
      _ = old
    }
  }
}

/// Collects the diagnostics of an operation.
func diagnostics(of operation: () throws -> Void) rethrows -> [Diagnostic] {
  let found = Mutex<[Diagnostic]>([])
  try Junctor.withDiagnostics { diagnostic in
    found.withLock { $0.append(diagnostic) }
  } operation: {
    try operation()
  }
  return found.withLock { $0 }
}

/// How many names are many: a million, but for builds that are not optimised.
#if DEBUG
  let manyNames = 100_000
#else
  let manyNames = 1_000_000
#endif
