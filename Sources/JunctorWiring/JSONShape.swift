/// What the brackets and quotes of a text say about it, without decoding it.
struct JSONShape {
  /// Whether it begins like a JSON object and ends before that object is closed, or is empty.
  let isCutShort: Bool

  /// Looks at every byte once.
  ///
  /// - Complexity: O(length).
  init(_ bytes: [UInt8]) {
    var depth = 0
    var isInString = false
    var isEscaped = false
    var first: UInt8?
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      first = first ?? byte
    }
    isCutShort = first == nil || (first == UInt8(ascii: "{") && (depth > 0 || isInString))
  }
}
