/// What happens to several handovers that wait for a receiver to become ready.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct HandoverPolicy: Sendable, Hashable, CustomStringConvertible {
  private enum Kind { case latest, all }
  private let kind: Kind

  /// The receiver is prepared with the latest only. A request that came with a replaced one ends as cancelled.
  public static let latest = HandoverPolicy(kind: .latest)

  /// The receiver is prepared with every one, in the order in which they were handed over.
  public static let all = HandoverPolicy(kind: .all)

  /// The policy's name.
  public var description: String {
    switch kind {
    case .latest: "latest"
    case .all: "all"
    }
  }
}
