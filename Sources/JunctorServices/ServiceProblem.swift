public import JunctorCore

/// One thing that is wrong with a set, found without running a provider.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct ServiceProblem: Sendable, Hashable {
  /// What kind of problem it is. Codes are compared; texts are read.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String {
      case missing, duplicate, ambiguous, cycle, captive, unused
    }

    private let value: Value

    /// A service needs another that nobody provides.
    public static let missing = Code(value: .missing)
    /// Two providers were registered under the same key in one set.
    public static let duplicate = Code(value: .duplicate)
    /// A service needs another without a name, and there are only named ones to choose from.
    public static let ambiguous = Code(value: .ambiguous)
    /// Services need each other.
    public static let cycle = Code(value: .cycle)
    /// A cached service holds one that lives shorter.
    public static let captive = Code(value: .captive)
    /// Nothing that was named as a root needs the service.
    public static let unused = Code(value: .unused)

    /// The code's name.
    public var description: String { value.rawValue }
  }

  /// What kind of problem it is.
  public let code: Code

  /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
  public let message: String

  /// The service that is concerned.
  public let key: ServiceKey

  /// Where it was registered, and other places that belong to it.
  public let sites: [SourceSite]
}

extension ServiceProblem: CustomStringConvertible {
  /// The sentence, followed by its places.
  public var description: String {
    message + " [" + sites.map(\.description).joined(separator: ", ") + "]"
  }
}
