import JunctorCore
import Testing

@testable import JunctorBridge

@Suite(.timeLimit(.minutes(5))) struct OutboxLineTests {
  @Test(arguments: [true, false])
  func `B4 messages leave in the order in which they came, no more wait than there is room for`(
    dropsOldest: Bool
  ) {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed)
    let room = 700
    var line = OutboxLine<Int>(room: room, dropsOldest: dropsOldest)
    var model: [Int] = []
    var delivered: UInt64 = 0
    for number in 0..<100_000 {
      // Crowds come and go, so that the room for them does.
      let isComing = (number / 2_000).isMultiple(of: 2)
      if Int.random(in: 0..<10, using: &generator) < (isComing ? 8 : 2) {
        let (outcome, displaced) = line.accept(number)
        if model.count < room {
          #expect(outcome == .queued && displaced == nil, "seed \(seed)")
          model.append(number)
        } else if dropsOldest {
          #expect(outcome == .displacedOldest && displaced == model[0], "seed \(seed)")
          model.removeFirst()
          model.append(number)
        } else {
          #expect(outcome == .droppedNewest && displaced == number, "seed \(seed)")
        }
      } else {
        let taken = line.takeFirst()
        #expect(taken == model.first, "seed \(seed)")
        if taken != nil {
          model.removeFirst()
          delivered += 1
        }
      }
      #expect(line.count == model.count && line.hasRoom == (model.count < room), "seed \(seed)")
    }
    #expect(line.cancelAll() == model, "seed \(seed)")
    let counters = line.counters
    #expect(
      counters.accepted == delivered + counters.dropped + counters.cancelled, "seed \(seed)")
    #expect(line.takeFirst() == nil)
  }
}
