/// Writes HTML's named references as numbers while a document streams past: `&nbsp;` becomes `&#160;`.
///
/// XML knows five names only, and a parser gives up at any other; feeds use them all the same. In a CDATA section the
/// number means the same to whoever reads the HTML in it.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct EntityRewriter {
  /// How many references were written anew.
  private(set) var count = 0
  /// A reference whose end has not arrived yet, from its ampersand on.
  private var held: [UInt8] = []

  /// Rewrites the next piece of a document.
  ///
  /// - Parameters:
  ///   - bytes: what comes next, in an encoding in which ASCII is ASCII.
  ///   - isLast: whether nothing follows.
  /// - Returns: what can be passed on.
  /// - Complexity: O(length).
  mutating func rewrite(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    guard !held.isEmpty || isLast || bytes.contains(UInt8(ascii: "&")) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64)
    for byte in bytes { take(byte, into: &result) }
    if isLast { release(into: &result) }
    return result
  }

  private mutating func take(_ byte: UInt8, into result: inout [UInt8]) {
    if byte == UInt8(ascii: "&") {
      release(into: &result)
      held.append(byte)
    } else if held.isEmpty {
      result.append(byte)
    } else if byte == UInt8(ascii: ";") {
      finish(into: &result)
    } else if Self.isNameByte(byte), held.count <= NamedEntities.longestName {
      held.append(byte)
    } else {
      release(into: &result)
      result.append(byte)
    }
  }

  private mutating func finish(into result: inout [UInt8]) {
    let name = String(decoding: held.dropFirst(), as: UTF8.self)
    let isXML = ["lt", "gt", "amp", "quot", "apos"].contains(name)
    if !isXML, let scalar = NamedEntities.scalar(name) {
      result.append(contentsOf: "&#\(scalar.value);".utf8)
      count += 1
      held.removeAll(keepingCapacity: true)
    } else {
      release(into: &result)
      result.append(UInt8(ascii: ";"))
    }
  }

  private mutating func release(into result: inout [UInt8]) {
    result.append(contentsOf: held)
    held.removeAll(keepingCapacity: true)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte)
  }
}
