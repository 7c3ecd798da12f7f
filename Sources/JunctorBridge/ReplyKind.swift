/// What a reply says, in the header `Junctor-Reply`.
enum ReplyKind: String, Sendable {
  /// The payload is the answer.
  case answer
  /// Nobody in the process that was asked has an answer.
  case none
  /// The one who was asked threw; the payload is the error's text.
  case error

  /// The header's name.
  static let header = "Junctor-Reply"
}
