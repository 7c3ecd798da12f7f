internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// Hears a parse and judges it: what kind of document it is, and where it first goes wrong.
///
/// ## Concurrency
/// Not `Sendable`: stays with the loader that made it.
final class FeedValidator: NSObject, XMLParserDelegate {
  /// What kind of document a file holds.
  enum Kind: Sendable, Hashable {
    /// RSS 2.0 and its elders, RSS 1.0, Atom, OPML.
    case rss, rdf, atom, outline
    /// Some other XML, by its first element.
    case unknown(String)
  }

  /// What became of a parse.
  struct Verdict: Sendable {
    /// The kind of document; `nil` if there was no element at all.
    var kind: Kind?
    /// Where the first element's start tag ends.
    var rootPlace = FilePlace(line: 1, column: 1)
    /// Where the parse first went wrong, and the parser's number for it.
    var fault: (code: Int, place: FilePlace)?
    /// Whether an entity was declared.
    var declaresEntities = false
    /// The elements that were open at the fault or at the end, outermost first.
    var open: [String] = []
    /// Whether a prefix was used without having been declared.
    var hasUndeclaredPrefix = false
  }

  private var verdict = Verdict()

  /// Hands out the verdict, and is empty again.
  ///
  /// - Complexity: O(1).
  func take() -> Verdict {
    defer { verdict = Verdict() }
    return verdict
  }

  // MARK: - XMLParserDelegate

  /// Tells the kind of document by its first element.
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes: [String: String]
  ) {
    guard verdict.fault == nil else { return }
    verdict.open.append(qName ?? elementName)
    guard verdict.kind == nil else { return }
    verdict.rootPlace = FilePlace(line: parser.lineNumber, column: parser.columnNumber)
    switch elementName.lowercased() {
    case "rss": verdict.kind = .rss
    case "rdf": verdict.kind = .rdf
    case "feed": verdict.kind = .atom
    case "opml": verdict.kind = .outline
    default:
      verdict.kind = .unknown(qName ?? elementName)
      parser.abortParsing()
    }
  }

  /// Keeps count of what is open.
  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?
  ) {
    guard verdict.fault == nil else { return }
    _ = verdict.open.popLast()
  }

  /// Notes the first fault, and ends the parse there.
  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    let code = (parseError as NSError).code
    // 201 to 205 are about namespaces: the document is well-formed all the same.
    if (201...205).contains(code) {
      verdict.hasUndeclaredPrefix = true
      return
    }
    guard verdict.fault == nil, verdict.kind.map({ !$0.isUnknown }) ?? true else { return }
    verdict.fault = (code, FilePlace(line: parser.lineNumber, column: parser.columnNumber))
    parser.abortParsing()
  }

  /// Ends the parse: no feed needs entities of its own, and those who declare them mean harm.
  func parser(
    _ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?
  ) {
    verdict.declaresEntities = true
    parser.abortParsing()
  }
}

extension FeedValidator.Kind {
  /// Whether this is no kind that can be read.
  var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }
}
