import JunctorCore
import Synchronization

@testable import JunctorServices

/// Counts; used by providers to tell how often they ran.
final class Counter: Sendable {
  private let state = Atomic<Int>(0)

  /// The next number, from 1.
  @discardableResult
  func next() -> Int { state.wrappingAdd(1, ordering: .relaxed).newValue }

  /// The last number given.
  var value: Int { state.load(ordering: .relaxed) }
}

/// Collects texts in the order in which they come.
final class Log: Sendable {
  private let state = Mutex<[String]>([])

  /// Adds a text.
  func add(_ text: String) { state.withLock { $0.append(text) } }

  /// What has been added.
  var lines: [String] { state.withLock { $0 } }
}

/// Collects diagnostics.
final class Diagnostics: Sendable {
  private let state = Mutex<[Diagnostic]>([])

  /// What has been reported.
  var all: [Diagnostic] { state.withLock { $0 } }

  /// The codes of what has been reported.
  var codes: [String] { all.map(\.code.rawValue) }

  /// Collects what an operation reports.
  func collect<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try Junctor.withDiagnostics(
      { diagnostic in
        self.state.withLock { $0.append(diagnostic) }
      }, operation: operation)
  }
}

protocol Alpha: AnyObject, Sendable { var label: String { get } }
protocol Beta: AnyObject, Sendable { var label: String { get } }
protocol Gamma: AnyObject, Sendable { var label: String { get } }

/// A service that says when it dies and knows which number it is.
final class Thing: Alpha, Beta, Gamma {
  let label: String
  let inner: (any Sendable)?
  private let onDeinit: @Sendable () -> Void

  init(
    _ label: String = "thing", holding inner: (any Sendable)? = nil,
    onDeinit: @escaping @Sendable () -> Void = {}
  ) {
    self.label = label
    self.inner = inner
    self.onDeinit = onDeinit
  }

  deinit { onDeinit() }
}

/// What providers of the tests throw.
struct Trouble: Error, Equatable, CustomStringConvertible {
  var description: String { "trouble" }
}

/// Runs the same on several threads at once and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let start = Gate()
  let threads = (0..<count).map { index in
    TestThread {
      start.wait()
      body(index)
    }
  }
  start.open()
  for thread in threads { thread.join() }
}

/// Suspends tasks until it is opened.
actor AsyncGate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Opens the gate, for good.
  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// Suspends until the gate is open.
  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}

/// Yields until something is so.
func until(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}

extension Services {
  /// How many wait for a service that is being built.
  func waiters(of key: ServiceKey) -> Int {
    guard let slot = slot(key), case .building(let build, _) = slot.state.withLock({ $0.phase })
    else { return 0 }
    return WaitGraph.waiters(of: build)
  }
}

/// Asks for something on a thread of its own, so that a provider may wait there for a task. Returns what is thrown.
func onThread<Result>(_ body: @escaping @Sendable () throws -> Result) async -> ServiceError? {
  await withCheckedContinuation { continuation in
    _ = TestThread {
      do {
        _ = try body()
        continuation.resume(returning: nil)
      } catch {
        continuation.resume(returning: error as? ServiceError)
      }
    }
  }
}
