import Junctor

/// What JunctorCore shows to the outside.
let coreCases: [Case] = [
  Case("core", "source site", must: [.allocations(0), .nanoseconds(5)]) {
    { turns in for _ in 0..<turns { consume(SourceSite()) } }
  },
  Case("core", "read the diagnostics handler") {
    { turns in for _ in 0..<turns { consume(Junctor.diagnostics) } }
  },
  Case("core", "wiring snapshot, nothing joined") {
    { turns in for _ in 0..<turns { consume(Wiring.snapshot()) } }
  },
]
