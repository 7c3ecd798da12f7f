extension Duration {
  /// The duration in the unit that suits it, with one decimal, as `9.1 µs`; nothing below zero.
  package var brief: String {
    let nanoseconds = max(0, nanoseconds)
    let units: [(Int64, String)] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")]
    for (size, name) in units where nanoseconds >= size {
      let tenths = nanoseconds / (size / 10)
      return "\(tenths / 10).\(tenths % 10) \(name)"
    }
    return "\(nanoseconds) ns"
  }

  /// The duration in whole nanoseconds, clamped to what 64 bits hold.
  package var nanoseconds: Int64 {
    // Compared first: what is too long has no components either.
    if self >= .nanoseconds(Int64.max) { return .max }
    if self <= .nanoseconds(Int64.min) { return .min }
    return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
