internal import Foundation

extension FeedDate {
  /// Reads `[Mon,] 5 Jan 2026 10:00[:00] [zone]` and its variants, and C's `Mon Jan  5 10:00:00 2026`.
  ///
  /// - Parameter bytes: the text in ASCII.
  /// - Complexity: O(length).
  static func parseRFC822(_ bytes: [UInt8]) -> Date? {
    var scanner = DigitScanner(bytes)
    if let first = scanner.peek, !isDigit(first) {
      var beforeWord = scanner
      let word = scanner.word()
      if weekday(word) {
        _ = scanner.skip(".")
        _ = scanner.skip(",")
        _ = scanner.skipSpaces()
      } else {
        swap(&scanner, &beforeWord)
      }
    }
    if let first = scanner.peek, !isDigit(first) { return parseMonthFirst(&scanner) }
    guard let day = scanner.number(digits: 1...2), scanner.skipSpaces() || scanner.skip("-"),
      let month = month(scanner.word())
    else { return nil }
    _ = scanner.skip(".")
    _ = scanner.skip(",")
    guard scanner.skipSpaces() || scanner.skip("-"), let year = year(&scanner) else { return nil }
    _ = scanner.skip(",")
    _ = scanner.skipSpaces()
    guard let time = time(&scanner) else { return nil }
    _ = scanner.skipSpaces()
    // What is in parentheses is a comment: "-0500 (EST)".
    guard let offset = scanner.peek == UInt8(ascii: "(") ? 0 : scanner.zone() else { return nil }
    _ = scanner.skipSpaces()
    guard scanner.isAtEnd || scanner.peek == UInt8(ascii: "(") else { return nil }
    return date(
      year: year, month: month, day: day, hour: time.hour, minute: time.minute,
      second: Double(time.second), offset: offset)
  }

  /// Reads `Jan 5[,] 10:00:00 2026` or `January 5, 2026 [10:00]`.
  private static func parseMonthFirst(_ scanner: inout DigitScanner) -> Date? {
    guard let month = month(scanner.word()) else { return nil }
    _ = scanner.skip(".")
    guard scanner.skipSpaces(), let day = scanner.number(digits: 1...2) else { return nil }
    _ = scanner.skip(",")
    guard scanner.skipSpaces() else { return nil }
    let beforeNumber = scanner
    let isTime = scanner.number(digits: 1...2) != nil && scanner.skip(":")
    scanner = beforeNumber
    var result: (hour: Int, minute: Int, second: Int)? = (0, 0, 0)
    if isTime {
      result = time(&scanner)
      guard scanner.skipSpaces() else { return nil }
    }
    guard let year = year(&scanner) else { return nil }
    _ = scanner.skip(",")
    _ = scanner.skipSpaces()
    if !isTime { result = time(&scanner) }
    _ = scanner.skipSpaces()
    guard let result, let offset = scanner.zone(), scanner.isAtEnd else { return nil }
    return date(
      year: year, month: month, day: day, hour: result.hour, minute: result.minute,
      second: Double(result.second), offset: offset)
  }

  private static func year(_ scanner: inout DigitScanner) -> Int? {
    let before = scanner
    if let year = scanner.number(digits: 4) { return year }
    scanner = before
    // RFC 2822: 00–49 is this century, 50–99 and three digits count from 1900.
    guard let short = scanner.number(digits: 2...3) else { return nil }
    return short < 50 ? 2_000 + short : 1_900 + short
  }

  private static func time(_ scanner: inout DigitScanner) -> (hour: Int, minute: Int, second: Int)?
  {
    guard let next = scanner.peek, isDigit(next) else { return (0, 0, 0) }
    guard let hour = scanner.number(digits: 1...2), scanner.skip(":"),
      let minute = scanner.number(digits: 1...2)
    else { return nil }
    guard scanner.skip(":") else { return (hour, minute, 0) }
    guard let second = scanner.number(digits: 1...2) else { return nil }
    if scanner.skip(".") { _ = scanner.fraction() }
    return (hour, minute, second)
  }

  private static func weekday(_ word: String) -> Bool {
    guard word.utf8.count >= 2 else { return false }
    return [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ].contains { $0.hasPrefix(word) }
  }

  private static func month(_ word: String) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]
    return names.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
  }
}
