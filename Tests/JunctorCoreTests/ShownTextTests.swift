import JunctorCore
import Testing

@Suite struct ShownTextTests {
  /// What the standard's own classes say of a character.
  private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl
    }
  }

  @Test func `what a terminal obeys is what the standard calls control or direction`() {
    for value in 0...UInt32(0x10FFFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      if scalar.isObeyed != isControl(scalar) { Issue.record("\(String(value, radix: 16))") }
    }
  }

  @Test func `a name is shown escaped, and its beginning where it is long`() {
    #expect(shown("account.änderung – 漢 👩‍👩‍👧‍👦") == "account.änderung – 漢 👩‍👩‍👧‍👦")
    #expect(shown("a\u{1B}[2J\n\u{9B}\u{7F}") == "a\\u{1B}[2J\\n\\u{009B}\\u{7F}")
    #expect(shown("\u{202E}gpj\u{2028}") == "\\u{202E}gpj\\u{2028}")
    #expect(shown(String(repeating: "x", count: 120)) == String(repeating: "x", count: 120))
    #expect(shown(String(repeating: "x", count: 121)) == String(repeating: "x", count: 120) + "…")
    #expect(shown("") == "")
  }

  @Test func `what is kept is not escaped`() {
    #expect("a\n\u{9B}".escapingObeyed { $0 == "\n" } == "a\n\\u{009B}")
  }
}
