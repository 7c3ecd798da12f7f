import Junctor

/// Handing over, compared with setting a property and calling a method.
let handoverCases: [Case] = [
  Case(
    "handover", "ready receiver, stored slot", baseline: direct,
    must: [.over(10), .allocations(0)]
  ) {
    let (receiver, model) = (StoringReceiver(), Model())
    return { turns in
      for _ in 0..<turns { receiver.handOver(model) }
      consume(receiver.count)
    }
  },
  Case(
    "handover", "ready receiver, table", baseline: direct,
    must: [.nanoseconds(150)]
  ) {
    let (receiver, model) = (BareReceiver(), Model())
    return { turns in
      for _ in 0..<turns { receiver.handOver(model) }
      consume(receiver.count)
    }
  },
  Case("handover", "receiver that becomes ready later", must: [.allocations(0)]) {
    let (receiver, model) = (LateReceiver(), Model())
    return { turns in
      for _ in 0..<turns {
        receiver.isReady = false
        receiver.handOver(model)
        receiver.isReady = true
        receiver.becomeReady()
      }
      consume(receiver.count)
    }
  },
  Case("handover", "receiver of unknown type") {
    let (receiver, model) = (StoringReceiver(), Model())
    return { turns in
      for _ in 0..<turns {
        do { try Handover.deliver(model, to: receiver) } catch { consume(error) }
      }
      consume(receiver.count)
    }
  },
  Case("handover", "receiver that comes and goes, table") {
    let model = Model()
    return { turns in
      for _ in 0..<turns { BareReceiver().handOver(model) }
    }
  },
  Case(
    "handover", bytesOf: "receiver that came and went, table", count: 1_000_000, must: [.bytes(1)]
  ) { count in
    let model = Model()
    return {
      for _ in 0..<count { BareReceiver().handOver(model) }
      return model
    }
  },
  Case("handover", bytesOf: "receiver, stored slot", count: 1_000_000) { count in
    let model = Model()
    return {
      (0..<count).map { _ in
        let receiver = StoringReceiver()
        receiver.handOver(model)
        return receiver
      }
    }
  },
  Case("handover", bytesOf: "receiver, table", count: 1_000_000) { count in
    let model = Model()
    return {
      (0..<count).map { _ in
        let receiver = BareReceiver()
        receiver.handOver(model)
        return receiver
      }
    }
  },
]

private let direct = Baseline(
  name: "property + method",
  work: .loop {
    let (receiver, model) = (DirectReceiver(), Model())
    return { turns in
      for _ in 0..<turns { receiver.take(model) }
      consume(receiver.count)
    }
  })

private final class Model: Sendable {}

private final class DirectReceiver {
  private var model: Model?
  private(set) var count = 0

  // What the compiler cannot see through, as little as a receiver in another module.
  @inline(never)
  func take(_ model: Model?) {
    self.model = model
    count += model == nil ? 0 : 1
  }
}

private final class StoringReceiver: DataReceiver {
  let handoverSlot = HandoverSlot<Model>()
  private(set) var count = 0

  @inline(never)
  func prepare(with model: Model?) { count += model == nil ? 0 : 1 }
}

private final class BareReceiver: DataReceiver {
  private(set) var count = 0

  @inline(never)
  func prepare(with model: Model?) { count += model == nil ? 0 : 1 }
}

private final class LateReceiver: DataReceiver {
  let handoverSlot = HandoverSlot<Model>()
  private(set) var count = 0
  var isReady = false

  @inline(never)
  func prepare(with model: Model?) { count += model == nil ? 0 : 1 }
}
