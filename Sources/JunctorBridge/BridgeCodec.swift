#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Makes bytes of messages and messages of bytes.
///
/// ## Concurrency
/// A value; the closures are called from any thread, several at a time, with no lock held. A bridge retains them.
public struct BridgeCodec<Message: Sendable>: Sendable {
  /// Makes the bytes of a message.
  public var encode: @Sendable (_ message: Message) throws -> [UInt8]

  /// Makes the message of bytes that were sent in a version of the schema.
  public var decode: @Sendable (_ bytes: [UInt8], _ schema: Int) throws -> Message

  /// Puts a codec together.
  ///
  /// - Parameters:
  ///   - encode: makes the bytes of a message.
  ///   - decode: makes the message of bytes that were sent in a version of the schema.
  public init(
    encode: @escaping @Sendable (_ message: Message) throws -> [UInt8],
    decode: @escaping @Sendable (_ bytes: [UInt8], _ schema: Int) throws -> Message
  ) {
    self.encode = encode
    self.decode = decode
  }
}

extension BridgeCodec where Message: Codable {
  /// JSON, in UTF-8. Unknown keys are passed over, so that what a later version adds does no harm.
  public static var json: BridgeCodec {
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()
    return BridgeCodec { message in
      [UInt8](try encoder.encode(message))
    } decode: { bytes, _ in
      try decoder.decode(Message.self, from: Data(bytes))
    }
  }
}

extension BridgeCodec where Message == [UInt8] {
  /// The bytes as they are.
  public static var bytes: BridgeCodec {
    BridgeCodec {
      $0
    } decode: { bytes, _ in
      bytes
    }
  }
}
