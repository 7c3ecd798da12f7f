/// One tag, comment or declaration of HTML.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct MarkupTag {
  /// Its name in lower case; empty for a comment or a declaration.
  let name: String
  /// Whether it ends an element.
  let isEnd: Bool
  /// Whether it begins and ends one, as in `<br/>`.
  let isEmpty: Bool
  /// The position behind it.
  let end: Int
  private let content: ArraySlice<UInt8>

  /// Reads the tag at a position; `nil` if what is there is text.
  ///
  /// - Parameters:
  ///   - bytes: the HTML.
  ///   - start: the position of the `<`.
  /// - Complexity: O(length of the tag).
  init?(_ bytes: [UInt8], at start: Int) {
    guard start + 1 < bytes.count else { return nil }
    let next = bytes[start + 1]
    isEnd = next == UInt8(ascii: "/")
    let nameStart = isEnd ? start + 2 : start + 1
    if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
      name = ""
      isEmpty = true
      content = []
      end = Self.endOfDeclaration(bytes, at: start)
      return
    }
    guard nameStart < bytes.count, Self.isLetter(bytes[nameStart]),
      let close = Self.endOfTag(bytes, from: nameStart)
    else { return nil }
    let inner = bytes[nameStart..<close]
    let letters = inner.prefix { Self.isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x3A }
    name = String(decoding: letters, as: UTF8.self).lowercased()
    isEmpty = inner.last == UInt8(ascii: "/")
    content = inner.dropFirst(letters.count)
    end = close + 1
  }

  /// Whether a title may have it; what else looks like a tag there is text.
  var isUsualInTitles: Bool {
    [
      "", "a", "abbr", "b", "big", "br", "cite", "code", "del", "div", "em", "font", "i", "img",
      "ins",
      "kbd", "mark", "p", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "tt", "u",
      "var",
      "wbr",
    ].contains(name)
  }

  /// The value of an attribute, references in it as they stand; `nil` if it is not there.
  ///
  /// - Parameter wanted: the attribute's name in lower case.
  /// - Complexity: O(length of the tag).
  func attribute(_ wanted: String) -> String? {
    var rest = content
    while true {
      rest = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: "/") }
      guard !rest.isEmpty else { return nil }
      let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "=") }
      rest = rest.dropFirst(max(name.count, 1)).drop { $0 <= 0x20 }
      var value = ArraySlice<UInt8>()
      if rest.first == UInt8(ascii: "=") {
        rest = rest.dropFirst().drop { $0 <= 0x20 }
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
          value = rest.dropFirst().prefix { $0 != quote }
          rest = rest.dropFirst(value.count + 2)
        } else {
          value = rest.prefix { $0 > 0x20 }
          rest = rest.dropFirst(value.count)
        }
      }
      if String(decoding: name, as: UTF8.self).lowercased() == wanted {
        return String(decoding: value, as: UTF8.self)
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  /// The position of the `>` that ends a tag, outside of quotes; `nil` where there is none.
  private static func endOfTag(_ bytes: [UInt8], from start: Int) -> Int? {
    var quote: UInt8?
    var previous: UInt8 = 0
    for position in start..<bytes.count {
      let byte = bytes[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return position
      } else if byte == UInt8(ascii: "<") {
        // A tag never holds one; looking further would make "<a <a <a" quadratic.
        return nil
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"),
        previous == UInt8(ascii: "=")
      {
        quote = byte
      }
      if byte > 0x20 { previous = byte }
    }
    return nil
  }

  private static func endOfDeclaration(_ bytes: [UInt8], at start: Int) -> Int {
    let isComment = bytes[start...].starts(with: "<!--".utf8)
    guard isComment else {
      return bytes[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
    }
    var position = start + 4
    while position + 2 < bytes.count {
      if bytes[position...].starts(with: "-->".utf8) { return position + 3 }
      position += 1
    }
    return bytes.count
  }
}
