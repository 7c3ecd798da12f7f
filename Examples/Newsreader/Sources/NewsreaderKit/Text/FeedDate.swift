internal import Foundation

/// Reads the dates that feeds carry.
///
/// `DateFormatter` is both too strict for what is found in the wild and too slow for a hundred thousand articles.
///
/// ## Concurrency
/// Pure functions; may be called anywhere.
enum FeedDate {
  /// The moment that a text means, in any of the forms that feeds use; `nil` if it means none.
  ///
  /// RFC 822 in all its variants (no weekday, no seconds, two-digit years, named and numeric zones, full month names),
  /// ISO 8601 (date alone, no zone, fractions), and the form of C's `asctime`. Without a zone it is taken as UTC.
  ///
  /// - Parameter text: the text, with or without space around it.
  /// - Complexity: O(length), of which no more than 64 bytes are looked at.
  static func parse(_ text: some StringProtocol) -> Date? {
    let bytes = Array(text.utf8.drop(while: isSpace).prefix(64))
    guard let first = bytes.first else { return nil }
    if isDigit(first), bytes.count >= 4, bytes.prefix(4).allSatisfy(isDigit) {
      return parseISO8601(bytes)
    }
    return parseRFC822(bytes)
  }

  /// The number of days from 1 January 1970 to a day of the Gregorian calendar; `nil` if there is no such day.
  ///
  /// - Parameters:
  ///   - year: the year.
  ///   - month: the month, from 1.
  ///   - day: the day, from 1.
  /// - Complexity: O(1).
  static func days(year: Int, month: Int, day: Int) -> Int? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...lengths[month - 1]).contains(day)
    else { return nil }
    // Years that begin in March put the leap day last; 719 468 days lie between 1 March 0 and 1 January 1970.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The moment of a day, a time and an offset; `nil` if there is none such.
  static func date(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Double, offset: Int
  ) -> Date? {
    // A leap second is 60; ISO 8601 ends a day at 24:00.
    let isMidnight = hour == 24 && minute == 0 && second == 0
    guard let days = days(year: year, month: month, day: day),
      (0..<24).contains(hour) || isMidnight, (0..<60).contains(minute), (0..<61).contains(second)
    else { return nil }
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 - offset
    return Date(timeIntervalSince1970: Double(seconds) + second)
  }

  /// Whether a byte is white space.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Whether a byte is a decimal digit.
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
