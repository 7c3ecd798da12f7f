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
  /// Optional: a class that leaves it out does not answer.
  func guess() -> Int
}

extension OptionalMethod {
  /// The optional method of the tests.
  static var guess: OptionalMethod { OptionalMethod(_key: 0x6775_6573, index: 0) }
}

extension Listener {
  func guess() -> Int {
    OptionalMethod.guess._noteDefault(of: self)
    return -1
  }
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

  // What the default does: a class that inherits a default cannot override it.
  func guess() -> Int {
    OptionalMethod.guess._noteDefault(of: self)
    return -1
  }
}

/// The same, with an answer to what is optional.
final class Guesser: Ear {
  override func guess() -> Int {
    log("\(name) guesses")
    then?()
    return value
  }
}

/// Forwards by hand and tells nobody that it does.
final class Mirror: Listener {
  let targets = MulticastList<any Listener>(label: "mirror")
  func hear(_ word: String) { targets.forEach { $0.hear(word) } }
  func answer() -> Int { targets.last { $0.answer() } ?? -1 }
  func attempt() throws -> Int { try targets.last { try $0.attempt() } ?? -1 }
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
  func guess() -> Int { targets.last(optional: .guess) { $0.guess() } ?? -1 }
}

/// What was reported while a test ran.
func reports(_ body: () -> Void) -> [String] {
  let log = Log()
  Junctor.withDiagnostics({ log($0.code.rawValue) }, operation: body)
  return log.lines
}
