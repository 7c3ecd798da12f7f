public import JunctorCore

/// Why a request got no answer.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct RequestError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is. Codes are compared; texts are read.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Name: Sendable, Hashable { case nobodyAnswered, timedOut, refused }

    private let name: Name

    /// Nobody was asked, or nobody of those who were has an answer.
    public static let nobodyAnswered = Code(name: .nobodyAnswered)
    /// The time was over while somebody could still have answered.
    public static let timedOut = Code(name: .timedOut)
    /// Somebody who was asked threw instead.
    public static let refused = Code(name: .refused)

    private init(name: Name) { self.name = name }

    /// The code's name.
    public var description: String { "\(name)" }
  }

  /// What kind of failure it is.
  public let code: Code

  /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
  public let message: String

  /// What the one who was asked threw.
  public let cause: (any Error)?

  /// Where it was asked.
  public let site: SourceSite

  /// The sentence and the place.
  public var description: String { "\(message) [\(site)]" }

  /// The error of a question that nobody can answer any more, or could from the start.
  static func nobodyAnswered(_ name: String, asked: Int, _ site: SourceSite) -> RequestError {
    let message =
      switch asked {
      case 0:
        "Can't get an answer to '\(shown(name))': nobody answers there. Register an answer on this "
          + "channel, in this exchange, before asking."
      case 1:
        "Can't get an answer to '\(shown(name))': the one who was asked has none, or let the question "
          + "go. Return an answer there, or reply to the question that is kept."
      default:
        "Can't get an answer to '\(shown(name))': none of the \(asked) who were asked has one, or "
          + "keeps the question. Return an answer there, or reply to the question that is kept."
      }
    return RequestError(code: .nobodyAnswered, message: message, cause: nil, site: site)
  }

  /// The error of a question whose time was over.
  static func timedOut(_ name: String, _ timeout: Duration, _ site: SourceSite) -> RequestError {
    RequestError(
      code: .timedOut,
      message: "Can't get an answer to '\(shown(name))': nobody answered within \(timeout), and "
        + "somebody has the question still. Answer faster, or wait longer.",
      cause: nil, site: site)
  }

  /// The error of a question that somebody answered by throwing.
  static func refused(_ name: String, _ cause: any Error, _ site: SourceSite) -> RequestError {
    RequestError(
      code: .refused,
      message: "Can't get an answer to '\(shown(name))': the one who was asked threw \(cause). "
        + "Handle the cause.",
      cause: cause, site: site)
  }
}
