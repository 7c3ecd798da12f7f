import JunctorCore
import JunctorTesting
import Synchronization
import Testing

@testable import JunctorHandover

/// What a random test can do with every kind of receiver.
private protocol Subject: DataReceiver where Model == Int {
  init()
  var isReady: Bool { get set }
  var prepared: [Int?] { get }
}

/// The same, with results.
private protocol Provider: Subject, ResultProvider where Result == Int {}

/// Keeps nothing itself: the table does.
private final class TableSubject: Subject {
  var isReady = false
  var prepared: [Int?] = []
  func prepare(with model: Int?) { prepared.append(model) }
}

private final class LatestSubject: Provider {
  typealias Result = Int
  let handoverSlot = HandoverSlot<Int>()
  var isReady = false
  var prepared: [Int?] = []
  func prepare(with model: Int?) { prepared.append(model) }
}

private final class AllSubject: Provider {
  typealias Result = Int
  static var handoverPolicy: HandoverPolicy { .all }
  let handoverSlot = HandoverSlot<Int>()
  var isReady = false
  var prepared: [Int?] = []
  func prepare(with model: Int?) { prepared.append(model) }
}

private final class SharedSubject: Provider {
  typealias Result = Int
  let slot = SharedHandoverSlot<Int>()
  var handoverSlot: HandoverSlot<Int> { slot.base }
  var isReady = false
  var prepared: [Int?] = []
  func prepare(with model: Int?) { prepared.append(model) }
}

/// Told how requests end.
private final class Ends {
  var outcomes: [Int: [HandoverOutcome<Int>]] = [:]
}

/// The plain reference: what a receiver should have done.
private struct Reference {
  let isLatest: Bool
  var isReady = false
  var model: Int?
  var prepared: [Int?] = []
  var pending: [(model: Int?, request: Int?)] = []
  var open: [(request: Int, isDelivered: Bool)] = []
  var expected: [Int: HandoverOutcome<Int>] = [:]
  var reports = 0

  mutating func handOver(_ value: Int?, _ request: Int?) {
    if let request { open.append((request, false)) }
    model = value
    if isReady, pending.isEmpty { return deliver(value, request) }
    if isLatest {
      for old in pending { if let request = old.request { cancel(request) } }
      pending = []
    }
    pending.append((value, request))
    if isReady { drain() }
  }

  mutating func drain() {
    let waiting = pending
    pending = []
    for handover in waiting { deliver(handover.model, handover.request) }
  }

  mutating func deliver(_ value: Int?, _ request: Int?) {
    model = value
    prepared.append(value)
    if let index = open.firstIndex(where: { $0.request == request }) {
      open[index].isDelivered = true
    }
  }

  mutating func end(_ request: Int, _ outcome: HandoverOutcome<Int>) {
    guard let index = open.firstIndex(where: { $0.request == request }) else {
      reports += 1
      return
    }
    open.remove(at: index)
    expected[request] = outcome
  }

  mutating func cancel(_ request: Int) {
    if open.contains(where: { $0.request == request }) { end(request, .cancelled) }
  }

  mutating func die() {
    for request in open.map(\.request) { cancel(request) }
    reports += pending.count
  }
}

/// One receiver with its reference, and the requests made to it.
private struct Pair {
  var receiver: (any Subject)?
  var reference: Reference
  var requests: [Int: HandoverRequest<Int>] = [:]
  var isTable = false

  mutating func step(_ number: Int, _ ends: Ends, _ generator: inout some RandomNumberGenerator) {
    guard let receiver else { return }
    step(receiver, number, ends, &generator)
  }

  private mutating func step<Receiver: Subject>(
    _ receiver: Receiver, _ number: Int, _ ends: Ends,
    _ generator: inout some RandomNumberGenerator
  ) {
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<25:
      let value = Bool.random(using: &generator) ? number : nil
      reference.handOver(value, nil)
      receiver.handOver(value)
    case 25..<35:
      reference.drain()
      receiver.becomeReady()
    case 35..<45:
      reference.isReady = Bool.random(using: &generator)
      receiver.isReady = reference.isReady
    case 45..<47:
      receiver.model = number
      reference.model = number
    case 47..<49:
      reference.die()
      self.receiver = nil
    default:
      if let provider = receiver as? any Provider { ask(provider, number, ends, &generator) }
    }
  }

  private mutating func ask<Receiver: Provider>(
    _ receiver: Receiver, _ number: Int, _ ends: Ends,
    _ generator: inout some RandomNumberGenerator
  ) {
    switch Int.random(in: 0..<51, using: &generator) {
    case 0..<25:
      reference.handOver(number, number)
      requests[number] = receiver.request(number, for: ends) { ends, outcome in
        ends.outcomes[number, default: []].append(outcome)
      }
    case 25..<35:
      if let newest = reference.open.last(where: \.isDelivered) {
        reference.end(newest.request, .value(number))
        #expect(receiver.giveBack(number))
      } else {
        // Where nobody ever asked it is no misuse.
        if !requests.isEmpty { reference.reports += 1 }
        #expect(!receiver.giveBack(number))
      }
    case 35..<43:
      guard let (asked, request) = requests.randomElement(using: &generator) else { return }
      let isOpen = reference.open.contains { $0.request == asked }
      reference.end(asked, .value(number))
      #expect(receiver.giveBack(number, to: request.id) == isOpen)
    case 43..<49:
      guard let (asked, request) = requests.randomElement(using: &generator) else { return }
      reference.cancel(asked)
      request.cancel()
    default:
      for request in reference.open.map(\.request) { reference.cancel(request) }
      receiver.cancelRequests()
    }
  }

  func check(_ ends: Ends) {
    for (request, outcome) in reference.expected { #expect(ends.outcomes[request] == [outcome]) }
    for open in reference.open where receiver != nil { #expect(ends.outcomes[open.request] == nil) }
    guard let receiver else { return }
    #expect(receiver.prepared == reference.prepared)
    #expect(receiver.model == reference.model)
    #expect(receiver.pendingHandovers == reference.pending.count)
    if let provider = receiver as? any Provider {
      #expect(openCount(provider) == reference.open.count)
    }
  }

  private func openCount<Receiver: Provider>(_ provider: Receiver) -> Int {
    provider.openRequests.count
  }
}

@Suite struct `Handover against a plain reference` {
  @Test(arguments: 0..<4)
  func `H3 H6 H10 a hundred thousand random steps agree with the reference`(round: Int) {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed: seed)
    let reports = Mutex(0)
    var expectedReports = 0
    let ends = Ends()
    // What the table lost is reported when it is cleared away, which others may do first, and elsewhere.
    let ours: @Sendable (Diagnostic) -> Void = { report in
      if !report.message.contains("'TableSubject'") { reports.withLock { $0 += 1 } }
    }
    Junctor.withDiagnostics(ours) {
      var pairs: [Pair] = []
      for number in 0..<25_000 {
        if pairs.count < 8, Int.random(in: 0..<10, using: &generator) == 0 || pairs.isEmpty {
          pairs.append(make(&generator))
        }
        let index = Int.random(in: pairs.indices, using: &generator)
        pairs[index].step(number, ends, &generator)
        // Checking takes longer than stepping; a receiver that dies is checked at its end.
        if pairs[index].receiver == nil || number % 64 == 0 { pairs[index].check(ends) }
        if pairs[index].receiver == nil {
          if !pairs[index].isTable { expectedReports += pairs[index].reference.reports }
          for request in pairs[index].reference.expected.keys { ends.outcomes[request] = nil }
          pairs.remove(at: index)
        }
      }
      for index in pairs.indices {
        pairs[index].check(ends)
        pairs[index].reference.die()
        pairs[index].receiver = nil
        pairs[index].check(ends)
        if !pairs[index].isTable { expectedReports += pairs[index].reference.reports }
      }
      HandoverTable.sweep()
    }
    #expect(reports.withLock { $0 } == expectedReports)
    if reports.withLock({ $0 }) != expectedReports { print("seed \(seed)") }
  }

  private func make(_ generator: inout SplitMix) -> Pair {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: Pair(receiver: LatestSubject(), reference: Reference(isLatest: true))
    case 2: Pair(receiver: TableSubject(), reference: Reference(isLatest: true), isTable: true)
    case 1: Pair(receiver: AllSubject(), reference: Reference(isLatest: false))
    default: Pair(receiver: SharedSubject(), reference: Reference(isLatest: true))
    }
  }
}
