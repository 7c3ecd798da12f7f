/// Why a message did not cross a bridge, or a bridge could not be made.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct BridgeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it is. Codes are compared; texts are read.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String, Sendable {
      case invalidName, invalidOption, disconnected, unconfirmed, unauthorized, insecure, tooLarge
      case streamFull, noStream, refused, overflow, slowConsumer, undecodable, unencodable
      case wrongType, unreadableSchema, nobodyAnswered, timedOut, closed
    }

    private let kind: Kind

    /// A channel's name, a pattern or a prefix is no legal subject.
    public static let invalidName = Code(kind: .invalidName)
    /// An option has no meaning here, or contradicts another.
    public static let invalidOption = Code(kind: .invalidOption)
    /// There is no connection now.
    public static let disconnected = Code(kind: .disconnected)
    /// The server did not say in time that it has the message.
    public static let unconfirmed = Code(kind: .unconfirmed)
    /// The server does not accept the credentials, or does not permit what was asked for.
    public static let unauthorized = Code(kind: .unauthorized)
    /// The connection cannot be made secure: a certificate is wrong, unknown or has expired.
    public static let insecure = Code(kind: .insecure)
    /// The message is larger than the server accepts.
    public static let tooLarge = Code(kind: .tooLarge)
    /// The stream that keeps the messages is at its limit.
    public static let streamFull = Code(kind: .streamFull)
    /// Nothing on the server keeps the messages.
    public static let noStream = Code(kind: .noStream)
    /// The server refuses for another reason.
    public static let refused = Code(kind: .refused)
    /// More messages wait to leave than there is room for.
    public static let overflow = Code(kind: .overflow)
    /// Messages came faster than the listeners took them, and were lost on the way in.
    public static let slowConsumer = Code(kind: .slowConsumer)
    /// A message that arrived cannot be decoded.
    public static let undecodable = Code(kind: .undecodable)
    /// A message cannot be encoded.
    public static let unencodable = Code(kind: .unencodable)
    /// A message that arrived is of another type.
    public static let wrongType = Code(kind: .wrongType)
    /// A message that arrived is of a schema that is not read here.
    public static let unreadableSchema = Code(kind: .unreadableSchema)
    /// Nobody anywhere answers.
    public static let nobodyAnswered = Code(kind: .nobodyAnswered)
    /// The time was over.
    public static let timedOut = Code(kind: .timedOut)
    /// The bridge or the connection was closed.
    public static let closed = Code(kind: .closed)

    private init(kind: Kind) { self.kind = kind }

    /// The code's name.
    public var description: String { "bridge.\(kind.rawValue)" }
  }

  /// What kind of failure it is.
  public let code: Code

  /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
  public let message: String

  /// Whether the same message may well get through a moment later.
  public let isTemporary: Bool

  /// Puts an error together; for those who write an engine.
  ///
  /// - Parameters:
  ///   - code: what kind of failure it is.
  ///   - message: the sentence.
  ///   - isTemporary: whether the same message may well get through a moment later.
  public init(_ code: Code, _ message: String, isTemporary: Bool = false) {
    self.code = code
    self.message = message
    self.isTemporary = isTemporary
  }

  /// The sentence.
  public var description: String { message }
}
