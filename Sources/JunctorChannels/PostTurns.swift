internal import CJunctorCore
internal import JunctorCore

/// Counts what waited for the end of a delivery because listeners posted during it, and finds out when that has no end.
///
/// Such posts need no stack, so that none is refused: a circle is reported, once, and goes on.
struct PostTurns {
  /// How many posts may come of one.
  static let limit = 200_000
  /// How many places of the last ones are told.
  private static let told = 16

  private var count = 0
  private var sites: [SourceSite] = []

  /// Notes one more. Returns the places of the last ones where there are so many that it must be a circle.
  ///
  /// - Complexity: O(1).
  mutating func note(_ site: SourceSite) -> [SourceSite]? {
    count += 1
    guard count > Self.limit - Self.told, count <= Self.limit else { return nil }
    sites.append(site)
    return count == Self.limit ? sites : nil
  }

  /// Tells this thread from all others that live.
  static var thread: UInt { unsafe UInt(bitPattern: junctor_thread_record()) }

  /// Reports a circle, once it was found.
  static func report(_ name: String, _ sites: [SourceSite]) {
    Junctor.report(
      Diagnostic(
        .endlessPosts,
        "Can't finish a post on '\(shown(name))': its listeners have made \(limit) more, which "
          + "waited for one another, and go on. Break the circle: post only what has changed.",
        sites: sites))
  }
}
