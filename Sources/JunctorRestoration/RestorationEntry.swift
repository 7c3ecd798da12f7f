#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One entry of the store, as one line of the file: a checksum and a JSON object.
struct RestorationEntry: Codable, Hashable {
  /// What it is found by.
  var key: String
  /// The version of the model's form.
  var version: Int
  /// The model as JSON; absent where `nil` was handed over.
  var model: String?

  /// Reads a line; `nil` if it is damaged.
  init?(line: String) {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, String(parts[0]) == Self.checksum(of: parts[1]) else { return nil }
    guard
      let entry = try? JSONDecoder().decode(RestorationEntry.self, from: Data(parts[1].utf8))
    else { return nil }
    self = entry
  }

  /// Puts an entry together.
  init(key: String, version: Int, model: String?) {
    self.key = key
    self.version = version
    self.model = model
  }

  /// The line, without its end.
  func line() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let body = String(decoding: try encoder.encode(self), as: UTF8.self)
    return Self.checksum(of: body) + " " + body
  }

  /// Tells a line that was damaged from a whole one (FNV-1a, 64 bits).
  private static func checksum(of text: some StringProtocol) -> String {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
