public import JunctorCore

/// Why something could not be handed over. Nothing was changed by it.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct HandoverError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it was. Codes are compared; texts are read.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String { case noReceiver, mismatch, ambiguous, otherIsolation }
    private let kind: Kind

    /// There is no receiver in what was given.
    public static let noReceiver = Code(kind: .noReceiver)
    /// There are receivers, and none takes a model of this type.
    public static let mismatch = Code(kind: .mismatch)
    /// There is more than one receiver that takes it.
    public static let ambiguous = Code(kind: .ambiguous)
    /// The receiver belongs to an actor that the caller is not on.
    public static let otherIsolation = Code(kind: .otherIsolation)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// What kind of failure it was.
  public let code: Code

  /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
  public let message: String

  /// The type of what was given.
  public let given: String

  /// The receivers in question, each as its type and what it takes, breadth first.
  public let receivers: [String]

  /// Where it was to be handed over.
  public let site: SourceSite

  /// The sentence, followed by its place.
  public var description: String { "\(message) [\(site)]" }
}
