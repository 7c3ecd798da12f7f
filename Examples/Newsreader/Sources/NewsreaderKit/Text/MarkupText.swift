/// Turns HTML, as feeds carry it, into plain text.
///
/// Nothing in it is taken for an error: what is no tag is text, what is no reference is an ampersand.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct MarkupText {
  /// The text: paragraphs with an empty line between them, items of lists with a bullet before them.
  private(set) var text = ""
  /// Whether the text was cut because it reached the limit.
  private(set) var isCut = false

  private let limit: Int
  private let isTitle: Bool
  private var output: [UInt8] = []
  private var pendingBreaks = 0
  private var pendingSpace = false
  private var hidden: String?
  private var openLink: String?
  private let resolve: (String) -> String

  /// Converts a piece of HTML.
  ///
  /// - Parameters:
  ///   - html: the HTML, or plain text.
  ///   - limit: how many bytes of text are kept.
  ///   - isTitle: whether it is a title: there, `<Int>` is text, since only a few tags are usual.
  ///   - resolve: turns the target of a link into an absolute one.
  /// - Complexity: O(length).
  init(
    _ html: String, limit: Int = .max, isTitle: Bool = false,
    resolve: @escaping (String) -> String = { $0 }
  ) {
    self.limit = limit
    self.isTitle = isTitle
    self.resolve = resolve
    let bytes = Array(html.utf8)
    var position = 0
    while position < bytes.count {
      if output.count >= limit {
        isCut = true
        break
      }
      switch bytes[position] {
      case UInt8(ascii: "<"): position = takeTag(bytes, at: position)
      case UInt8(ascii: "&"): position = takeReference(bytes, at: position)
      default:
        append(bytes[position])
        position += 1
      }
    }
    text = finished()
  }

  /// The text with its controls taken out; cut between characters, never inside one.
  private func finished() -> String {
    var kept = output.prefix(limit)
    while isCut, let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
    if isCut, let last = kept.last, last >= 0xC0 { kept.removeLast() }
    let raw = String(decoding: kept, as: UTF8.self)
    guard kept.contains(where: { $0 == 0xC2 || $0 == 0xE2 || $0 == 0xEF || $0 == 0x7F }) else {
      return raw
    }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: raw.unicodeScalars.compactMap(CleanText.clean))
    return String(result)
  }
}

// MARK: - Text

extension MarkupText {
  private mutating func append(_ byte: UInt8) {
    if hidden != nil { return }
    if byte == 0x20 || (0x09...0x0D).contains(byte) {
      pendingSpace = true
      return
    }
    if byte < 0x20 { return }
    flushBreaks()
    output.append(byte)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar).map(Array.init) ?? [] { append(byte) }
  }

  private mutating func append(_ text: String) {
    for byte in text.utf8 { append(byte) }
  }

  private mutating func flushBreaks() {
    if output.isEmpty {
      // Nothing to keep apart yet.
    } else if pendingBreaks > 0 {
      output.append(contentsOf: repeatElement(0x0A, count: min(pendingBreaks, 2)))
    } else if pendingSpace {
      output.append(0x20)
    }
    pendingBreaks = 0
    pendingSpace = false
  }

  private mutating func takeReference(_ bytes: [UInt8], at start: Int) -> Int {
    let end = bytes[start...].prefix(NamedEntities.longestName + 4).firstIndex(
      of: UInt8(ascii: ";"))
    guard let end, let meaning = Self.meaning(bytes[(start + 1)..<end]) else {
      append(UInt8(ascii: "&"))
      return start + 1
    }
    if let scalar = CleanText.clean(meaning) { append(scalar) }
    return end + 1
  }

  /// The scalar that a reference means, without ampersand and semicolon; `nil` if it is none.
  private static func meaning(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let name = String(decoding: bytes, as: UTF8.self)
    guard name.hasPrefix("#") else { return NamedEntities.scalar(name) }
    let digits = name.dropFirst()
    let isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
    let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init)
  }
}

// MARK: - Tags

extension MarkupText {
  private mutating func takeTag(_ bytes: [UInt8], at start: Int) -> Int {
    guard let tag = MarkupTag(bytes, at: start), !isTitle || tag.isUsualInTitles else {
      append(UInt8(ascii: "<"))
      return start + 1
    }
    if let hidden {
      if tag.isEnd, tag.name == hidden { self.hidden = nil }
      return tag.end
    }
    apply(tag)
    return tag.end
  }

  private mutating func apply(_ tag: MarkupTag) {
    switch tag.name {
    case "script", "style", "template":
      if !tag.isEnd, !tag.isEmpty { hidden = tag.name }
    case "br":
      if !tag.isEnd { pendingBreaks += 1 }
    case "li", "dt":
      pendingBreaks = max(pendingBreaks, 1)
      if !tag.isEnd {
        append("•")
        pendingSpace = true
      }
    case "p", "div", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table",
      "pre", "hr", "figure", "section", "article", "header", "footer":
      pendingBreaks = 2
    case "tr", "dd", "figcaption":
      pendingBreaks = max(pendingBreaks, 1)
    case "td", "th":
      pendingSpace = true
    case "img":
      if let text = tag.attribute("alt"), !text.isEmpty { append("[\(text)]") }
    case "a":
      applyLink(tag)
    default:
      break
    }
  }

  /// Puts the target of a link behind its text, where that says something else.
  private mutating func applyLink(_ tag: MarkupTag) {
    guard tag.isEnd else {
      let target = tag.attribute("href").map { MarkupText($0).text }
      openLink = target.flatMap { $0.hasPrefix("#") || $0.isEmpty ? nil : resolve($0) }
      return
    }
    guard let target = openLink else { return }
    openLink = nil
    if !output.suffix(target.utf8.count).elementsEqual(target.utf8) { append(" <\(target)>") }
  }
}

extension MarkupText {
  /// Writes plain text as markup that reads the same; line feeds begin a new line.
  ///
  /// - Parameter text: plain text.
  /// - Complexity: O(length).
  static func escaping(_ text: String) -> String {
    var markup = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": markup += "&amp;"
      case "<": markup += "&lt;"
      case "\n": markup += "<br>"
      default: markup.unicodeScalars.append(scalar)
      }
    }
    return markup
  }
}
