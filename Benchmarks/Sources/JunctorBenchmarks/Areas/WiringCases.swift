import Junctor

/// What the history costs: nothing while it is off, also where it has been on before, and little while it is on.
let wiringCases: [Case] = offCases + onCases

// MARK: - Off

/// The same thing twice: made and never recorded, and made, recorded and not any longer.
private func off(
  _ name: String, _ make: @escaping @Sendable () -> Operation
) -> Case {
  Case(
    "wiring", "history off again", name,
    baseline: Baseline(name: "never recorded", work: .loop(make)),
    must: [.ratio(1.02), .allocations(0)]
  ) {
    let operation = make()
    Wiring.History.start()
    operation(100)
    Wiring.History.stop()
    // The first operation after it makes anew what was set aside.
    operation(1)
    return operation
  }
}

private let offCases: [Case] = [
  off("post, nobody listens") { post(to: 0) },
  off("post, 1 owner-bound listener") { post(to: 1) },
  off("post, 10 owner-bound listeners") { post(to: 10) },
  off("multicast call, 1 target") { call(to: 1) },
  off("multicast call, 10 targets") { call(to: 10) },
  off("handover") { handOver() },
  off("service look-up") { lookUp(lifetime: .cached) },
]

// MARK: - On

/// The same thing twice: not recorded and recorded, so many events each time.
private func on(
  _ name: String, events: Int, _ make: @escaping @Sendable () -> Operation
) -> Case {
  Case(
    "wiring", "history on, for each event", name, batch: events,
    baseline: Baseline(name: "off", work: .loop(make)), must: [.over(100)]
  ) {
    let operation = make()
    return { turns in
      Wiring.History.start(capacity: 1_000)
      operation(turns)
      Wiring.History.stop()
    }
  }
}

private let onCases: [Case] = [
  on("post, 1 owner-bound listener", events: 2) { post(to: 1) },
  on("post, 10 owner-bound listeners", events: 11) { post(to: 10) },
  on("multicast call, 1 target", events: 1) { call(to: 1) },
  on("handover", events: 1) { handOver() },
  on("transient", events: 1) { lookUp(lifetime: .transient) },
]

// MARK: - What is done

private func post(to count: Int) -> Operation {
  let posting = Posting(to: count)
  let channel = posting.channel
  return { turns in
    for turn in 0..<turns { channel.post(turn) }
    consume(posting)
  }
}

/// A channel with listeners that are taken out when it goes.
private final class Posting {
  let channel = Channel<Int>("bench", in: Exchange())
  private let owners: [Tally]

  init(to count: Int) {
    owners = (0..<count).map { _ in Tally() }
    for owner in owners { channel.listen(for: owner) { me, value in me.hear(value) } }
  }

  deinit { channel.removeAllListeners() }
}

private func call(to count: Int) -> Operation {
  let list = MulticastList<any Hearing>()
  let targets = (0..<count).map { _ in Target() }
  for target in targets { list.add(target) }
  return { turns in
    for turn in 0..<turns { list.forEach { $0.hear(turn) } }
    consume(targets)
  }
}

private func handOver() -> Operation {
  let receiver = Receiver()
  return { turns in
    for turn in 0..<turns { receiver.handOver(turn) }
    consume(receiver.sum)
  }
}

private func lookUp(lifetime: ServiceLifetime) -> Operation {
  let services = Services("recorded")
  services.provide((any Greeting).self, lifetime: lifetime) { _ in English() }
  return { turns in for _ in 0..<turns { consume(services[(any Greeting).self]) } }
}

/// A protocol as a user would write it.
private protocol Hearing: AnyObject {
  func hear(_ value: Int)
}

private final class Target: Hearing {
  private var sum = 0
  func hear(_ value: Int) { sum &+= value }
}

/// A service as a user would write it.
private protocol Greeting: Sendable {}

private final class English: Greeting {}

private final class Receiver: DataReceiver {
  let handoverSlot = HandoverSlot<Int>()
  private(set) var sum = 0

  @inline(never)
  func prepare(with model: Int?) { sum &+= model ?? 0 }
}
