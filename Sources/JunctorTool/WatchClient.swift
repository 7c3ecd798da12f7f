internal import JunctorCore
internal import JunctorWiring

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Asks an inspector for what it shows.
struct WatchClient: Sendable {
  /// Where the inspector is.
  let address: WatchAddress
  /// How long an answer may take.
  var timeLimit: Duration = .seconds(10)
  /// A descriptor that becomes readable when waiting is to end; -1 for none.
  var interrupt: Int32 = -1
  /// How many bytes an answer may have.
  var sizeLimit = 256 << 20

  /// What was shown at one moment.
  struct Sample: Sendable {
    /// Who is joined to whom.
    var wiring: Wiring
    /// How many events there have been.
    var events: UInt64
    /// When it was asked for.
    var time: ContinuousClock.Instant
  }

  private struct State: Decodable {
    var events: UInt64
  }

  /// Asks for everything.
  ///
  /// - Throws: `WatchError`, or `CancellationError` if it was interrupted.
  func sample() throws -> Sample {
    let json = try get("/wiring.json")
    let wiring: Wiring
    do {
      wiring = try Wiring(json: json, name: "wiring.json")
    } catch {
      switch error.code {
      case .truncated: throw WatchError.truncated(address)
      case .newerVersion: throw WatchError.newer(address)
      default: throw WatchError.foreign(address, "what it sends is no wiring")
      }
    }
    guard
      let state = try? JSONDecoder().decode(State.self, from: Data(try get("/state.json")))
    else { throw WatchError.foreign(address, "what it sends is no inspector's state") }
    return Sample(wiring: wiring, events: state.events, time: .now)
  }

  /// Asks for one document.
  func get(_ path: String) throws -> [UInt8] {
    // A server that has just too much to do says so.
    for _ in 0..<5 {
      let deadline = ContinuousClock.now + timeLimit
      let socket = try open(path, deadline)
      var answer = WatchAnswer()
      while true {
        let part = try socket.read(until: deadline)
        if part.isEmpty { break }
        answer.append(part)
        guard answer.isHTTP else { throw WatchError.foreign(address, "it speaks another protocol") }
        guard answer.count <= sizeLimit else {
          throw WatchError.foreign(address, "what it sends has no end")
        }
        if answer.isComplete { break }
      }
      guard try isFine(answer) else { continue }
      guard answer.isWhole else { throw WatchError.truncated(address) }
      return answer.body
    }
    throw WatchError.busy(address)
  }

  /// Opens the stream of events. What comes is to be read from the socket.
  func openStream() throws -> WatchSocket { try open("/events", .now + timeLimit) }

  private func open(
    _ path: String, _ deadline: ContinuousClock.Instant
  ) throws -> WatchSocket {
    let socket = try WatchSocket(to: address, until: deadline, interrupt: interrupt)
    // By HTTP 1.0, so that no sizes of chunks stand between the bytes.
    try socket.send(
      "GET \(path)?token=\(address.token) HTTP/1.0\r\nHost: \(address.shown)\r\n\r\n",
      until: deadline)
    return socket
  }

  /// Whether the answer is the document; `false` if it is worth asking again.
  private func isFine(_ answer: WatchAnswer) throws -> Bool {
    switch answer.status {
    case 200: return true
    case 403: throw WatchError.refused(address)
    case 503: return false
    case nil where answer.count == 0: throw WatchError.ended(address)
    case nil: throw WatchError.truncated(address)
    case let status?: throw WatchError.foreign(address, "it answers with status \(status)")
    }
  }
}

/// The bytes of an answer, as they come.
struct WatchAnswer {
  private var bytes: [UInt8] = []
  private var bodyStart: Int?
  private var length: Int?
  /// The status; `nil` until the head is complete.
  private(set) var status: Int?

  /// How many bytes came.
  var count: Int { bytes.count }

  /// Whether what came can be the beginning of an answer.
  var isHTTP: Bool { bytes.prefix(5).elementsEqual("HTTP/".utf8.prefix(bytes.count)) }

  /// Whether all came that was announced.
  var isComplete: Bool {
    guard let bodyStart, let length else { return false }
    return bytes.count - bodyStart >= length
  }

  /// Whether nothing is missing, now that no more comes.
  var isWhole: Bool { bodyStart != nil && (length == nil || isComplete) }

  /// What follows the head.
  var body: [UInt8] { bodyStart.map { Array(bytes[$0...]) } ?? [] }

  /// Takes more in.
  mutating func append(_ part: [UInt8]) {
    // The end of the head may lie across two parts.
    let start = max(0, bytes.count - 3)
    bytes += part
    guard bodyStart == nil else { return }
    let end = Array("\r\n\r\n".utf8)
    var place = start
    while place + end.count <= bytes.count {
      if bytes[place..<place + end.count].elementsEqual(end) {
        bodyStart = place + end.count
        return readHead(bytes[..<place])
      }
      place += 1
    }
  }

  private mutating func readHead(_ head: ArraySlice<UInt8>) {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    status = words.count > 1 ? Int(words[1]) : nil
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      length = Int(parts[1].filter { $0 != " " }).flatMap { $0 >= 0 ? $0 : nil }
    }
  }
}
