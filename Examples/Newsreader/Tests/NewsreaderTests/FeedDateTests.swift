import Foundation
import Testing

@testable import NewsreaderKit

/// The dates that feeds carry.
@Suite struct FeedDateTests {
  /// Texts that mean noon of 5 January 2026, UTC.
  static let noon = [
    "Mon, 05 Jan 2026 12:00:00 GMT", "Mon, 5 Jan 2026 12:00 UT", "5 Jan 2026 12:00:00 Z",
    "05 Jan 26 12:00:00 +0000", "Mon, 05 January 2026 13:00:00 +0100", "mon, 05 jan 2026 07:00 EST",
    "Monday, 05-Jan-26 12:00:00 GMT", "Mon, 05 Jan 2026 12:00:00 +00:00",
    "Mon, 05 Jan 2026 07:00:00 -0500 (EST)", "Mon Jan  5 12:00:00 2026", "January 5, 2026 12:00",
    "Jan. 5, 2026, 12:00", "Mon, 05 Jan 2026 14:00:00 GMT+0200", "2026-01-05T12:00:00Z",
    "2026-01-05T12:00Z", "2026-01-05 12:00:00", "2026-01-05T13:00:00.000+01:00",
    "2026-01-05t07:00:00-05", "20260105T120000Z", "  2026-01-05T12:00:00Z\n",
  ]

  @Test(arguments: noon)
  func `N2 every usual form of a date is read`(text: String) {
    #expect(FeedDate.parse(text) == Date(timeIntervalSince1970: 1_767_614_400))
  }

  @Test(arguments: [
    "", " ", "yesterday", "Sat, 31 Feb 2026 10:00:00 GMT", "2026-13-01", "2026-02-30T10:00:00Z",
    "Mon, 05 Jan 2026 25:00:00 GMT", "05 Foo 2026", "2026-01-05T12:00:00 nonsense", "99999999999",
    "Mon, 05 Jan", "2026-01-05T12:00:99Z", "12:00", "05/01/2026", "+++", "Mon, ",
  ])
  func `N2 what is no date is undated`(text: String) {
    #expect(FeedDate.parse(text) == nil)
  }

  @Test func `N2 a date alone is midnight and a year alone is its first day`() {
    #expect(FeedDate.parse("2026-01-05") == Date(timeIntervalSince1970: 1_767_571_200))
    #expect(FeedDate.parse("1970") == Date(timeIntervalSince1970: 0))
    #expect(FeedDate.parse("Mon, 05 Jan 2026") == Date(timeIntervalSince1970: 1_767_571_200))
  }

  @Test func `N2 two digits of a year are of this century up to 49`() {
    #expect(FeedDate.parse("1 Jan 49 00:00 Z") == FeedDate.parse("2049-01-01"))
    #expect(FeedDate.parse("1 Jan 70 00:00 Z") == FeedDate.parse("1970-01-01"))
  }

  @Test func `N2 days are those of the calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let parts = DateComponents(
        year: .random(in: 1900...2100, using: &generator),
        month: .random(in: 1...12, using: &generator), day: .random(in: 1...28, using: &generator))
      let date = try #require(calendar.date(from: parts))
      let days = FeedDate.days(
        year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
      #expect(days.map { Double($0) * 86_400 } == date.timeIntervalSince1970, "seed \(seed)")
    }
  }

  @Test func `N2 an age fits four columns`() {
    let now = Date(timeIntervalSince1970: 2_000_000_000)
    #expect((now - 90).age(at: now) == "1 m")
    #expect((now - 7_300).age(at: now) == "2 h")
    #expect((now - 86_400 * 12).age(at: now) == "12 d")
    #expect((now - 86_400 * 2_000).age(at: now) == "5 y")
    #expect((now + 50).age(at: now) == "0 m")
  }
}
