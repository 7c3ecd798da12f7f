import JunctorCore
import JunctorHandover
import Synchronization

/// What happened, in order.
final class Log: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// The diagnostics of one test.
final class Reports: Sendable {
  private let found = Mutex<[Diagnostic]>([])
  var all: [Diagnostic] { found.withLock { $0 } }
  var codes: [Diagnostic.Code] { all.map(\.code) }
  func add(_ diagnostic: Diagnostic) { found.withLock { $0.append(diagnostic) } }
}

/// A model that says when it goes.
final class Tracked: Sendable {
  let name: String
  private let log: Log
  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
  }
  deinit { log.add("\(name) gone") }
}

class Animal {}
final class Dog: Animal, Named { var name: String { "dog" } }
final class Cat: Animal, Named { var name: String { "cat" } }
protocol Named { var name: String { get } }

/// Takes models of any type, keeps its slot itself, and becomes ready when told.
final class Stored<Model>: DataReceiver {
  let handoverSlot = HandoverSlot<Model>()
  var isReady = true
  var prepared: [Model?] = []
  var onPrepare: ((Model?) -> Void)?

  func prepare(with model: Model?) {
    prepared.append(model)
    onPrepare?(model)
  }
}

/// The same with all handovers in order.
final class Queued<Model>: DataReceiver {
  static var handoverPolicy: HandoverPolicy { .all }
  let handoverSlot = HandoverSlot<Model>()
  var isReady = false
  var prepared: [Model?] = []
  var onPrepare: ((Model?) -> Void)?

  func prepare(with model: Model?) {
    prepared.append(model)
    onPrepare?(model)
  }
}

/// The same without storage of its own: the table's case.
final class Tabled<Model>: DataReceiver {
  var isReady = true
  var prepared: [Model?] = []

  func prepare(with model: Model?) { prepared.append(model) }
}

/// Gives strings back.
final class Asking: ResultProvider {
  typealias Result = String
  let handoverSlot = HandoverSlot<Int>()
  var isReady = true
  var prepared: [Int?] = []

  func prepare(with model: Int?) { prepared.append(model) }
}

/// Told what came back.
final class Requester {
  var outcomes: [HandoverOutcome<String>] = []
}

@MainActor class Screen {}

/// A receiver of the main actor that declares no more than the method.
@MainActor final class ProfileScreen: Screen, DataReceiver {
  var shown: [String] = []
  func prepare(with profile: String?) { shown.append(profile ?? "nobody") }
}

/// Contains what it is given.
final class Box: ReceiverContainer {
  var receiverChildren: [AnyObject] = []
  init(_ children: AnyObject...) { receiverChildren = children }
}
