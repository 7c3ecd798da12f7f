import JunctorCore
import Synchronization
import Testing

@testable import JunctorHandover

@Suite struct `H6 results where the receiver's type is not known` {
  @Test func `H6 a request finds the one receiver that gives such a result back`() throws {
    let receiver = Asking()
    let requester = Requester()
    try Handover.request(
      1, from: Box(Stored<Int>(), receiver), expecting: String.self, for: requester
    ) { $0.outcomes.append($1) }
    receiver.giveBack("one")
    #expect(requester.outcomes == [.value("one")])
  }

  @Test func `H6 a receiver of other results is a mismatch that says so`() {
    let receiver = Asking()
    do throws(HandoverError) {
      _ = try Handover.request(1, from: receiver, expecting: Double.self)
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.code == .mismatch)
      #expect(error.message.contains("give no 'Double' back"))
    }
    #expect(receiver.prepared.isEmpty)
    #expect(receiver.openRequests.isEmpty)
  }

  @Test func `H6 a searched request can be awaited`() async throws {
    let receiver = Asking()
    let request = try Handover.request(1, from: receiver, expecting: String.self)
    receiver.giveBack("one")
    #expect(await request.outcome == .value("one"))
  }
}

@Suite struct `H6 results from receivers of several threads` {
  final class Shared: ResultProvider, Sendable {
    typealias Result = Int
    private let slot = SharedHandoverSlot<Int>()
    var handoverSlot: HandoverSlot<Int> { slot.base }
    func prepare(with model: Int?) {}
  }

  @MainActor final class Screen {
    var seen: [HandoverOutcome<Int>] = []
    let (done, signal) = AsyncStream<Void>.makeStream()

    func ask(_ receiver: Shared) {
      receiver.request(1, telling: self) { me, outcome in
        me.seen.append(outcome)
        me.signal.yield()
      }
    }
  }

  @Test @MainActor func `H6 the handler runs on the actor that it was written on`() async {
    let screen = Screen()
    let receiver = Shared()
    screen.ask(receiver)
    _ = await Task.detached { receiver.giveBack(4) }.value
    for await _ in screen.done { break }
    #expect(screen.seen == [.value(4)])
  }

  @Test func `H6 of many results at once one wins`() async {
    for _ in 0..<200 {
      let receiver = Shared()
      let request = receiver.request(1)
      let id = request.id
      let wins = await Junctor.withDiagnostics({ _ in }) {
        await withTaskGroup(of: Int.self) { group in
          for number in 0..<4 {
            group.addTask { receiver.giveBack(number, to: id) ? 1 : 0 }
          }
          return await group.reduce(0, +)
        }
      }
      #expect(wins == 1)
      #expect(await request.outcome.value != nil)
    }
  }
}

@Suite struct `H6 results on the main actor` {
  @MainActor final class Editor: ResultProvider {
    typealias Result = String
    let handoverSlot = HandoverSlot<String>()
    func prepare(with model: String?) {}
  }

  @MainActor final class List {
    var seen: [HandoverOutcome<String>] = []
    var onOutcome: (() -> Void)?

    func open(_ editor: Editor) {
      editor.request("draft", for: self) { me, outcome in
        me.seen.append(outcome)
        me.onOutcome?()
      }
    }
  }

  @Test @MainActor func `H6 a handler of the main actor touches its own state without a word more`()
  {
    let list = List()
    let editor = Editor()
    list.open(editor)
    editor.giveBack("final")
    #expect(list.seen == [.value("final")])
  }

  @Test @MainActor func `H6 a receiver that dies on another thread still ends its request there`()
    async
  {
    let list = List()
    let (done, signal) = AsyncStream<Void>.makeStream()
    list.onOutcome = {
      MainActor.assertIsolated()
      signal.yield()
    }
    let holder = Mutex<Editor?>(Editor())
    if let editor = holder.withLock({ $0 }) { list.open(editor) }
    await Task.detached { holder.withLock { $0 = nil } }.value
    for await _ in done { break }
    #expect(list.seen == [.cancelled])
  }
}
