import JunctorHandover
import Testing

@Suite struct `H1 conforming` {
  @Test func `H1 one method makes a class a receiver and its parameter is the model`() {
    final class Profile: DataReceiver {
      var seen: String?
      func prepare(with model: String?) { seen = model }
    }
    let receiver = Profile()
    receiver.handOver("Ada")
    #expect(receiver.seen == "Ada")
    #expect(receiver.model == "Ada")
  }

  @Test func `H1 a class may keep the model in a property of its own`() {
    final class Own: DataReceiver {
      var model: Int?
      var seen: [Int?] = []
      func prepare(with model: Int?) { seen.append(model) }
    }
    let receiver = Own()
    receiver.handOver(3)
    #expect(receiver.model == 3)
    #expect(receiver.seen == [3])
    #expect(receiver.handoverSlot.model == nil)
  }

  @Test func `H1 setting the model prepares nothing`() {
    let receiver = Stored<Int>()
    receiver.model = 7
    #expect(receiver.model == 7)
    #expect(receiver.prepared.isEmpty)
    #expect(!receiver.wasHandedOver)
  }

  @Test @MainActor func `H1 a class of the main actor conforms without a word more`() throws {
    let screen = ProfileScreen()
    screen.handOver("Ada")
    try Handover.deliver("Grace", to: screen)
    #expect(screen.shown == ["Ada", "Grace"])
  }
}
