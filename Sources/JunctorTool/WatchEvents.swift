internal import JunctorWiring

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One event as an inspector sends it.
struct WatchEvent: Decodable, Sendable, Equatable {
  /// Its place in the order.
  var number: UInt64
  /// What it is.
  var kind: String
  /// What it happened to.
  var label: String
  /// Where it was asked for.
  var site: String?
  /// How long it took.
  var microseconds: Double?
  /// How many it reached.
  var count: Int
}

/// Takes the messages out of a stream of server-sent events, however it is cut into pieces.
struct WatchEvents {
  /// What a message says.
  enum Message: Equatable {
    /// Something happened; and so many more that are not shown.
    case history([WatchEvent], missed: UInt64)
    /// The wiring has changed.
    case wiring
  }

  private struct Batch: Decodable {
    var events: [WatchEvent]
    var missed: UInt64
  }

  private var rest: [UInt8] = []
  private var isPastHead = false
  /// How long a message may be.
  static let limit = 4 << 20

  /// Takes more in and returns what became complete.
  ///
  /// - Throws: `UnreadableStream` if it is no such stream.
  mutating func append(_ part: [UInt8]) throws -> [Message] {
    rest += part
    var found: [Message] = []
    while let end = Self.end(of: rest, isPastHead ? "\n\n" : "\r\n\r\n") {
      let block = rest[..<end.lowerBound]
      rest.removeFirst(end.upperBound)
      if isPastHead {
        if let message = try Self.read(block) { found.append(message) }
      } else {
        let head = String(decoding: block, as: UTF8.self)
        guard head.hasPrefix("HTTP/"), head.lowercased().contains("text/event-stream") else {
          throw UnreadableStream()
        }
        isPastHead = true
      }
    }
    guard rest.count <= Self.limit else { throw UnreadableStream() }
    return found
  }

  private static func end(of bytes: [UInt8], _ mark: String) -> Range<Int>? {
    let mark = Array(mark.utf8)
    var place = 0
    while place + mark.count <= bytes.count {
      if bytes[place] == mark[0], bytes[place..<place + mark.count].elementsEqual(mark) {
        return place..<place + mark.count
      }
      place += 1
    }
    return nil
  }

  private static func read(_ block: ArraySlice<UInt8>) throws -> Message? {
    var event = ""
    var data = ""
    for line in String(decoding: block, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("event: ") { event = String(line.dropFirst("event: ".count)) }
      if line.hasPrefix("data: ") { data += line.dropFirst("data: ".count) }
    }
    switch event {
    case "wiring": return .wiring
    case "missed": return .history([], missed: UInt64(data) ?? 0)
    case "history":
      guard let batch = try? JSONDecoder().decode(Batch.self, from: Data(data.utf8)) else {
        throw UnreadableStream()
      }
      return .history(batch.events, missed: batch.missed)
    default: return nil
    }
  }

  /// What comes is no stream of an inspector's.
  struct UnreadableStream: Error {}
}
