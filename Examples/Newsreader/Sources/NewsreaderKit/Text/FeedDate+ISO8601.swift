internal import Foundation

extension FeedDate {
  /// Reads `YYYY[-MM[-DD[Thh:mm[:ss[.f]][zone]]]]`.
  ///
  /// - Parameter bytes: the text in ASCII, beginning with four digits.
  /// - Complexity: O(length).
  static func parseISO8601(_ bytes: [UInt8]) -> Date? {
    var scanner = DigitScanner(bytes)
    guard let year = scanner.number(digits: 4) else { return nil }
    let isCompact = scanner.peek.map(isDigit) ?? false
    var month = 1
    var day = 1
    if isCompact || scanner.skip("-") {
      guard let value = scanner.number(digits: 2) else { return nil }
      month = value
      if isCompact || scanner.skip("-") {
        guard let value = scanner.number(digits: 2) else { return nil }
        day = value
      }
    }
    var hour = 0
    var minute = 0
    var second = 0.0
    var offset = 0
    if scanner.skip("T") || scanner.skip("t") || scanner.skipSpaces(), !scanner.isAtEnd {
      guard let hours = scanner.number(digits: 2), scanner.skip(":") || isCompact,
        let minutes = scanner.number(digits: 2)
      else { return nil }
      hour = hours
      minute = minutes
      if scanner.skip(":") || (isCompact && scanner.peek.map(isDigit) ?? false) {
        guard let seconds = scanner.number(digits: 2) else { return nil }
        second = Double(seconds) + (scanner.skip(".") || scanner.skip(",") ? scanner.fraction() : 0)
      }
      _ = scanner.skipSpaces()
      guard let zone = scanner.zone() else { return nil }
      offset = zone
    }
    _ = scanner.skipSpaces()
    guard scanner.isAtEnd else { return nil }
    return date(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, offset: offset
    )
  }
}

/// Walks over ASCII text and takes numbers from it.
struct DigitScanner {
  private let bytes: [UInt8]
  private var position = 0

  /// Starts at the beginning of a text.
  ///
  /// - Parameter bytes: the text in ASCII.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether nothing is left.
  var isAtEnd: Bool { position == bytes.count }

  /// The next byte, if there is one.
  var peek: UInt8? { isAtEnd ? nil : bytes[position] }

  /// Takes one character if it comes next, and says whether it did.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let next = peek, UInt32(next) == character.value else { return false }
    position += 1
    return true
  }

  /// Takes white space, and says whether there was any.
  mutating func skipSpaces() -> Bool {
    let start = position
    while let next = peek, FeedDate.isSpace(next) { position += 1 }
    return position > start
  }

  /// Takes a number of exactly so many digits.
  mutating func number(digits: Int) -> Int? {
    number(digits: digits...digits)
  }

  /// Takes a number of so many digits; of more digits, only the first ones.
  mutating func number(digits: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    while count < digits.upperBound, let next = peek, FeedDate.isDigit(next) {
      value = value * 10 + Int(next - 0x30)
      count += 1
      position += 1
    }
    return digits.contains(count) ? value : nil
  }

  /// Takes the digits after a decimal point, as a fraction of one.
  mutating func fraction() -> Double {
    var value = 0.0
    var scale = 0.1
    while let next = peek, FeedDate.isDigit(next) {
      value += Double(next - 0x30) * scale
      scale /= 10
      position += 1
    }
    return value
  }

  /// Takes letters, as lower case.
  mutating func word() -> String {
    var letters: [UInt8] = []
    while let next = peek, (0x41...0x5A).contains(next & 0xDF) {
      letters.append(next | 0x20)
      position += 1
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Takes a time zone, and returns its seconds east of Greenwich: 0 if there is none, `nil` if it is nonsense.
  mutating func zone() -> Int? {
    guard let next = peek else { return 0 }
    if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") {
      position += 1
      guard let hours = number(digits: 1...2) else { return nil }
      _ = skip(":")
      let minutes = isAtEnd ? 0 : number(digits: 2) ?? 0
      guard hours <= 18, minutes < 60 else { return nil }
      return (next == UInt8(ascii: "-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
    let hours: [String: Int] = [
      "": 0, "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "bst": 1, "cet": 1, "cest": 2, "met": 1,
      "mest": 2, "eet": 2, "eest": 3, "msk": 3, "jst": 9, "est": -5, "edt": -4, "cst": -6,
      "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    ]
    let name = word()
    guard let zone = hours[name] else { return nil }
    // "GMT+0200" is a zone as well.
    if let next = peek, next == UInt8(ascii: "+") || next == UInt8(ascii: "-"), zone == 0 {
      return self.zone()
    }
    return zone * 3_600
  }
}
