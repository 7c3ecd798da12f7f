/// Why a wiring could not be read, rendered or written.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct WiringError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it is. Codes are compared; texts are read.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case unreadable, unwritable, truncated, foreign, newerVersion, damaged, unknownFormat
      case graphvizMissing, graphvizFailed, graphvizTimedOut
    }

    private let kind: Kind

    /// The file is missing, may not be read, or is no file.
    public static let unreadable = Code(kind: .unreadable)
    /// The file can't be written.
    public static let unwritable = Code(kind: .unwritable)
    /// The JSON ends before it is complete.
    public static let truncated = Code(kind: .truncated)
    /// It is something else: no JSON, or not Junctor's.
    public static let foreign = Code(kind: .foreign)
    /// A later version of Junctor wrote it.
    public static let newerVersion = Code(kind: .newerVersion)
    /// It is Junctor's, but does not fit together.
    public static let damaged = Code(kind: .damaged)
    /// The file's suffix stands for no format.
    public static let unknownFormat = Code(kind: .unknownFormat)
    /// Graphviz's program `dot` was not found.
    public static let graphvizMissing = Code(kind: .graphvizMissing)
    /// Graphviz's program `dot` ended with an error.
    public static let graphvizFailed = Code(kind: .graphvizFailed)
    /// Graphviz's program `dot` took too long and was ended.
    public static let graphvizTimedOut = Code(kind: .graphvizTimedOut)

    private init(kind: Kind) { self.kind = kind }

    /// The code's name.
    public var description: String { "wiring.\(kind.rawValue)" }
  }

  /// What kind of failure it is.
  public let code: Code

  /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
  public let message: String

  /// What the system, the decoder or Graphviz said, where one of them said something.
  public let cause: String?

  /// Puts an error together.
  init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The sentence.
  public var description: String { message }
}
