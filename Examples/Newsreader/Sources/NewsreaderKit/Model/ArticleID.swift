/// Names an article the same way in every run, so that read marks survive reloads and restarts.
///
/// It is a hash of the feed's own identity and the article's: 128 bits, wide enough that two articles never meet by
/// chance. It is no defence against someone who wants two of his own articles to share a mark.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct ArticleID: Sendable, Hashable {
  /// The hash.
  let rawValue: UInt128

  /// Names an article.
  ///
  /// - Parameters:
  ///   - feed: the identity of its feed.
  ///   - key: what tells it from the others in that feed.
  /// - Complexity: O(length of both).
  init(feed: FeedID, key: String) {
    var hash = FNVHash()
    hash.combine(feed.rawValue)
    hash.combine(key)
    rawValue = hash.value
  }

  /// Reads a name as `description` wrote it; `nil` for anything else.
  ///
  /// - Parameter text: 32 hexadecimal digits.
  /// - Complexity: O(1).
  init?(_ text: some StringProtocol) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let value = UInt128(text, radix: 16)
    else { return nil }
    rawValue = value
  }
}

extension ArticleID: CustomStringConvertible {
  /// The hash as 32 hexadecimal digits.
  var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}

extension ArticleID: Codable {
  /// Reads a name as `description` wrote it.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = ArticleID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is no article's name.")
    }
    self = id
  }

  /// Writes the name as `description`.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Names a feed the same way in every run: by what it says of itself, else by where it lies.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct FeedID: Sendable, Hashable {
  /// The name's text.
  let rawValue: String

  /// Names a feed by the first of these that is there: its own identifier, its link and title, its path.
  ///
  /// - Parameters:
  ///   - identifier: Atom's `id`, RSS 1.0's `rdf:about`, or a link to the feed itself.
  ///   - link: the page that it belongs to.
  ///   - title: its title. Two feeds of one page differ in it.
  ///   - path: the file that it was read from.
  init(identifier: String?, link: String?, title: String, path: String) {
    if let identifier, !identifier.isEmpty {
      rawValue = identifier
    } else if let link, !link.isEmpty {
      rawValue = link + "\n" + title
    } else {
      rawValue = path
    }
  }
}

/// The Fowler–Noll–Vo hash, 128 bits wide: the same in every process, unlike `Hasher`.
struct FNVHash {
  /// The hash of what was combined so far.
  private(set) var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  /// Adds a text.
  mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
    // No byte of UTF-8 has this value: it keeps ("ab", "c") apart from ("a", "bc").
    combine(0xFF)
  }

  private mutating func combine(_ byte: UInt8) {
    value ^= UInt128(byte)
    value &*= 0x0000_0000_0100_0000_0000_0000_0000_013B
  }
}
