/// Random numbers that a seed repeats (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014).
package struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Begins the numbers of a seed.
  package init(seed: UInt64) { state = seed }

  /// Returns the next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns the next number below a bound, which must be above zero.
  package mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
