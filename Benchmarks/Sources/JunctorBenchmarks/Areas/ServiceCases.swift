import Dispatch
import Junctor
import Synchronization

/// Looking services up, compared with a dictionary behind a lock.
let serviceCases: [Case] =
  [1, 10, 100, 1_000, 10_000, 100_000].map { count in
    Case(
      "services", "cached hit, registrations", "\(count)",
      baseline: Baseline(name: "Mutex + dictionary", work: Floor.lockedDictionary(count)),
      must: [.nanoseconds(40), .allocations(0)]
    ) {
      let services = filled(with: count)
      return { turns in for _ in 0..<turns { consume(services[(any Greeter).self]) } }
    }
  }
  + [1, 3, 8, 32].map { depth in
    Case(
      "services", "cached hit, sets up", "\(depth)",
      baseline: Baseline(name: "Mutex + dictionary", work: Floor.lockedDictionary(1_000)),
      must: depth == 3 ? [.nanoseconds(60), .allocations(0)] : [.allocations(0)]
    ) {
      let services = (0..<depth).reduce(filled(with: 1)) { Services("child \($1)", alternate: $0) }
      return { turns in for _ in 0..<turns { consume(services[(any Greeter).self]) } }
    }
  }
  + [
    Case(
      "services", "nobody provides it", "1000",
      baseline: Baseline(name: "Mutex + dictionary", work: Floor.lockedDictionary(1_000)),
      must: [.nanoseconds(15), .allocations(0)]
    ) {
      let services = filled(with: 1_000)
      return { turns in
        var misses = 0
        for _ in 0..<turns where services[(any Missing).self] == nil { misses += 1 }
        consume(misses)
      }
    },
    // What the look-up itself takes: where the type may be anything, most of the time goes into letting go of the nil.
    Case(
      "services", "nobody provides it, class-bound", "1000",
      must: [.nanoseconds(15), .allocations(0)]
    ) {
      let services = filled(with: 1_000)
      return { turns in
        var misses = 0
        for _ in 0..<turns where services[(any MissingObject).self] == nil { misses += 1 }
        consume(misses)
      }
    },
    Case(
      "services", "require, cached", must: [.nanoseconds(40), .allocations(0)]
    ) {
      let services = filled(with: 1)
      return { turns in
        for _ in 0..<turns { do { consume(try services.require((any Greeter).self)) } catch {} }
      }
    },
    Case("services", "cached hit by name", must: [.allocations(0)]) {
      let services = Services("named")
      let name: ServiceName = "archive"
      services.set((any Greeter).self, name: name, to: English())
      return { turns in for _ in 0..<turns { consume(services[(any Greeter).self, name: name]) } }
    },
    Case(
      "services", "transient",
      baseline: provider, must: [.over(60)]
    ) {
      let services = Services("transient")
      services.provide((any Greeter).self, lifetime: .transient) { _ in English() }
      return { turns in for _ in 0..<turns { consume(services[(any Greeter).self]) } }
    },
    Case(
      "services", "transient by name", baseline: provider, must: [.over(60)]
    ) {
      let services = Services("transient")
      let name: ServiceName = "draft"
      services.provide((any Greeter).self, name: name, lifetime: .transient) { _ in English() }
      return { turns in for _ in 0..<turns { consume(services[(any Greeter).self, name: name]) } }
    },
    Case(
      "services", "transient inside a provider", baseline: provider, must: [.over(60)]
    ) {
      { turns in
        let services = Services("transient")
        services.provide((any Greeter).self, lifetime: .transient) { _ in English() }
        services.provide(Int.self) { services in
          for _ in 0..<turns { consume(services[(any Greeter).self]) }
          return turns
        }
        consume(services[Int.self])
      }
    },
    Case(
      "services", "transient inside a provider, by name", baseline: provider, must: [.over(60)]
    ) {
      { turns in
        let services = Services("transient")
        let name: ServiceName = "draft"
        services.provide((any Greeter).self, name: name, lifetime: .transient) { _ in English() }
        services.provide(Int.self) { services in
          for _ in 0..<turns { consume(services[(any Greeter).self, name: name]) }
          return turns
        }
        consume(services[Int.self])
      }
    },
    Case("services", "provide, build, drop the set") {
      { turns in
        for _ in 0..<turns {
          let services = Services("short-lived")
          services.provide((any Greeter).self) { _ in English() }
          consume(services[(any Greeter).self])
        }
      }
    },
    Case("services", "new empty child set", must: [.nanoseconds(200)]) {
      let parent = filled(with: 1)
      return { turns in for _ in 0..<turns { consume(Services("child", alternate: parent)) } }
    },
    // Each hit retains what it hands out, and that count is the one thing that both threads write. The floor does the same,
    // and something of its own between, as a look-up does: how often the count moves from one processor to the other
    // depends on that.
    Case(
      "services", "cached hit on one set, the same object", "2 threads",
      baseline: Baseline(
        name: "look for nothing, retain and release", work: sharedObject(threads: 2)),
      must: [.ratio(1.5)], threads: 2
    ) {
      let services = filled(with: 1)
      return { turns in for _ in 0..<turns { consume(services[(any Greeter).self]) } }
    },
    // A hit writes nothing else that is shared: with an object for each thread, two do at least 1.5 times as much.
    Case(
      "services", "cached hit on one set, different objects", "2 threads", threads: 2,
      must: [.ratio(0.67)], eachToItsOwn),
    Case("services", "cached hit while an asynchronous provider runs", must: [.allocations(0)]) {
      let services = filled(with: 1)
      let running = RunningProvider(in: services)
      return { turns in
        for _ in 0..<turns { consume(services[(any Greeter).self]) }
        withExtendedLifetime(running) {}
      }
    },
    Case("services", bytesOf: "empty child set", count: 1_000_000, must: [.bytes(256)]) { count in
      let parent = filled(with: 1)
      return { (0..<count).map { _ in Services("child", alternate: parent) } }
    },
    Case("services", bytesOf: "child set that came and went", count: 1_000_000, must: [.bytes(1)]) {
      count in
      let parent = filled(with: 1)
      return {
        for _ in 0..<count { consume(Services("child", alternate: parent)) }
        return parent
      }
    },
    Case("services", bytesOf: "service, set by name", count: 1_000_000) { count in
      let services = Services("many")
      let english = English()
      return {
        for index in 0..<count {
          services.set((any Greeter).self, name: ServiceName("\(index)"), to: english)
        }
        return services
      }
    },
  ]

/// What a transient costs at least.
private let provider = Baseline(
  name: "the provider",
  work: .loop {
    let provider: @Sendable (Services) throws -> (any Greeter)? = { _ in English() }
    let services = Services("direct")
    return { turns in for _ in 0..<turns { consume(try? provider(services)) } }
  })

/// What several threads that are given one object write in any case: its count. Between, they look for what nobody has, which
/// writes nothing that is shared.
private func sharedObject(threads: Int) -> Work {
  .threads(threads) {
    let (shelf, services) = (Shelf(), filled(with: 1))
    return { turns in
      for _ in 0..<turns {
        consume(services[(any Missing).self])
        consume(shelf.take())
      }
    }
  }
}

/// A loop in which each of two threads asks one set for another object than its neighbour.
private func eachToItsOwn() -> SharedOperation {
  let services = filled(with: 1_000)
  services.set((any Left).self, to: Distant())
  services.set((any Right).self, to: Distant())
  let calls = Atomic<Int>(0)
  return { turns in
    if calls.wrappingAdd(1, ordering: .relaxed).newValue.isMultiple(of: 2) {
      for _ in 0..<turns { consume(services[(any Left).self]) }
    } else {
      for _ in 0..<turns { consume(services[(any Right).self]) }
    }
  }
}

/// A provider that runs for as long as this lives.
private final class RunningProvider: Sendable {
  private let hasEnded = DispatchSemaphore(value: 0)
  private let asker: Task<Void, Never>

  init(in services: Services) {
    let (hasBegun, hasEnded) = (DispatchSemaphore(value: 0), hasEnded)
    services.provide(String.self) { _ in
      defer { hasEnded.signal() }
      hasBegun.signal()
      try await Task.sleep(for: .seconds(86_400))
      return nil
    }
    asker = Task { _ = try? await services.resolve(String.self) }
    hasBegun.wait()
  }

  deinit {
    asker.cancel()
    hasEnded.wait()
  }
}

/// Hands an object out as a hand-written table would.
private final class Shelf: Sendable {
  private let greeter: any Greeter = English()

  // Optimised, it would lend the object to a caller that can be seen not to keep it.
  @inline(never)
  @_optimize(none)
  func take() -> (any Greeter)? { greeter }
}

private protocol Left: AnyObject, Sendable {}
private protocol Right: AnyObject, Sendable {}

/// An object that shares its cache lines with no other of its kind.
private final class Distant: Left, Right {
  private let room = SIMD16<Int64>(repeating: 0)
}

/// A service as a user would declare it.
private protocol Greeter: AnyObject, Sendable {
  /// A greeting.
  var greeting: String { get }
}

private protocol Missing: Sendable {}
private protocol MissingObject: AnyObject, Sendable {}

private final class English: Greeter {
  let greeting = "hello"
}

/// One of two types made of another: so many of them that the set has to find its way.
private enum Zero<Rest>: Sendable {}
private enum One<Rest>: Sendable {}

/// A number under a type of its own.
private struct Filler<Key>: Sendable {
  let number: Int
}

private func filled(with count: Int) -> Services {
  let services = Services("bench")
  services.set((any Greeter).self, to: English())
  var left = count - 1
  func fill<Key>(_ key: Key.Type, _ depth: Int) {
    guard left > 0 else { return }
    guard depth > 0 else {
      left -= 1
      return services.set(Filler<Key>.self, to: Filler<Key>(number: left))
    }
    fill(Zero<Key>.self, depth - 1)
    fill(One<Key>.self, depth - 1)
  }
  fill(Never.self, 10)
  return services
}
