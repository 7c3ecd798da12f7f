import Testing

@testable import NewsreaderKit

/// Markup, widths and lines.
@Suite struct TextTests {
  @Test(arguments: [
    ("<p>One</p><p>Two</p>", "One\n\nTwo"),
    ("a<br>b<br/>c", "a\nb\nc"),
    ("<ul><li>x</li><li>y</li></ul>", "• x\n• y"),
    ("1 < 2 & 3 > 2", "1 < 2 & 3 > 2"),
    ("AT&amp;T &eacute; &#233; &#xE9; &nosuch;", "AT&T é é é &nosuch;"),
    ("a<script>b < c</script>d<style>e</style>f", "adf"),
    ("a<!-- b -->c<!doctype d>e", "ace"),
    ("<img src=x alt=\"a > b\">!", "[a > b]!"),
    ("  many \n spaces\t", "many spaces"),
    ("&#1;&#27;[31m\u{9B}x\u{202E}y", "[31m›xy"),
    ("unclosed <b", "unclosed <b"),
    ("<td>a</td><td>b</td>", "a b"),
    ("", ""),
  ])
  func `N4 markup becomes text`(markup: String, text: String) {
    #expect(MarkupText(markup).text == text)
  }

  @Test func `N4 the target of a link follows its text, resolved`() {
    let markup = "<a href='../b?x=1&amp;y=2'>there</a>, <a href='http://c.org/'>http://c.org/</a>"
    let text = MarkupText(markup) { LinkBase.resolve($0, against: "http://a.org/x/y") }.text
    #expect(text == "there <http://a.org/b?x=1&y=2>, http://c.org/")
  }

  @Test func `N4 a text is cut between characters`() {
    let cut = MarkupText(String(repeating: "é", count: 10), limit: 5)
    #expect(cut.isCut)
    #expect(cut.text == "éé")
    #expect(!MarkupText("short", limit: 5).isCut || MarkupText("short", limit: 6).text == "short")
  }

  @Test(.timeLimit(.minutes(1)))
  func `N4 hostile markup takes no longer than its length`() {
    let pieces = ["<a ", "<", "&", "<!--", "<a b=\"", "<p>", "</"]
    for piece in pieces {
      _ = MarkupText(String(repeating: piece, count: 100_000 / piece.count)).text
    }
  }

  @Test func `N4 plain text written as markup reads the same`() {
    let text = "a < b & c\nd"
    #expect(MarkupText(MarkupText.escaping(text)).text == text)
  }

  @Test(arguments: [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한", 2), ("😀", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2),
    ("❤\u{FE0F}", 2), ("❤", 1), ("\u{200B}", 0), ("ｗ", 2), ("ﬁ", 1), ("", 0), ("…", 1),
  ])
  func `N8 characters take the columns that terminals give them`(text: String, columns: Int) {
    #expect(CharacterWidth.of(text) == columns)
  }

  @Test func `N8 lines break at spaces, and inside of words only where they must`() {
    let wrapper = ColumnWrapper()
    #expect(wrapper.wrap("one two three", width: 8) == ["one two", "three"])
    #expect(wrapper.wrap("a\n\nb", width: 8) == ["a", "", "b"])
    #expect(wrapper.wrap("abcdefgh ij", width: 3) == ["abc", "def", "gh", "ij"])
    #expect(wrapper.wrap("日本語", width: 5) == ["日本", "語"])
    #expect(wrapper.wrap("日本", width: 1) == ["日", "本"])
    #expect(wrapper.wrap("", width: 0) == [""])
  }

  @Test func `N8 no line is longer than asked for`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let alphabet: [Character] = ["a", "b", " ", "日", "e\u{301}", "😀", "\n", " "]
    for _ in 0..<300 {
      let text = String((0..<60).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
      let width = Int.random(in: 2...20, using: &generator)
      let lines = ColumnWrapper().wrap(text, width: width)
      #expect(lines.allSatisfy { CharacterWidth.of($0) <= width }, "seed \(seed)")
      // Nothing but white space is lost.
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " && $0 != "\n" })
      let short = ColumnWrapper().shorten(text.filter { $0 != "\n" }, width: width)
      #expect(CharacterWidth.of(short) <= width, "seed \(seed)")
    }
  }

  @Test func `N8 what is shortened ends in an ellipsis`() {
    #expect(ColumnWrapper().shorten("abcdef", width: 4) == "abc…")
    #expect(ColumnWrapper().shorten("abcd", width: 4) == "abcd")
    #expect(ColumnWrapper().shorten("日本語", width: 4) == "日…")
    #expect(ColumnWrapper().shorten("x", width: 0) == "")
  }

  @Test func `N4 a line has no controls and single spaces`() {
    #expect(CleanText.line("  a \n b\u{1B}[2J\t") == "a b[2J")
    #expect(CleanText.line("plain") == "plain")
    #expect(CleanText.line("\u{92}") == "’")
  }

  @Test func `N7 a search minds neither case nor accents`() {
    let article = Samples.article(title: "Café Zürich", body: "Plain text")
    #expect(ArticleSearch("cafe").matches(article))
    #expect(ArticleSearch("PLAIN TEXT").matches(article))
    #expect(ArticleSearch("zürich").matches(article))
    #expect(!ArticleSearch("texts").matches(article))
  }
}
