import Foundation
import Junctor
import Testing

@testable import NewsreaderKit

/// The screens, joined as in the program, without a terminal.
@MainActor
private final class Desk {
  let app = Services("test")
  let store: FileArticleStore
  let reading: ReadingScreen
  let list: ListScreen
  let badge: UnreadBadge

  init() throws {
    store = FileArticleStore(file: nil, clock: SystemClock()) { _ in }
    app.set((any NewsreaderKit.Clock).self, to: SystemClock())
    app.set((any ArticleStore).self, to: store)
    app.provide((any TextWrapper).self) { _ in ColumnWrapper() }
    reading = ReadingScreen(app: app)
    list = try ListScreen(app: app, reading: reading)
    badge = UnreadBadge(store: store)
  }

  /// Runs a test on an exchange of its own, so that tests do not hear each other.
  static func with(_ titles: [String], _ body: (Desk) throws -> Void) throws {
    try Exchange.withShared(Exchange(label: "test")) {
      let desk = try Desk()
      Channel.feedLoaded.post(FeedLoaded(feed: Samples.feed(titles)))
      try body(desk)
    }
  }
}

/// What the screens, the badge and the store do for one another without knowing each other.
@MainActor
@Suite struct ScreenTests {
  @Test func `N8 the list hands the chosen article over, and it counts as read`() throws {
    try Desk.with(["A", "B"]) { desk in
      #expect(desk.badge.text == "● 2 unread")
      #expect(desk.list.open(2))
      #expect(desk.reading.article?.title == "B")
      #expect(desk.list.openNumber == 2)
      #expect(desk.store.mark(2) == .read)
      // The badge listens after the store, whose mark is there when it counts.
      #expect(desk.badge.text == "● 1 unread")
      #expect(!desk.list.open(3))
    }
  }

  @Test func `N8 the article gives back what the reader wants next`() throws {
    try Desk.with(["A", "B", "C"]) { desk in
      desk.list.open(1)
      desk.reading.finish(.next)
      #expect(desk.list.openNumber == 2)
      #expect(desk.reading.article?.title == "B")
      desk.reading.finish(.previous)
      #expect(desk.list.openNumber == 1)
      desk.reading.finish(.archived)
      #expect(desk.list.openNumber == nil)
      #expect(desk.reading.article == nil)
      #expect(desk.list.rows == [2, 3])
      #expect(desk.store.archivedCount == 1)
    }
  }

  @Test func `N8 an article that is left gives nothing back`() throws {
    try Desk.with(["A", "B"]) { desk in
      desk.list.open(1)
      desk.reading.leave()
      #expect(desk.list.openNumber == nil)
      desk.list.open(1)
      // Opening another one leaves the first.
      desk.list.open(2)
      #expect(desk.list.openNumber == 2)
      #expect(desk.reading.openRequests.count == 1)
    }
  }

  @Test func `N8 after the last article the list is back`() throws {
    try Desk.with(["A"]) { desk in
      desk.list.open(1)
      desk.reading.finish(.next)
      #expect(desk.list.openNumber == nil)
      #expect(desk.reading.article == nil)
    }
  }

  @Test func `N8 rows follow what is archived and loaded, whatever the filter`() throws {
    try Desk.with(["A", "B", "C", "D"]) { desk in
      desk.list.mark(2, isRead: true)
      desk.list.filter = .unread
      #expect(desk.list.rows == [1, 3, 4])
      desk.list.archive(3)
      #expect(desk.list.rows == [1, 4])
      #expect(desk.list.neighbour(1, of: 1) == 4)
      #expect(desk.list.neighbour(-1, of: 1) == nil)
      #expect(desk.list.neighbour(1, of: 2) == 4)
      Channel.feedLoaded.post(FeedLoaded(feed: Samples.feed(["D", "E"])))
      #expect(desk.list.rows == [1, 4, 5])
      desk.list.filter = .search("e")
      #expect(desk.list.rows == [5])
      desk.list.mark(1, isRead: false)
      #expect(desk.store.unreadCount == 3)
    }
  }

  @Test func `N8 each screen has services of its own in front of the program's`() throws {
    try Desk.with(["A"]) { desk in
      desk.list.open(1)
      let long = String(repeating: "word ", count: 60)
      #expect(desk.app[(any TextWrapper).self]?.wrap(long, width: 200).count == 2)
      #expect(desk.app[ArticleLineStyle.self] == nil)
      #expect(desk.reading.lines(width: 200).allSatisfy { $0.count <= 80 })
      #expect(desk.list.row(1, width: 20) == "  A" + String(repeating: " ", count: 17))
    }
  }

  @Test func `N8 the terminal's list keeps the chosen row in sight`() throws {
    try Desk.with((1...30).map { "Title \($0)" }) { desk in
      let view = ListView(list: desk.list, badge: desk.badge)
      view.move(by: 100)
      var frame = Frame(columns: 20, rows: 6)
      view.draw(on: &frame, status: "status that is too long for it")
      #expect(frame.text.count == 6)
      #expect(frame.text[0] == "News  ● 30 unread")
      #expect(frame.text[4].hasPrefix("● Title 30"))
      #expect(frame.text[5] == "status that is too …")
      view.choose(1)
      frame = Frame(columns: 20, rows: 1)
      view.draw(on: &frame, status: "")
      #expect(frame.text.count == 1)
    }
  }

  @Test func `N8 the keys are told in as many rows as a narrow terminal needs`() throws {
    try Desk.with(["A"]) { desk in
      for (columns, expected) in [
        (80, ["↑↓ enter  u unread  / search  a archive  ? help  q quit"]),
        (50, ["↑↓ enter  u unread  / search  a archive  ? help", "q quit"]),
        (20, ["↑↓ enter  u unread", "/ search  a archive", "? help  q quit"]),
      ] {
        var frame = Frame(columns: columns, rows: 24)
        ListView(list: desk.list, badge: desk.badge).draw(on: &frame, status: KeyHelp.list)
        #expect(frame.text.count == 24)
        #expect(Array(frame.text.suffix(expected.count)) == expected)
        #expect(frame.text[23 - expected.count] == "")
      }
    }
    for columns in [80, 60, 50, 31] {
      let page = KeyHelp.page(columns: columns)
      #expect(page.allSatisfy { CharacterWidth.of($0) <= columns }, "\(page)")
      #expect(page.count <= 24)
    }
  }

  @Test func `N8 it is said that an article was archived, until the next key`() throws {
    try Desk.with(["A", "B", "C"]) { desk in
      let session = try InteractiveSession(
        services: desk.app, list: desk.list, reading: desk.reading, badge: desk.badge)
      #expect(session.handle(.key(.character("a"))))
      #expect(session.message == "Archived 'A'.")
      #expect(session.handle(.key(.enter)))
      #expect(session.message == nil)
      #expect(session.handle(.key(.character("a"))))
      #expect(session.message == "Archived 'B'.")
      #expect(desk.list.rows == [3])
      #expect(session.handle(.key(.character("a"))) && desk.list.rows.isEmpty)
      // Nothing is left to archive, and nothing is said.
      #expect(session.handle(.key(.character("a"))) && session.message == nil)
    }
  }

  @Test func `N8 the terminal's article scrolls no further than its end`() throws {
    try Desk.with(["A title of some length"]) { desk in
      desk.list.open(1)
      let view = ReadingView(reading: desk.reading)
      for (columns, rows) in [(10, 4), (1, 1), (200, 50), (10, 3)] {
        view.scroll(by: 1_000)
        var frame = Frame(columns: columns, rows: rows)
        view.draw(on: &frame, status: "keys")
        #expect(frame.text.count == rows)
        #expect(frame.text.allSatisfy { CharacterWidth.of($0) <= columns })
      }
    }
  }

  @Test func `N8 keys are told apart, in one piece or in several`() {
    var decoder = KeyDecoder()
    #expect(
      decoder.decode(Array("aé\u{1B}[A\u{1B}OB\u{1B}[5~\r\u{7F}".utf8)) == [
        .character("a"), .character("é"), .up, .down, .pageUp, .enter, .backspace,
      ])
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.decode(Array("[".utf8)) == [])
    #expect(decoder.decode(Array("D".utf8)) == [.left])
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.finish() == [.escape])
    #expect(decoder.decode(Array("\u{1B}x".utf8)) == [.escape, .character("x")])
    #expect(decoder.decode(Array("\u{1B}[1;5Q\u{03}".utf8)) == [.interrupt])
    #expect(decoder.decode([0xF0, 0x9F]) == [])
    #expect(decoder.decode([0x98, 0x80]) == [.character("😀")])
  }
}
