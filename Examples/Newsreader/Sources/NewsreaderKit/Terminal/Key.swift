/// One key, as far as the reader knows keys.
///
/// ## Concurrency
/// A value; may be used anywhere.
enum Key: Sendable, Hashable {
  /// A key that types something.
  case character(Character)
  /// A key that moves.
  case up, down, left, right, pageUp, pageDown, home, end
  /// A key that does something; `interrupt` and `suspend` are control and C or Z.
  case enter, escape, backspace, interrupt, suspend
}

/// Turns the bytes that a terminal sends into keys.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct KeyDecoder: Sendable {
  private var pending: [UInt8] = []

  /// Whether bytes wait that may be the beginning of a key.
  var isWaiting: Bool { !pending.isEmpty }

  /// Takes bytes, and gives the keys that are complete.
  ///
  /// - Parameter bytes: what came.
  /// - Complexity: O(length).
  mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    return takeAll(isFinal: false)
  }

  /// Gives what waits as keys: an escape that nothing followed is the key of that name.
  ///
  /// - Complexity: O(length).
  mutating func finish() -> [Key] { takeAll(isFinal: true) }

  private mutating func takeAll(isFinal: Bool) -> [Key] {
    var keys: [Key] = []
    while let (key, length) = first(isFinal: isFinal) {
      if let key { keys.append(key) }
      pending.removeFirst(length)
    }
    if isFinal { pending = [] }
    return keys
  }

  /// The first key and its length, no key for what means nothing; `nil` while it is not complete.
  private func first(isFinal: Bool) -> (Key?, Int)? {
    guard let byte = pending.first else { return nil }
    switch byte {
    case 0x1B: return escapeSequence(isFinal: isFinal)
    case 0x03: return (.interrupt, 1)
    case 0x1A: return (.suspend, 1)
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case 0..<0x20: return (nil, 1)
    default: break
    }
    let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    guard pending.count >= length else { return isFinal ? (nil, pending.count) : nil }
    let text = String(decoding: pending.prefix(length), as: UTF8.self)
    return (text.first.map(Key.character), length)
  }

  private func escapeSequence(isFinal: Bool) -> (Key?, Int)? {
    guard pending.count > 1 else { return isFinal ? (.escape, 1) : nil }
    guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
      return (.escape, 1)
    }
    guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return isFinal ? (nil, pending.count) : nil
    }
    let parameters = String(decoding: pending[2..<end], as: UTF8.self)
    let key: Key? =
      switch (pending[end], parameters) {
      case (UInt8(ascii: "A"), _): .up
      case (UInt8(ascii: "B"), _): .down
      case (UInt8(ascii: "C"), _): .right
      case (UInt8(ascii: "D"), _): .left
      case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): .home
      case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): .end
      case (UInt8(ascii: "~"), "5"): .pageUp
      case (UInt8(ascii: "~"), "6"): .pageDown
      default: nil
      }
    return (key, end + 1)
  }
}
