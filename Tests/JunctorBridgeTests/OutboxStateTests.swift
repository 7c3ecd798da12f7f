import JunctorBridge
import JunctorCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct OutboxStateTests {
  private let lost = BridgeError(.unconfirmed, "Lost.", isTemporary: true)
  private let full = BridgeError(.streamFull, "Full.")

  private func make(_ sendsAgain: Bool = true, buffer: Int = 10, window: Int = 2, batch: Int = 1)
    -> OutboxState<UInt64>
  { OutboxState(buffer: buffer, window: window, batch: batch, sendsAgain: sendsAgain) }

  private func parcel(_ count: Int = 1) -> Parcel {
    Parcel(frame: BridgeFrame(subject: "s"), count: count)
  }

  private func packed(_ state: inout OutboxState<UInt64>) -> [UInt64] {
    guard case .pack(let items) = state.next().step else { return [] }
    return items
  }

  @Test func `B4 nothing is sent before there is a connection`() {
    var state = make()
    let accepted = state.accept("c") { number, _ in number }
    #expect(accepted.outcome == .queued)
    #expect(!accepted.schedule)
    #expect(state.pending == 1)
    let effects = state.link(.connected).effects
    #expect(effects.schedule)
    #expect(packed(&state) == [1])
  }

  @Test func `B3 no more parcels are on their way than the window holds`() {
    var state = make()
    _ = state.link(.connected)
    for _ in 0..<5 { _ = state.accept("c") { number, _ in number } }
    var ids: [UInt64] = []
    for _ in 0..<2 {
      #expect(packed(&state).count == 1)
      ids.append(state.send(parcel()))
      _ = state.packed(refused: 0)
    }
    guard case .rest = state.next().step else {
      Issue.record("a third parcel left")
      return
    }
    #expect(state.settle(ids[0], nil).effects.schedule)
    #expect(packed(&state) == [3])
    #expect(state.counters.confirmed == 1)
  }

  @Test func `B3 what is lost is sent again first, in order, after a pause`() {
    var state = make()
    _ = state.link(.connected)
    for _ in 0..<3 { _ = state.accept("c") { number, _ in number } }
    var ids: [UInt64] = []
    for _ in 0..<2 {
      _ = packed(&state)
      ids.append(state.send(parcel()))
      _ = state.packed(refused: 0)
    }
    _ = state.next()
    let second = state.settle(ids[1], lost)
    let first = state.settle(ids[0], lost)
    #expect(second.pausesNow && !first.pausesNow)
    #expect(first.parcel == nil)
    #expect(state.inFlight == 2)
    guard case .rest = state.next().step else {
      Issue.record("it was sent during the pause")
      return
    }
    #expect(state.resume().schedule)
    for id in ids {
      guard case .again(let again, _) = state.next().step else {
        Issue.record("it was not sent again")
        return
      }
      #expect(again == id)
    }
    #expect(state.counters.resent == 2)
    #expect(state.settle(ids[0], nil).parcel != nil)
    #expect(state.settle(ids[0], nil).parcel == nil)
    #expect(state.counters.confirmed == 1)
  }

  @Test func `B3 at most once nothing is sent again`() {
    var state = make(false)
    _ = state.link(.connected)
    _ = state.accept("c") { number, _ in number }
    _ = packed(&state)
    let id = state.send(parcel())
    _ = state.packed(refused: 0)
    let result = state.settle(id, lost)
    #expect(result.parcel != nil)
    #expect(!result.pausesNow)
    #expect(state.counters.refused == 1)
  }

  @Test func `B4 a refusal ends one parcel and no other`() {
    var state = make()
    _ = state.link(.connected)
    for _ in 0..<2 { _ = state.accept("c") { number, _ in number } }
    _ = packed(&state)
    let id = state.send(parcel())
    _ = state.packed(refused: 0)
    #expect(state.settle(id, full).parcel != nil)
    #expect(state.counters.refused == 1)
    #expect(packed(&state) == [2])
  }

  @Test func `B4 at most once the oldest gives way, at least once the newest`() {
    var oldest = make(false, buffer: 2)
    var newest = make(true, buffer: 2)
    for _ in 0..<2 {
      _ = oldest.accept("c") { number, _ in number }
      _ = newest.accept("c") { number, _ in number }
    }
    let first = oldest.accept("c") { number, _ in number }
    let last = newest.accept("c") { number, _ in number }
    #expect(first.outcome == .displacedOldest && first.displaced == 1)
    #expect(last.outcome == .droppedNewest && last.displaced == 3)
    #expect(oldest.arrivals.dropped == 1 && newest.arrivals.dropped == 1)
  }

  @Test func `B4 for good without a connection everything is given up, with the reason`() {
    var state = make()
    _ = state.link(.connected)
    for _ in 0..<3 { _ = state.accept("c") { number, _ in number } }
    _ = packed(&state)
    _ = state.send(parcel())
    _ = state.packed(refused: 0)
    let cause = BridgeError(.unauthorized, "No.")
    let (effects, gone) = state.link(.failed(cause))
    #expect(gone.count == 1)
    guard case .giveUp(let items, let error) = state.next().step else {
      Issue.record("nothing was given up")
      return
    }
    #expect(items == [2, 3])
    #expect(error == cause)
    _ = effects
    #expect(state.inFlight == 0 && state.pending == 0)
    #expect(state.accept("c") { number, _ in number }.schedule || state.isDraining)
  }

  @Test func `B5 closing accepts nothing more and rests when all is settled`() async {
    var state = make()
    _ = state.link(.connected)
    _ = state.accept("c") { number, _ in number }
    _ = state.close()
    #expect(state.accept("c") { number, _ in number }.outcome == .closed)
    #expect(packed(&state) == [1])
    var isResting = false
    if case .answered(_) = state.waitForRest(1, { _ in }) { isResting = true }
    #expect(!isResting)
    let id = state.send(parcel())
    #expect(state.packed(refused: 0).rest.isEmpty)
    #expect(state.settle(id, nil).effects.rest.count == 1)
  }

  @Test func `B3 messages are counted once, whatever happens to them`() {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed)
    var state = make(true, buffer: 50, window: 5, batch: 3)
    var flying: [UInt64] = []
    var handedIn: UInt64 = 0
    for _ in 0..<100_000 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0, 1, 2:
        handedIn += 1
        _ = state.accept("c") { number, _ in number }
      case 3: _ = state.link(.connected)
      case 4 where Int.random(in: 0..<10, using: &generator) == 0: _ = state.link(.connecting(nil))
      case 5:
        guard let id = flying.randomElement(using: &generator) else { continue }
        let error: BridgeError? = [nil, nil, lost, full].randomElement(using: &generator) ?? nil
        if state.settle(id, error).parcel != nil { flying.removeAll { $0 == id } }
        _ = state.resume()
      default:
        if case .pack(let items) = state.next().step {
          flying.append(state.send(parcel(items.count)))
          _ = state.packed(refused: 0)
        }
      }
      #expect(state.inFlight == flying.count, "seed \(seed)")
      #expect(state.inFlight <= 5, "seed \(seed)")
    }
    _ = state.link(.connected)
    _ = state.resume()
    while state.inFlight > 0 || state.pending > 0 {
      flying.removeAll { state.settle($0, nil).parcel != nil }
      _ = state.resume()
      if case .pack(let items) = state.next().step {
        flying.append(state.send(parcel(items.count)))
        _ = state.packed(refused: 0)
      }
    }
    let arrivals = state.arrivals
    #expect(arrivals.accepted == handedIn, "seed \(seed)")
    #expect(
      handedIn == arrivals.dropped + state.counters.confirmed + state.counters.refused,
      "seed \(seed)")
  }
}
