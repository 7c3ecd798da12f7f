/// What a header says of the messages in one frame: who sent them, which they are, and what they are made of.
///
/// On the wire, `Junctor: 1;origin;sequence;count;schema;type`, where `count` is 0 for one message that is the whole
/// payload and otherwise tells how many messages the payload is divided into (see `MessageBatch`).
///
/// ## Concurrency
/// A value; may be used anywhere.
package struct MessageMark: Sendable, Hashable {
  /// The header's name.
  package static let header = "Junctor"

  /// Who sent it: a process, an exchange and a bridge.
  package var origin: String
  /// The number of the first message among those of its origin and channel, from 1.
  package var sequence: UInt64
  /// How many messages the payload is divided into; 0 if it is one message as it is.
  package var count: Int
  /// The schema's version.
  package var schema: Int
  /// The message type's name.
  package var type: String

  /// How many messages there are.
  package var messages: Int { max(1, count) }

  /// Puts a mark together.
  package init(origin: String, sequence: UInt64, count: Int, schema: Int, type: String) {
    self.origin = origin
    self.sequence = sequence
    self.count = count
    self.schema = schema
    self.type = type
  }

  /// The header's value. Characters that would end a header are left out.
  package var text: String {
    let type = type.unicodeScalars.contains { $0.value < 32 } ? Self.cleaned(type) : type
    return "1;\(origin);\(sequence);\(count);\(schema);\(type)"
  }

  private static func cleaned(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 }))
  }

  /// Reads a header's value; `nil` if it is none of this version.
  package init?(_ text: String) {
    let parts = text.split(separator: ";", maxSplits: 5, omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0] == "1", !parts[1].isEmpty, parts[1].utf8.count <= 128,
      let sequence = UInt64(parts[2]), sequence > 0, let count = Int(parts[3]),
      count >= 0, count <= MessageBatch.largest, let schema = Int(parts[4]),
      sequence <= UInt64.max - UInt64(MessageBatch.largest)
    else { return nil }
    self.init(
      origin: String(parts[1]), sequence: sequence, count: count, schema: schema,
      type: String(parts[5]))
  }
}

/// Several messages in one payload: before each, its length as four bytes, the highest first.
package enum MessageBatch {
  /// How many messages a frame may hold.
  package static let largest = 65_536

  /// Adds a message.
  package static func append(_ message: [UInt8], to payload: inout [UInt8]) {
    // SAFETY: the four bytes are copied within the call.
    unsafe withUnsafeBytes(of: UInt32(message.count).bigEndian) {
      unsafe payload.append(contentsOf: $0)
    }
    payload.append(contentsOf: message)
  }

  /// Where the messages lie in a payload; `nil` if it is not what so many messages look like.
  package static func ranges(of payload: [UInt8], count: Int) -> [Range<Int>]? {
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(min(count, payload.count / 4))
    var place = 0
    for _ in 0..<count {
      guard payload.count - place >= 4 else { return nil }
      let length =
        Int(payload[place]) << 24 | Int(payload[place + 1]) << 16 | Int(payload[place + 2]) << 8
        | Int(payload[place + 3])
      place += 4
      guard payload.count - place >= length else { return nil }
      ranges.append(place..<place + length)
      place += length
    }
    return place == payload.count ? ranges : nil
  }
}
