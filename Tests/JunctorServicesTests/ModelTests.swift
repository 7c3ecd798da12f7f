import JunctorCore
import JunctorTesting
import Testing

@testable import JunctorServices

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

private enum First: Sendable {}
private enum Second: Sendable {}
private enum Third: Sendable {}
private enum Fourth: Sendable {}

@Suite(.serialized) struct ModelTests {
  /// The seed, to be repeated by `JUNCTOR_SEED=…`.
  private func seed(_ name: String) -> UInt64 {
    // SAFETY: nothing in the tests changes the environment.
    let given = unsafe getenv("JUNCTOR_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
    let seed = given ?? .random(in: .min ... .max)
    print("ModelTests, \(name): JUNCTOR_SEED=\(seed)")
    return seed
  }

  @Test func `S18 50 000 random steps do what the plain model does`() async {
    let seed = seed("alone")
    var random = SplitMix(seed: seed)
    for round in 0..<20 {
      let driver = ModelDriver<First>([], count: 6, seed: random.next())
      await driver.run(2_500)
      await driver.closeOwn(round.isMultiple(of: 2) ? Array(0..<6) : (0..<6).reversed())
      if let failure = await driver.failure {
        Issue.record("JUNCTOR_SEED=\(seed), round \(round), \(failure)")
        return
      }
    }
  }

  @Test func `S18 four tasks that share sets do each what its model does, 50 000 steps`() async {
    let seed = seed("together")
    var random = SplitMix(seed: seed)
    for round in 0..<5 {
      let shared = (0..<4).map { ModelDriver<First>.make($0) }
      for index in 1..<4 { shared[index].alternateServices = shared[index - 1] }
      let drivers: [any ModelDriving] = [
        ModelDriver<First>(shared, count: 6, seed: random.next()),
        ModelDriver<Second>(shared, count: 6, seed: random.next()),
        ModelDriver<Third>(shared, count: 6, seed: random.next()),
        ModelDriver<Fourth>(shared, count: 6, seed: random.next()),
      ]
      await withTaskGroup { group in
        for driver in drivers {
          group.addTask {
            await driver.run(2_500)
            await driver.closeOwn([5, 4])
          }
        }
      }
      for index in shared.indices.reversed() {
        do { try await shared[index].close() } catch { Issue.record("\(error)") }
        for driver in drivers where await driver.failure == nil {
          await driver.compareClosed(index)
        }
      }
      var failures: [String] = []
      for driver in drivers { if let failure = await driver.failure { failures.append(failure) } }
      if let failure = failures.first {
        Issue.record("JUNCTOR_SEED=\(seed), round \(round), \(failure)")
        return
      }
    }
  }
}
