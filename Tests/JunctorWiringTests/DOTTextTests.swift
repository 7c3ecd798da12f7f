import Testing

@testable import JunctorWiring

struct DOTTextTests {
  /// Widths of DejaVu Sans in ems, as a browser measures them.
  @Test(
    arguments: [
      ("NewsreaderKit/NewsreaderProgram.swift:70", false, 22.2), ("24 nodes, 27 edges", false, 9.9),
      ("channel · NewsreaderKit.ArticleArchived", false, 20.2), ("───▶", false, 2.6),
      ("FeedValidator", true, 7.9), ("ArticleCollector", true, 8.8), ("WWWMMM", true, 6.4),
    ])
  func `W2 a text is given the room that it takes in a wide font`(
    text: String, isBold: Bool, ems: Double
  ) {
    let width = DOTText.width(of: text, size: 10, isBold: isBold)
    #expect(width >= ems * 10)
    #expect(width <= ems * 16)
  }

  @Test func `W2 every label begins at the left and has its room`() {
    let dot = Sample.everything.dot()
    for part in dot.split(separator: " label=<").dropFirst() {
      #expect(part.hasPrefix("<TABLE"))
      #expect(part.contains("WIDTH=\""))
    }
  }
}
