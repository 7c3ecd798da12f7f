import Foundation
import JunctorCore
import JunctorHandover
import JunctorTesting
import Synchronization
import Testing

@testable import JunctorRestoration

/// What a random test can do with either kind of screen.
private protocol Screen: RestorableReceiver where Model == Int {
  init(_ key: String)
  var isReady: Bool { get set }
  var prepared: [Int?] { get }
}

extension Screen {
  static var restorationVersion: Int { 2 }

  /// Version 1 counted from a thousand less.
  static func upgrade(_ json: Data, from version: Int) throws -> Int? {
    let text = String(decoding: json, as: UTF8.self)
    return version == 1 ? Int(text).map { $0 + 1000 } : nil
  }
}

/// Keeps its slot itself and gives results back.
private final class KeptScreen: Screen, ResultProvider {
  typealias Result = Int
  let restorationKey: String
  let handoverSlot = HandoverSlot<Int>()
  var isReady = false
  var prepared: [Int?] = []
  init(_ key: String) { restorationKey = key }
  func prepare(with model: Int?) { prepared.append(model) }
}

/// Keeps nothing: the table does.
private final class TableScreen: Screen {
  let restorationKey: String
  var isReady = false
  var prepared: [Int?] = []
  init(_ key: String) { restorationKey = key }
  func prepare(with model: Int?) { prepared.append(model) }
}

/// Told how requests end.
private final class Ends {
  var outcomes: [Int: [HandoverOutcome<Int>]] = [:]
}

/// What one screen should have done.
private struct Reference {
  var wasHandedOver = false
  var isReady = false
  var model: Int?
  var prepared: [Int?] = []
  var pending: (model: Int?, request: Int?)?
  var open: [(request: Int, isDelivered: Bool)] = []
  /// Whether anybody ever asked: a result for nobody is a misuse only then.
  var wasAsked = false

  /// Returns the request that ends as cancelled, if one does.
  mutating func handOver(_ value: Int?, _ request: Int? = nil) -> Int? {
    if let request {
      open.append((request, false))
      wasAsked = true
    }
    wasHandedOver = true
    model = value
    let replaced = pending?.request
    pending = (value, request)
    if isReady { becomeReady() }
    if let replaced { open.removeAll { $0.request == replaced } }
    return replaced
  }

  mutating func becomeReady() {
    guard let waiting = pending else { return }
    pending = nil
    prepared.append(waiting.model)
    if let index = open.firstIndex(where: { $0.request == waiting.request }) {
      open[index].isDelivered = true
    }
  }
}

/// Screens, what they should have done, and what should be in the store.
private struct World {
  var screens: [String: any Screen] = [:]
  var references: [String: Reference] = [:]
  var stored: [String: (version: Int, model: Int?)] = [:]
  var expected: [Int: HandoverOutcome<Int>] = [:]
  var requests: [Int: (key: String, request: HandoverRequest<Int>)] = [:]
  var aside = 0
  var reports = 0
  let ends = Ends()

  mutating func die(_ key: String) {
    for open in references[key]?.open ?? [] { expected[open.request] = .cancelled }
    if screens[key] is KeptScreen, references[key]?.pending != nil { reports += 1 }
    references[key] = nil
    screens[key] = nil
  }

  /// What a commit of a program of version 2 does to the store.
  mutating func put(_ key: String) {
    guard let reference = references[key] else { return }
    if reference.wasHandedOver {
      if let old = stored[key], old.version > 2 { aside += 1 }
      stored[key] = (2, reference.model)
    } else {
      stored[key] = nil
    }
  }

  mutating func bringBack(_ key: String) -> Bool {
    guard let entry = stored[key], references[key] != nil else { return false }
    if entry.version > 2 {
      reports += 1
      return false
    }
    let model = entry.version == 1 ? entry.model.map { $0 + 1000 } : entry.model
    if let replaced = references[key]?.handOver(model) { expected[replaced] = .cancelled }
    return true
  }
}

@Suite struct `H7 against a plain reference` {
  @Test(arguments: [UInt64.random(in: .min ... .max), 1])
  func `H3 H6 H7 random steps through several processes agree with the reference`(seed: UInt64)
    throws
  {
    print("seed \(seed)")
    var random = SplitMix(seed: seed)
    let folder = try Folder()
    let reports = Mutex(0)
    // What the table lost is reported whenever it is cleared away.
    let ours: @Sendable (Diagnostic) -> Void = { report in
      if !report.message.contains("'TableScreen'") { reports.withLock { $0 += 1 } }
    }
    try Junctor.withDiagnostics(ours) {
      var world = World()
      for step in 0..<1_500 {
        try take(step, &world, folder.store, &random)
        if step % 16 == 0 { try check(world, folder.store, "seed \(seed), step \(step)") }
      }
      for key in world.screens.keys { world.die(key) }
      try check(world, folder.store, "seed \(seed), at the end")
      #expect(reports.withLock { $0 } == world.reports, "seed \(seed)")
    }
  }

  private func take(
    _ step: Int, _ world: inout World, _ store: RestorationStore, _ random: inout SplitMix
  ) throws {
    let key = "screen \(Int.random(in: 0..<5, using: &random))"
    guard let screen = world.screens[key] else {
      world.screens[key] =
        Bool.random(using: &random) ? KeptScreen(key) : TableScreen(key)
      world.references[key] = Reference()
      return
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4:
      let value = Int.random(in: 0..<4, using: &random) == 0 ? nil : step
      if let replaced = world.references[key]?.handOver(value) {
        world.expected[replaced] = .cancelled
      }
      handOver(value, to: screen)
    case 4..<6:
      let isReady = Bool.random(using: &random)
      world.references[key]?.isReady = isReady
      setReady(isReady, screen)
    case 6:
      world.references[key]?.becomeReady()
      becomeReady(screen)
    case 7..<11:
      if let screen = screen as? KeptScreen { ask(screen, key, step, &world, &random) }
    case 11:
      world.die(key)
    case 12, 13:
      world.put(key)
      try putAway(screen, store)
    case 14:
      var batch = RestorationBatch()
      for (key, screen) in world.screens {
        world.put(key)
        try add(screen, to: &batch)
      }
      try store.commit(batch)
    case 15, 16:
      let isThere = world.bringBack(key)
      #expect(try bringBack(screen, store) == isThere)
    case 17:
      // Another program's version, older or newer.
      let version = Bool.random(using: &random) ? 1 : 3
      if let old = world.stored[key], old.version > version { world.aside += 1 }
      world.stored[key] = (version, step)
      try store.put(step, forKey: key, version: version)
    case 18:
      world.stored[key] = nil
      try store.remove(key)
    default:
      // The process ends.
      for key in world.screens.keys { world.die(key) }
    }
  }

  private func ask(
    _ screen: KeptScreen, _ key: String, _ step: Int, _ world: inout World,
    _ random: inout SplitMix
  ) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0, 1:
      if let replaced = world.references[key]?.handOver(step, step) {
        world.expected[replaced] = .cancelled
      }
      let request = screen.request(step, for: world.ends) { ends, outcome in
        ends.outcomes[step, default: []].append(outcome)
      }
      world.requests[step] = (key, request)
    case 2:
      let newest = world.references[key]?.open.last(where: \.isDelivered)?.request
      if let newest {
        world.expected[newest] = .value(step)
        world.references[key]?.open.removeAll { $0.request == newest }
      } else if world.references[key]?.wasAsked == true {
        world.reports += 1
      }
      #expect(screen.giveBack(step) == (newest != nil))
    default:
      guard let (number, asked) = world.requests.randomElement(using: &random) else { return }
      let reference = world.references[asked.key]
      if reference?.open.contains(where: { $0.request == number }) == true {
        world.expected[number] = .cancelled
        world.references[asked.key]?.open.removeAll { $0.request == number }
      }
      asked.request.cancel()
    }
  }

  private func check(_ world: World, _ store: RestorationStore, _ place: String) throws {
    #expect(try store.keys() == world.stored.keys.sorted(), "\(place)")
    #expect(try store.keptAside().count == min(world.aside, 64), "\(place)")
    for (key, screen) in world.screens {
      guard let reference = world.references[key] else { continue }
      #expect(screen.prepared == reference.prepared, "\(place)")
      #expect(pending(screen) == (reference.pending == nil ? 0 : 1), "\(place)")
    }
    for (number, outcome) in world.expected {
      #expect(world.ends.outcomes[number] == [outcome], "\(place)")
    }
  }

  // Each opens the existential.
  private func handOver<S: Screen>(_ value: Int?, to screen: S) { screen.handOver(value) }
  private func becomeReady<S: Screen>(_ screen: S) { screen.becomeReady() }
  private func setReady<S: Screen>(_ isReady: Bool, _ screen: S) { screen.isReady = isReady }
  private func pending<S: Screen>(_ screen: S) -> Int { screen.pendingHandovers }
  private func putAway<S: Screen>(_ screen: S, _ store: RestorationStore) throws {
    try store.putAway(screen)
  }
  private func add<S: Screen>(_ screen: S, to batch: inout RestorationBatch) throws {
    try batch.putAway(screen)
  }
  private func bringBack<S: Screen>(_ screen: S, _ store: RestorationStore) throws -> Bool {
    try store.bringBack(into: screen)
  }
}
