import JunctorCore
import Testing

@testable import JunctorHandover

@Suite struct `H3 the moment` {
  @Test func `H3 a ready receiver is prepared before handOver returns`() {
    let receiver = Stored<Int>()
    receiver.handOver(1)
    receiver.handOver(2)
    #expect(receiver.prepared == [1, 2])
  }

  @Test func `H3 a receiver that is not ready keeps the model and is prepared once it is`() {
    let receiver = Stored<Int>()
    receiver.isReady = false
    receiver.handOver(1)
    #expect(receiver.prepared.isEmpty)
    #expect(receiver.model == 1)
    #expect(receiver.pendingHandovers == 1)
    receiver.isReady = true
    receiver.becomeReady()
    receiver.becomeReady()
    #expect(receiver.prepared == [1])
    #expect(receiver.pendingHandovers == 0)
  }

  @Test func `H3 what comes while the receiver is being prepared is delivered in turn`() {
    let receiver = Stored<Int>()
    receiver.isReady = false
    receiver.handOver(1)
    receiver.onPrepare = { [unowned receiver] model in
      guard model == 1 else { return }
      receiver.handOver(2)
      receiver.handOver(3)
    }
    receiver.isReady = true
    receiver.becomeReady()
    #expect(receiver.prepared == [1, 2, 3])
    #expect(receiver.model == 3)
    #expect(receiver.pendingHandovers == 0)
  }

  @Test func `H3 the latest of several that waited counts`() {
    let receiver = Stored<Int>()
    receiver.isReady = false
    for number in 1...3 { receiver.handOver(number) }
    receiver.isReady = true
    receiver.becomeReady()
    #expect(receiver.prepared == [3])
  }

  @Test func `H3 all that waited arrive in order where the class says so`() {
    let receiver = Queued<Int>()
    for number in 1...3 { receiver.handOver(number) }
    receiver.handOver(nil)
    receiver.isReady = true
    receiver.becomeReady()
    #expect(receiver.prepared == [1, 2, 3, nil])
  }

  @Test func `H3 the model is there before prepare is called`() {
    let receiver = Queued<Int>()
    var seen: [Int?] = []
    receiver.onPrepare = { [unowned receiver] _ in seen.append(receiver.model) }
    receiver.handOver(1)
    receiver.handOver(2)
    receiver.becomeReady()
    #expect(seen == [1, 2])
  }

  @Test func `H3 becomeReady prepares though isReady still says no`() {
    let receiver = Stored<Int>()
    receiver.isReady = false
    receiver.handOver(1)
    receiver.becomeReady()
    #expect(receiver.prepared == [1])
    receiver.handOver(2)
    #expect(receiver.prepared == [1])
  }

  @Test func `H3 a receiver that forgot becomeReady is prepared at the next handover`() {
    let receiver = Queued<Int>()
    receiver.handOver(1)
    receiver.isReady = true
    receiver.handOver(2)
    #expect(receiver.prepared == [1, 2])
  }

  @Test func `H3 handing over to oneself while being prepared nests when ready`() {
    let receiver = Stored<Int>()
    receiver.onPrepare = { [unowned receiver] model in
      if let model, model < 3 { receiver.handOver(model + 1) }
    }
    receiver.handOver(1)
    #expect(receiver.prepared == [1, 2, 3])
  }

  @Test func `H3 handing over while what waited arrives keeps the order`() {
    let receiver = Queued<Int>()
    receiver.onPrepare = { [unowned receiver] model in
      if model == 1 { receiver.handOver(3) }
    }
    receiver.handOver(1)
    receiver.handOver(2)
    receiver.isReady = true
    receiver.becomeReady()
    #expect(receiver.prepared == [1, 2, 3])
  }

  @Test func `H3 a receiver confined to an actor is prepared there`() async {
    actor Room {
      let receiver = Stored<Int>()
      func put(_ number: Int) -> [Int?] {
        receiver.handOver(number)
        return receiver.prepared
      }
    }
    #expect(await Room().put(4) == [4])
  }

  @Test func `H3 a receiver that lets go of its last owner while it is prepared survives the call`()
  {
    var holder: Stored<Int>? = Stored()
    weak let watched = holder
    holder?.onPrepare = { _ in holder = nil }
    holder?.handOver(1)
    #expect(holder == nil)
    watched?.onPrepare = nil
    #expect(watched == nil)
  }
}
