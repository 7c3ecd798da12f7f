import JunctorCore
import JunctorTesting
import Synchronization
import Testing

@testable import JunctorServices

/// What providers made, and how often each was closed.
private final class Works: Sendable {
  private let made = Mutex<[Work]>([])

  func make(isKept: Bool = true) -> Work {
    let work = Work(isKept: isKept)
    made.withLock { $0.append(work) }
    return work
  }

  /// What was closed twice, or not at all though a set had kept it, or though none had.
  var wrong: [Work] { made.withLock { $0 }.filter { $0.closings.value != ($0.isKept ? 1 : 0) } }
}

private final class Work: Alpha, Beta, Gamma, ServiceClosing {
  let isKept: Bool
  let closings = Counter()
  var label: String { "work" }

  init(isKept: Bool) { self.isKept = isKept }

  func close() async throws { closings.next() }
}

@Suite(.serialized) struct ClosingStressTests {
  /// Registers some of everything.
  private func fill(_ app: Services, _ works: Works) {
    app.provide((any Alpha).self) { services in
      _ = try services.require((any Beta).self)
      return works.make()
    }
    let runs = Counter()
    app.provide((any Beta).self) { _ in
      if runs.next().isMultiple(of: 2) { throw Trouble() }
      return works.make()
    }
    app.provide((any Gamma).self) { services in
      _ = try? await services.resolve((any Gamma).self, name: "inner")
      await Task.yield()
      try Task.checkCancellation()
      return works.make()
    }
    app.provide((any Gamma).self, name: "inner") { _ in
      await Task.yield()
      return works.make()
    }
    app.provide((any Alpha).self, name: "scoped", lifetime: .scoped("request")) { _ in works.make()
    }
    app.provide((any Beta).self, argument: Int.self, lifetime: .cached) { _, _ in works.make() }
    app.provide((any Gamma).self, name: "transient", lifetime: .transient) { _ in
      works.make(isKept: false)
    }
    for _ in 0..<2 { app.contribute((any Alpha).self) { _ in works.make() } }
  }

  private func ask(_ set: Services, _ random: inout SplitMix, _ works: Works) async -> Bool {
    let wasClosed = set.isClosed
    do {
      switch random.next(below: 9) {
      case 0: _ = try set.require((any Alpha).self)
      case 1: _ = try set.require((any Beta).self)
      case 2: _ = try await set.resolve((any Gamma).self)
      case 3: _ = try set.require((any Alpha).self, name: "scoped")
      case 4: _ = try set.require((any Beta).self, argument: random.next(below: 3))
      case 5: _ = try set.require((any Gamma).self, name: "transient")
      case 6: _ = try set.all((any Alpha).self)
      case 7: _ = try await set.resolve((any Alpha).self)
      default:
        set.override((any Beta).self) { _ in works.make() }
        return true
      }
      return !wasClosed
    } catch {
      return true
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `S14 a set that closes while tasks use it closes what it made once, and nothing else`()
    async throws
  {
    let seed = UInt64.random(in: .min ... .max)
    print("ClosingStressTests seed: \(seed)")
    var random = SplitMix(seed: seed)
    for round in 0..<300 {
      let works = Works()
      let app = Services("app")
      let request = Services("request", alternate: app, scope: "request")
      fill(app, works)
      let seeds = (0..<5).map { _ in random.next() }
      let isOrdered = random.next(below: 2) == 0
      let tasks = seeds.map { seed in
        Task {
          var random = SplitMix(seed: seed)
          var isRight = true
          await Junctor.withDiagnostics({ _ in }) {
            for _ in 0..<8 {
              let set = random.next(below: 3) == 0 ? app : request
              isRight = await self.ask(set, &random, works) && isRight
            }
          }
          return isRight
        }
      }
      for _ in 0..<random.next(below: 40) { await Task.yield() }
      if random.next(below: 2) == 0 { tasks[0].cancel() }
      if isOrdered {
        try await request.close()
        try await app.close()
      } else {
        async let first: Void = app.close()
        async let second: Void = request.close()
        _ = try await (first, second)
      }
      for task in tasks {
        if await !task.value {
          Issue.record("seed \(seed), round \(round): an object after closing")
        }
      }
      if !works.wrong.isEmpty {
        let counts = works.wrong.map { "\($0.closings.value)" }.joined(separator: ", ")
        Issue.record("seed \(seed), round \(round): closed \(counts) times")
        return
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `S14 a set that closes in its last user's deinit closes what it made`() async throws {
    for _ in 0..<100 {
      let works = Works()
      let closed = AsyncGate()
      do {
        let set = Services("set")
        fill(set, works)
        let owner = Thing {
          Task {
            try? await set.close()
            await closed.open()
          }
        }
        async let first = set.resolve((any Gamma).self)
        _ = try? set.require((any Alpha).self)
        _ = try? await first
        withExtendedLifetime(owner) {}
      }
      await closed.wait()
      #expect(works.wrong.isEmpty)
    }
  }
}
