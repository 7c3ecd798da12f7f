/// An entry's place in its list: higher priority first, then the earlier rank.
///
/// Ranks are made of numbers that are never given twice, with gaps between them, so that an entry can be placed before
/// or after another. Ranks of different lists compare by registration as well.
@usableFromInline
package struct OrderKey: Sendable, Hashable, Comparable {
  /// Higher comes first.
  @usableFromInline package var priority: Int

  /// Lower comes first among equals.
  @usableFromInline package var rank: UInt64

  /// How far apart the ranks of two registrations are at least.
  package static let gap: UInt64 = 1 << 16

  /// The place of something registered now under a number.
  package init(priority: Int, id: UInt64) {
    self.priority = priority
    rank = id << 16
  }

  /// The place of something beside others.
  package init(priority: Int, rank: UInt64) {
    self.priority = priority
    self.rank = rank
  }

  /// Whether the left one is called before the right one.
  @usableFromInline
  package static func < (left: OrderKey, right: OrderKey) -> Bool {
    left.priority != right.priority ? left.priority > right.priority : left.rank < right.rank
  }
}
