internal import Synchronization

/// Numbers that are never given twice in one process.
package enum Identifier {
  private static let last = Atomic<UInt64>(0)

  /// The next number, from 1. At one per nanosecond they last 584 years; the order keys made of them (`OrderKey`) use
  /// 48 bits for the number and last nine years at a million a second.
  package static func next() -> UInt64 {
    // Relaxed: the number alone is the promise, nothing else is published with it.
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
