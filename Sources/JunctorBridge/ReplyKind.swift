/// What a reply says, in the header `Junctor-Reply`.
enum ReplyKind: String, Sendable {
  /// The payload is the answer.
  case answer
  /// Nobody in the process that was asked has an answer.
  case none
  /// The process that was asked failed; the payload is a `ReplyFault`.
  case error

  /// The header's name.
  static let header = "Junctor-Reply"
}

/// Why a process that was asked has no answer, in words that tell nothing else of it.
enum ReplyFault: String, Sendable {
  /// Too many questions wait there.
  case busy = "too many questions at once"
  /// The question is not what it expects.
  case undecodable = "the question can't be decoded"
  /// The one who answers threw.
  case failed = "the one who answers failed"
  /// The answer is nothing that can be sent.
  case unencodable = "the answer can't be encoded"
  /// The one who answers took too long.
  case late = "no answer was found in time"
}
