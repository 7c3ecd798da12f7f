import Foundation
import Testing

@testable import NewsreaderKit

/// What is read from well-formed files.
@Suite struct ParsingTests {
  private let folder: ScratchFolder
  private let loader = XMLFeedLoader()

  init() throws { folder = try ScratchFolder() }

  private func load(_ text: String, name: String = "f.xml") async throws -> LoadedFile {
    await loader.load(try folder.write(name, text))
  }

  @Test func `N1 RSS 2 is read`() async throws {
    let file = try await load(
      Samples.rss(
        "<title>One</title><link>/1</link><guid isPermaLink='false'>g1</guid>"
          + "<pubDate>Mon, 05 Jan 2026 12:00:00 GMT</pubDate><author>me</author>"
          + "<description>Short</description><enclosure url='a.mp3'/>"))
    let article = try #require(file.feed?.articles.first)
    #expect(file.problem == nil)
    #expect(article.title == "One")
    #expect(article.feedTitle == "Feed")
    #expect(article.link == "http://a.org/1")
    #expect(article.author == "me")
    #expect(article.published == FeedDate.parse("2026-01-05T12:00:00Z"))
    #expect(article.body == "Short")
    #expect(
      article.links == [ArticleLink(relation: "enclosure", target: "http://a.org/a.mp3")])
  }

  @Test func `N1 RSS 1 is read`() async throws {
    let file = try await load(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="http://a.org/rdf"><title>R</title><link>http://a.org/</link></channel>
      <item rdf:about="http://a.org/1"><title>One</title><link>http://a.org/1</link>
        <dc:date>2026-01-05</dc:date><dc:creator>her</dc:creator></item>
      <item rdf:about="http://a.org/2"><title>Two</title><link>http://a.org/2</link></item>
      </rdf:RDF>
      """)
    let feed = try #require(file.feed)
    #expect(feed.title == "R")
    #expect(feed.articles.map(\.title) == ["One", "Two"])
    #expect(feed.articles[0].author == "her")
    #expect(feed.articles[0].published == FeedDate.parse("2026-01-05"))
    #expect(feed.id.rawValue == "http://a.org/rdf")
  }

  @Test func `N1 Atom is read, with its kinds of text`() async throws {
    let file = try await load(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://a.org/x/"><title>A</title><id>urn:a</id>
      <entry xml:base="y/"><title type="html">&lt;b>T&lt;/b></title><id>urn:1</id><link href="1"/>
        <link rel="via" href="v"/><updated>2026-01-05T12:00:00Z</updated><author><name>him</name></author>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>1 &lt; 2</p><p>Two</p></div></content>
        <summary>Not this</summary></entry>
      <entry><title>&lt;b> is text</title><id>urn:2</id><content>a &lt;b> c</content></entry>
      </feed>
      """)
    let feed = try #require(file.feed)
    #expect(feed.id.rawValue == "urn:a")
    #expect(feed.articles.map(\.title) == ["T", "<b> is text"])
    #expect(feed.articles[0].link == "http://a.org/x/y/1")
    #expect(
      feed.articles[0].links == [ArticleLink(relation: "via", target: "http://a.org/x/y/v")])
    #expect(feed.articles[0].author == "him")
    #expect(feed.articles[0].body == "1 < 2\n\nTwo")
    #expect(feed.articles[1].body == "a <b> c")
  }

  @Test func `N1 the richest text is taken, wherever it stands`() async throws {
    let encoded = "<content:encoded><![CDATA[<p>Long</p>]]></content:encoded>"
    let file = try await load(
      Samples.rss(
        encoded + "<description>Short</description>",
        "<guid>2</guid><description>Short</description>" + encoded))
    #expect(file.feed?.articles.map(\.body) == ["Long", "Long"])
  }

  @Test func `N1 titles of images, media and sources are not the article's`() async throws {
    let file = try await load(
      Samples.rss(
        "<title>Right</title><source><title>Wrong</title></source>"
          + "<media:title xmlns:media='urn:m'>Wrong</media:title><image><title>Wrong</title></image>"
      ))
    #expect(file.feed?.articles.map(\.title) == ["Right"])
  }

  @Test func `N1 an article is known by its own identifier, whatever else changes`() async throws {
    func id(_ item: String) async throws -> ArticleID? {
      try await load(Samples.rss(item)).feed?.articles.first?.id
    }
    let first = try await id("<title>A</title><guid>g</guid>")
    #expect(try await id("<title>B</title><guid>g</guid><link>x</link>") == first)
    #expect(try await id("<title>A</title><guid>h</guid>") != first)
    let linked = try await id("<title>A</title><link>x</link>")
    #expect(try await id("<title>A</title><link>x</link><description>new</description>") == linked)
    #expect(try await id("<title>B</title><link>x</link>") != linked)
    #expect(ArticleID("\(try #require(first))") == first)
    #expect(ArticleID("+0000000000000000000000000000001") == nil)
  }

  @Test func `N1 of two articles with one identifier the first stays`() async throws {
    let file = try await load(
      Samples.rss("<title>A</title><guid>g</guid>", "<title>B</title><guid>g</guid>"))
    #expect(file.feed?.articles.map(\.title) == ["A"])
  }

  @Test func `N1 an OPML file lists its feeds at any depth`() async throws {
    let file = try await load(
      "<opml><body><outline text='f'><outline xmlUrl='a.xml'/></outline>\n"
        + "<outline xmlurl='b/c.xml'/><outline type='include' url='d.opml'/><outline url='no'/></body></opml>"
    )
    #expect(file.outline.map(\.location) == ["a.xml", "b/c.xml", "d.opml"])
    #expect(file.outline.map(\.line) == [1, 2, 2])
    #expect(file.feed == nil)
  }

  @Test(arguments: [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian])
  func `N3 Unicode is read in every form`(encoding: String.Encoding) async throws {
    var text = Samples.rss("<title>Grüße 😀</title>")
    if encoding == .utf16LittleEndian || encoding == .utf16BigEndian {
      text = "\u{FEFF}" + text
    }
    let data = try #require(text.data(using: encoding))
    let file = await loader.load(try folder.write("u.xml", data))
    #expect(file.problem == nil)
    #expect(file.feed?.articles.map(\.title) == ["Grüße 😀"])
  }

  @Test func `N3 Latin-1 is read, and Windows' characters in it are what they were meant to be`()
    async throws
  {
    let head = Data("<?xml version='1.0' encoding='ISO-8859-1'?>".utf8)
    let body = Samples.rss("<title>caf\u{E9} \u{93}x\u{94}</title>").unicodeScalars
    let data = head + Data(body.map { UInt8($0.value) })
    let file = await loader.load(try folder.write("l.xml", data))
    #expect(file.feed?.articles.map(\.title) == ["café “x”"])
  }

  @Test func `N4 in a title only what is usual there is markup`() async throws {
    let file = try await load(
      Samples.rss("<title>&lt;b&gt;Optional&lt;Int&gt;&lt;/b&gt; &amp;amp; a &lt; b</title>"))
    #expect(file.feed?.articles.map(\.title) == ["Optional<Int> & a < b"])
  }

  @Test func `N4 HTML's entities are read where XML has none`() async throws {
    let file = try await load(Samples.rss("<title>a&nbsp;&eacute;&amp;&lt;</title>"))
    #expect(file.problem == nil)
    #expect(file.feed?.articles.map(\.title) == ["a\u{A0}é&<"])
  }

  @Test func `N4 a reference may come in two pieces`() {
    var rewriter = EntityRewriter()
    var result = rewriter.rewrite(Array("x&ea".utf8), isLast: false)
    result += rewriter.rewrite(Array("cute;&am".utf8), isLast: false)
    result += rewriter.rewrite(Array("p;&".utf8), isLast: false)
    result += rewriter.rewrite([], isLast: true)
    #expect(String(decoding: result, as: UTF8.self) == "x&#233;&amp;&")
    #expect(rewriter.count == 1)
  }

  @Test func `N1 the feeds that ship are read, every oddity in them`() async throws {
    let odd = await loader.load(Samples.shipped.appendingPathComponent("oddities.xml").path)
    let feed = try #require(odd.feed)
    #expect(odd.problem == nil)
    #expect(feed.title == "Café Curiosités & Co.")
    #expect(feed.articles.count == 7)
    #expect(feed.articles[0].title == "CDATA, with markup & entities: café été naïve\u{A0}€5")
    #expect(feed.articles[0].published == FeedDate.parse("2026-11-02T12:05:00Z"))
    #expect(feed.articles[0].body.hasPrefix("The long one: 1 < 2, AT&T, © and —."))
    #expect(feed.articles[1].title == "No title, so the text has to do. It has a second sentence.")
    #expect(feed.articles[1].published == nil)
    #expect(feed.articles[2].title == "Spaces, line ends and tabs")
    #expect(feed.articles[2].link == "https://odd.example.com/blog/archive/3.html")
    #expect(feed.articles[2].author == "Zoë Müller")
    #expect(feed.articles[2].body.contains("Windows’ quotes: “smart” ones – and"))
    #expect(
      feed.articles[3].body == "This is no text but elements.\n\nSecond paragraph.\nWith a break.")
    #expect(feed.articles[3].published == nil)
    #expect(feed.articles[4].published == FeedDate.parse("2026-09-06T05:10:09Z"))
    #expect(!feed.articles[6].title.contains("\u{202E}"))
    for name in ["harbour-gazette.xml", "compiler-notes.xml"] {
      let file = await loader.load(Samples.shipped.appendingPathComponent(name).path)
      #expect(file.problem == nil)
      #expect(file.feed?.articles.isEmpty == false)
    }
  }
}
