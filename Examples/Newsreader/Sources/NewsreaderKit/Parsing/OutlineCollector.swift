internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// Hears a parse and collects the feeds that an OPML file lists, however deep.
///
/// ## Concurrency
/// Not `Sendable`: stays with the loader that made it.
final class OutlineCollector: NSObject, XMLParserDelegate {
  private var entries: [OutlineEntry] = []

  /// Hands out what was collected, and is empty again.
  ///
  /// - Returns: the entries, in the order of the file.
  /// - Complexity: O(1).
  func take() -> [OutlineEntry] {
    defer { entries = [] }
    return entries
  }

  // MARK: - XMLParserDelegate

  /// Takes an outline that points somewhere.
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes: [String: String]
  ) {
    guard elementName == "outline" else { return }
    // The names are spelled in all ways; an `include` names another OPML file in `url`.
    let named = attributes.first { $0.key.lowercased() == "xmlurl" }?.value
    let included = attributes["type"]?.lowercased() == "include" ? attributes["url"] : nil
    let location = CleanText.line(named ?? included ?? "")
    guard !location.isEmpty else { return }
    entries.append(OutlineEntry(location: location, line: max(parser.lineNumber, 1)))
  }
}
