public import JunctorMacros
import Testing

@DataReceiver
final class ProfileScreen {
  var prepared: [String?] = []
  func prepare(with profile: String?) { prepared.append(profile) }
}

/// A receiver on the main actor, for other modules.
@DataReceiver @MainActor
public final class MainScreen {
  var prepared: [Int?] = []
  /// Notes what was handed over.
  public func prepare(with number: Int?) { prepared.append(number) }
}

@DataReceiver
final class SharedReceiver: Sendable {
  let log: Log
  init(_ log: Log) { self.log = log }
  func prepare(with value: Int?) { log("\(value ?? 0)") }
  func prepare(for value: Int) {}
}

@DataReceiver
final class Asking: ResultProvider {
  typealias Result = Bool
  var prepared: [(any Error)?] = []
  func prepare(with error: (any Error)?) { prepared.append(error) }
}

@Suite struct DataReceiverTests {
  @Test func `H2 the macro stores the model in the object`() {
    let screen = ProfileScreen()
    #expect(screen.model == nil)
    screen.handOver("a")
    #expect(screen.model == "a")
    #expect(screen.prepared == ["a"])
    #expect(screen.handoverSlot === screen.handoverSlot)
  }

  @Test @MainActor func `H3 a main-actor class is handed its model there`() {
    let screen = MainScreen()
    screen.handOver(3)
    #expect(screen.prepared == [3])
  }

  @Test func `H2 a Sendable class gets a slot for several threads`() async {
    let log = Log()
    let receiver = SharedReceiver(log)
    await withTaskGroup { group in
      for _ in 0..<20 { group.addTask { receiver.handOver(7) } }
    }
    #expect(log.lines == Array(repeating: "7", count: 20))
    #expect(receiver.model == 7)
  }

  @Test func `H1 an existential in parentheses keeps its type`() {
    let asking = Asking()
    asking.handOver(Mishap(number: 1))
    #expect(asking.prepared.count == 1)
    #expect(asking.model as? Mishap == Mishap(number: 1))
  }
}
