#if NATS
  internal import JunctorBridge
  internal import JunctorCore

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// What the server answers to a request about streams and consumers, or to a message that it is to keep.
  struct JetStreamReply: Decodable, Sendable {
    /// Why not.
    struct Failure: Decodable, Sendable {
      var code: Int?
      var err_code: Int?
      var description: String?
    }

    /// How far a stream is.
    struct State: Decodable, Sendable { var last_seq: UInt64? }

    /// How far a consumer is.
    struct Position: Decodable, Sendable { var stream_seq: UInt64? }

    /// What is told of a stream.
    struct Configuration: Decodable, Sendable { var subjects: [String]? }

    var error: Failure?
    var streams: [String]?
    var config: Configuration?
    var state: State?
    var ack_floor: Position?
    var num_pending: UInt64?
    var num_ack_pending: UInt64?

    /// Reads a reply; `nil` if it is none.
    init?(_ bytes: [UInt8]) {
      guard let reply = try? JSONDecoder().decode(JetStreamReply.self, from: Data(bytes)) else {
        return nil
      }
      self = reply
    }

    /// Whether a reply is that of a message that is kept. Spares the parser what is all right.
    static func isConfirmation(_ bytes: [UInt8]) -> Bool {
      bytes.starts(with: Array("{\"stream\":".utf8))
    }
  }

  extension JetStreamReply.Failure {
    /// The error that bridges see.
    func error(_ name: String) -> BridgeError {
      let text = shown(description ?? "no reason is given")
      let name = shown(name)
      switch err_code ?? 0 {
      case 10077 where text.contains("maximum"), 10047, 10023, 10028, 10122, 10002:
        return BridgeError(
          .streamFull,
          "Can't keep a message of '\(name)': the server has no more room for it (\(text)). Let those "
            + "who are behind catch up, remove durable names that nobody uses, or raise the limit.")
      case 10054: return NATSFailure.tooLarge(name)
      case 10039, 10076:
        return BridgeError(
          .noStream,
          "Can't keep messages of '\(name)': the server has JetStream switched off (\(text)). Start "
            + "it with '-js', or promise at most once.")
      case 10065:
        return BridgeError(
          .refused,
          "Can't keep messages of '\(name)': a part of them is kept by another stream (\(text)). Bridge the "
            + "pattern before its channels, or make one stream for both.")
      case 10008, 10009, 10012, 10058, 10118, 10119:
        return BridgeError(
          .noStream, "Can't keep messages of '\(name)' now: \(text). It is tried again.",
          isTemporary: true)
      default:
        return BridgeError(
          .refused,
          "Can't keep messages of '\(name)': the server refuses (\(text)). Correct the cause.",
          isTemporary: (code ?? 0) == 503)
      }
    }
  }

  /// A text as JSON writes it.
  func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      default: result.unicodeScalars.append(scalar.value < 32 ? " " : scalar)
      }
    }
    return result + "\""
  }
#endif
