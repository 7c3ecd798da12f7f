import Synchronization

/// What things cost when written by hand, to read the other figures against.
let floorCases: [Case] =
  [1, 10, 100, 1_000].flatMap { count in
    [
      Case("floors", "closures", "\(count)", Floor.closures(count)),
      Case("floors", "weak boxes", "\(count)", Floor.weakBoxes(count)),
    ]
  }
  + [
    Case("floors", "Mutex + dictionary", "1000", Floor.lockedDictionary(1_000)),
    Case("floors", "frozen table", "1000", Floor.frozenTable(1_000)),
    Case("floors", "Mutex") {
      let counter = Mutex(0)
      return { turns in for _ in 0..<turns { counter.withLock { $0 &+= 1 } } }
    },
    Case("floors", "atomic load") {
      let shared = Shared()
      return { turns in
        for _ in 0..<turns { consume(shared.number.load(ordering: .acquiring)) }
      }
    },
    Case("floors", "Mutex, shared", "2 threads", threads: 2) {
      let counter = Shared()
      return { turns in for _ in 0..<turns { counter.value.withLock { $0 &+= 1 } } }
    },
  ]

private final class Shared: Sendable {
  let value = Mutex(0)
  let number = Atomic(1)
}
