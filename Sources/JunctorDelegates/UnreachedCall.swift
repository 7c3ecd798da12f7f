public import JunctorCore

/// A call to a multicast that no target answered.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct UnreachedCall: Sendable, Hashable {
  /// The multicast's label.
  public let multicast: String

  /// The method that was called, as `#function` gives it.
  public let method: String

  /// Where the multicast was made.
  public let site: SourceSite
}
