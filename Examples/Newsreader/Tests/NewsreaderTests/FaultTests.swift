import Foundation
import Testing

@testable import NewsreaderKit

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What is said of files that cannot be read.
@Suite struct FaultTests {
  private let folder: ScratchFolder
  private let loader = XMLFeedLoader()

  init() throws { folder = try ScratchFolder() }

  private func problem(_ text: String) async throws -> String {
    try await problem(Data(text.utf8))
  }

  private func problem(_ data: Data) async throws -> String {
    let path = try folder.write("f.xml", data)
    let message = await loader.load(path).problem?.message ?? "none"
    #expect(!message.contains("\n"))
    return message.replacingOccurrences(of: path, with: "f.xml")
  }

  @Test func `N5 what is not there, or no file, is said`() async {
    let missing = await loader.load(folder.path("none.xml")).problem?.message
    #expect(missing?.contains("none.xml': there is no such file.") == true)
    let isFolder = await loader.load(folder.url.path).problem?.message
    #expect(isFolder?.contains("it is a folder.") == true)
  }

  @Test(arguments: ["", " \n\t ", "\u{FEFF}"])
  func `N5 an empty file is said to be empty`(text: String) async throws {
    let message = try await problem(text)
    #expect(message.hasPrefix("Can't read 'f.xml") && message.hasSuffix("."))
    if text != "\u{FEFF}" { #expect(message.contains("the file is empty")) }
  }

  @Test(arguments: [
    ("hello", "'f.xml:1:1': it is no XML."),
    ("{\"a\": 1}", "'f.xml:1:1': it is no XML."),
    ("<!doctype html><html><p>x<br></html>", "it is no XML."),
    ("\n<html></html>", "it is XML but no feed, its first element is <html>."),
    ("<rss>\n<channel>\n<item><title>x</ti", "'f.xml:3:19': the file ends inside <title>."),
    ("<rss><channel><title>a & b</title></channel></rss>", "a '<' or '&' stands there"),
    ("<rss><channel><item></channel></rss>", "an end tag does not match <item>."),
    ("<rss></rss><rss></rss>", "there is more after its last element."),
    ("<rss>&foo;</rss>", "it uses an entity that nothing declares."),
    ("<?xml version='1.0' encoding='UTF-16'?><rss/>", "not in the encoding that it declares."),
    ("<?xml version='1.0' encoding='Klingon'?><rss/>", "the encoding 'Klingon' is not read here."),
    ("<?xml version='1.0' encoding='UTF-7'?><rss/>", "the encoding 'UTF-7' is not read here."),
    ("<!DOCTYPE r [\n<!ENTITY a 'b'>]><rss>&a;</rss>", "'f.xml:2:1': it declares entities"),
  ])
  func `N5 one line names file, place and cause`(text: String, expected: String) async throws {
    let message = try await problem(text)
    #expect(message.contains(expected), "\(message)")
  }

  @Test func `N5 text that is not in the declared encoding is said, with its place`() async throws {
    let bytes = Data("<rss>\n<channel><title>caf".utf8) + Data([0xE9]) + Data("</title>".utf8)
    let message = try await problem(bytes)
    #expect(message.contains("'f.xml:2:"))
    #expect(message.contains("its text is not in the encoding that it declares."))
  }

  @Test func `N5 what came before a fault stays, and nothing of what was refused`() async throws {
    let rss = Samples.rss("<title>A</title>", "<title>B</title>")
    let cut = try folder.write("cut.xml", String(rss.dropLast(30)))
    let broken = await loader.load(cut)
    #expect(broken.feed?.articles.map(\.title) == ["A"])
    #expect(broken.problem != nil)
    let declared = try folder.write("d.xml", "<!DOCTYPE r [<!ENTITY a 'b'>]>" + rss)
    let refused = await loader.load(declared)
    #expect(refused.feed == nil)
  }

  @Test(arguments: ["utf8", "utf16"])
  func `N5 a bomb of entities is refused before the parser sees it`(form: String) async throws {
    var bomb = "<!DOCTYPE b [<!ENTITY a0 'ha'>"
    for level in 1...20 {
      bomb += "<!ENTITY a\(level) '\(String(repeating: "&a\(level - 1);", count: 10))'>"
    }
    bomb += "]><rss><channel><title>&a20;</title></channel></rss>"
    let data = try #require(bomb.data(using: form == "utf8" ? .utf8 : .utf16))
    #expect(try await problem(data).contains("it declares entities"))
  }

  /// Document types in which the declaration hides; the last ones have none.
  @Test(arguments: [
    ("<!DOCTYPE a [ <!ENTITY x 'y'> ]><r/>", true),
    ("<!DOCTYPE a SYSTEM \"<r>\" [<!ENTITY x 'y'>]><r/>", true),
    ("<!-- <r> --><!DOCTYPE a [<!ENTITY % x 'y'>]><r/>", true),
    ("<!DOCTYPE a [<!-- > ]> --><!ENTITY x 'y'>]><r/>", true),
    ("<!DOCTYPE a [<?pi > ]> ?><!ENTITY x 'y'>]><r/>", true),
    ("<!DOCTYPE a [<!ELEMENT b ANY><!ATTLIST b c CDATA '>'><!ENTITY x 'y'>]><r/>", true),
    ("<!-- <!ENTITY x 'y'> --><r/>", false),
    ("<!DOCTYPE a PUBLIC \"p\" \"http://x/y.dtd\"><r/>", false),
    ("<r><![CDATA[<!ENTITY x 'y'>]]></r>", false),
    ("<?xml version=\"1.0\"?><r><!-- <!ENTITY --></r>", false),
  ])
  func `N5 a declaration is found wherever it may stand`(text: String, isFound: Bool) {
    for size in [1, 3, 1_000] {
      var scanner = PrologScanner()
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        scanner.scan(bytes[start..<min(start + size, bytes.count)])
      }
      #expect((scanner.fault != nil) == isFound)
      #expect(scanner.isDone == !isFound)
    }
  }

  @Test func `N5 an external entity is never fetched`() async throws {
    let secret = try folder.write("secret.txt", "SECRET")
    let message = try await problem(
      "<!DOCTYPE r [<!ENTITY x SYSTEM 'file://\(secret)'>]><rss><channel><title>&x;</title></channel></rss>"
    )
    #expect(message.contains("it declares entities"))
    let dtd = try folder.write("d.dtd", "<!ENTITY x 'SECRET'>")
    let external = try folder.write(
      "e.xml",
      "<!DOCTYPE r SYSTEM '\(dtd)'>" + Samples.rss("<title>&x;</title>"))
    let file = await loader.load(external)
    #expect(file.feed?.articles.contains { $0.title.contains("SECRET") } != true)
  }

  @Test func `N9 ten megabytes on one line are read, and only their beginning is kept`()
    async throws
  {
    let text = String(repeating: "word ", count: 2_100_000)
    let path = try folder.write(
      "long.xml", Samples.rss("<title>\(text)</title><description>\(text)</description>"))
    let file = await loader.load(path)
    let article = try #require(file.feed?.articles.first)
    #expect(file.problem == nil)
    #expect(article.title.utf8.count <= ArticleCollector.lineLimit)
    #expect(article.body.utf8.count <= ArticleCollector.bodyLimit)
    #expect(article.isCut)
  }

  @Test func `N9 a parse that nobody waits for ends`() async throws {
    let path = try folder.write("f.xml", Samples.rss("<title>A</title>"))
    let task = Task { [loader] in
      while !Task.isCancelled { await Task.yield() }
      return await loader.load(path)
    }
    task.cancel()
    let file = await task.value
    #expect(file.feed == nil)
    #expect(file.problem != nil)
  }

  @Test func `N9 beyond the budget only the beginning of each text is kept`() throws {
    let collector = ArticleCollector(budget: 1_000)
    let parser = XMLParser(
      data: Data(
        Samples.rss(
          "<title>A</title><description>\(String(repeating: "x", count: 2_000))</description>",
          "<title>B</title><description>\(String(repeating: "y", count: 2_000))</description>"
        ).utf8))
    parser.shouldProcessNamespaces = true
    parser.delegate = collector
    #expect(parser.parse())
    let articles = collector.take().articles
    #expect(articles.map(\.body.utf8.count) == [2_000, 256])
    #expect(articles.map(\.isCut) == [false, true])
  }
}
