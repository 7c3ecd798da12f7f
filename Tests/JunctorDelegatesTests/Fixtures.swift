import JunctorDelegates
import Synchronization

/// What was called, in order.
final class Log: Sendable {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }
  func callAsFunction(_ line: String) { state.withLock { $0.append(line) } }
  func clear() { state.withLock { $0 = [] } }
}

/// The delegate of the tests.
protocol Listener: AnyObject {
  func hear(_ word: String)
  func answer() -> Int
  func attempt() throws -> Int
}

/// A target that logs what it hears, and does what the test says.
class Ear: Listener {
  let name: String
  let log: Log
  var value: Int
  var error: (any Error)?
  var then: (() -> Void)?
  var atEnd: ((Ear) -> Void)?

  init(_ name: String, _ log: Log, value: Int = 0) {
    self.name = name
    self.log = log
    self.value = value
  }

  deinit { atEnd?(self) }

  func hear(_ word: String) {
    log("\(name) \(word)")
    then?()
  }

  func answer() -> Int {
    log(name)
    return value
  }

  func attempt() throws -> Int {
    log(name)
    if let error { throw error }
    return value
  }
}

struct Mishap: Error, Equatable {
  var number: Int
}

/// A multicast written by hand.
final class EarTrumpet: Listener, MulticastHolder {
  let targets = MulticastList<any Listener>(label: "trumpet")
  var multicastRegistry: MulticastRegistry { targets.registry }
  func hear(_ word: String) { targets.forEach { $0.hear(word) } }
  func answer() -> Int { targets.last { $0.answer() } ?? -1 }
  func attempt() throws -> Int { try targets.last { try $0.attempt() } ?? -1 }
}

/// What was reported while a test ran.
func reports(_ body: () -> Void) -> [String] {
  let log = Log()
  Junctor.withDiagnostics({ log($0.code.rawValue) }, operation: body)
  return log.lines
}
