/// What came of adding a target.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct MulticastAddition: Sendable, Hashable {
  /// The ways in which adding can end.
  public enum Outcome: Sendable, Hashable {
    /// The target is on the list now, where it was asked for.
    case added

    /// The target was on the list before. It keeps its place, and nothing else changed.
    case alreadyThere

    /// The target is on the list now, behind all others: the one it was to stand beside is not there.
    case appendedWithoutAnchor

    /// Nothing changed, for this reason; it was reported as well.
    case refused(Refusal)
  }

  /// Why a target was not taken.
  public enum Refusal: Sendable, Hashable {
    /// It is the multicast itself.
    case itself

    /// It is a multicast that reaches this one, so that a call would never end.
    case cycle

    /// It is being deinitialised.
    case dying

    /// It is a value; only objects can be held weakly.
    case notAnObject
  }

  /// How it ended.
  public let outcome: Outcome

  /// Takes the target out again.
  ///
  /// For a target that was there before it is the token of that time; for a refused one it does nothing.
  public let registration: Registration

  /// Whether the target is on the list.
  public var isOnList: Bool {
    if case .refused = outcome { false } else { true }
  }
}

extension MulticastAddition: CustomStringConvertible {
  /// What came of it in a few words, as `added, made at App/Screen.swift:12`.
  ///
  /// - Complexity: as `Registration.isActive`.
  public var description: String {
    switch outcome {
    case .added: "added, \(registration)"
    case .alreadyThere: "already there, \(registration)"
    case .appendedWithoutAnchor:
      "added behind all others, as the one it was to stand beside is not there, \(registration)"
    case .refused(.itself): "refused: it is the multicast itself"
    case .refused(.cycle): "refused: it reaches the multicast, and a call would never end"
    case .refused(.dying): "refused: it is being deinitialised"
    case .refused(.notAnObject): "refused: it is a value, and only objects can be held weakly"
    }
  }
}
