internal import Foundation

/// Looks at everything before a document's first element, and finds what must not reach the parser.
///
/// A document type that declares entities can make a few bytes grow into gigabytes; a feed needs none. The parser
/// cannot be asked: on Linux it does not report such declarations.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct PrologScanner {
  /// What must not reach the parser.
  enum Fault: Sendable, Hashable {
    /// An entity is declared.
    case entity(FilePlace)
    /// The text is in an encoding in which the document type could not be read here.
    case encoding(String, FilePlace)
  }

  private enum State { case content, comment, instruction, doctype, quote(UInt8), done }
  private enum Width { case unknown, bytes, littleEndian, bigEndian }

  /// What was found, if anything.
  private(set) var fault: Fault?
  /// Whether the first element was reached; from there on, nothing is looked at.
  private(set) var isDone = false
  /// Whether a character takes one byte or more, and ASCII's always one.
  var isByteOriented: Bool { width == .bytes }

  private var state = State.content
  private var width = Width.unknown
  private var head: [UInt8] = []
  private var pending: UInt8?
  private var place = FilePlace(line: 1, column: 0)
  /// The last characters, at most nine, for the tokens that count.
  private var recent: [UInt8] = []
  private var declarations = 0
  private var declaration: [UInt8] = []
  private var isFirstInstruction = true

  /// Looks at more of the document.
  ///
  /// - Parameter bytes: what comes next.
  /// - Complexity: O(length), until the first element.
  mutating func scan(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if isDone || fault != nil { return }
      if width == .unknown {
        head.append(byte)
        guard head.count == 4 else { continue }
        begin()
      } else {
        take(byte)
      }
    }
  }

  /// Tells the width of a character from the first four bytes.
  private mutating func begin() {
    switch (head[0], head[1], head[2], head[3]) {
    case (0x00, 0x00, _, _), (0xFF, 0xFE, 0x00, 0x00), (0x3C, 0x00, 0x00, 0x00):
      fault = .encoding("UTF-32", FilePlace(line: 1, column: 1))
    case (0x4C, 0x6F, 0xA7, 0x94): fault = .encoding("EBCDIC", FilePlace(line: 1, column: 1))
    case (0xFF, 0xFE, _, _), (_, 0x00, _, _): width = .littleEndian
    case (0xFE, 0xFF, _, _), (0x00, _, _, _): width = .bigEndian
    default: width = .bytes
    }
    let bytes = head
    head = []
    if fault == nil { for byte in bytes { take(byte) } }
  }

  private mutating func take(_ byte: UInt8) {
    guard !isDone, fault == nil else { return }
    if width == .bytes { return take(character: byte) }
    guard let first = pending else {
      pending = byte
      return
    }
    pending = nil
    let (high, low) = width == .bigEndian ? (first, byte) : (byte, first)
    // What is not ASCII never ends a token.
    take(character: high == 0 && low < 0x80 ? low : 0x80)
  }

  private mutating func take(character: UInt8) {
    if character == 0x0A {
      place = FilePlace(line: place.line + 1, column: 0)
    } else {
      place.column += 1
    }
    recent.append(character)
    if recent.count > 9 { recent.removeFirst() }
    switch state {
    case .content: takeInContent(character)
    case .comment: if ends(with: "-->") { leave() }
    case .instruction: takeInInstruction(character)
    case .doctype: takeInDoctype(character)
    case .quote(let quote): if character == quote { state = .doctype }
    case .done: break
    }
  }

  private mutating func takeInContent(_ character: UInt8) {
    if ends(with: "<?") {
      state = .instruction
    } else if ends(with: "<!--") {
      state = .comment
    } else if ends(with: "<!DOCTYPE") || ends(with: "<!doctype") {
      state = .doctype
      declarations = 1
    } else if recent.dropLast().last == UInt8(ascii: "<"), character != UInt8(ascii: "!") {
      state = .done
      isDone = true
    }
  }

  private mutating func takeInInstruction(_ character: UInt8) {
    if isFirstInstruction { declaration.append(character) }
    guard ends(with: "?>") else { return }
    if isFirstInstruction, let name = declaredEncoding, !Self.isReadable(name) {
      fault = .encoding(name, place)
    }
    isFirstInstruction = false
    declaration = []
    leave()
  }

  private mutating func takeInDoctype(_ character: UInt8) {
    if ends(with: "<!ENTITY") {
      fault = .entity(FilePlace(line: place.line, column: place.column - 7))
    } else if ends(with: "<!--") {
      // The comment takes back what its first two characters opened.
      declarations -= 1
      state = .comment
    } else if ends(with: "<?") {
      state = .instruction
    } else if ends(with: "<!") {
      declarations += 1
    } else if character == UInt8(ascii: "\"") || character == UInt8(ascii: "'") {
      state = .quote(character)
    } else if character == UInt8(ascii: ">") {
      declarations -= 1
      if declarations == 0 { state = .content }
    }
  }

  /// Goes back to where a comment or an instruction stood.
  private mutating func leave() {
    recent = []
    state = declarations > 0 ? .doctype : .content
  }

  private func ends(with token: StaticString) -> Bool {
    // The shortest comparison that fails: most characters end no token.
    String(describing: token).utf8.elementsEqual(recent.suffix(token.utf8CodeUnitCount))
  }
}

// MARK: - Encodings

extension PrologScanner {
  /// The encoding that the XML declaration names.
  private var declaredEncoding: String? {
    let text = String(decoding: declaration, as: UTF8.self)
    guard let key = text.range(of: "encoding") else { return nil }
    let value = text[key.upperBound...].drop { $0 == " " || $0 == "=" || $0.isNewline }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return String(value.dropFirst().prefix { $0 != quote })
  }

  /// Whether ASCII reads as ASCII in an encoding, so that this scanner sees what the parser sees.
  private static func isReadable(_ name: String) -> Bool {
    let name = name.lowercased()
    return [
      "utf-8", "utf8", "utf-16", "utf16", "ucs-2", "iso-10646-ucs-2", "us-ascii", "ascii",
      "iso-8859", "iso8859", "iso_8859", "latin", "windows-", "cp125", "koi8", "shift_jis",
      "shift-jis", "sjis", "euc-", "gb2312", "gbk", "gb18030", "big5", "tis-620", "mac",
    ].contains { name.hasPrefix($0) }
  }
}
