internal import Foundation
internal import Junctor
internal import JunctorMacros

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// The one delegate that `XMLParser` has: passes on what it hears to all that want to hear the parse.
///
/// `XMLParserDelegate` is Foundation's. So its methods are named here, those that anybody listens for; what is in them is
/// written by `@Forwarded`.
///
/// ## Concurrency
/// Not `Sendable`: stays with the loader that made it. Targets are called in the order in which they were added, and are
/// held weakly.
final class ParserMulticast: NSObject, XMLParserDelegate, MulticastHolder {
  /// Who hears the parse.
  let targets: MulticastList<any XMLParserDelegate>

  /// Who hears the parse, whatever they are called as.
  var multicastRegistry: MulticastRegistry { targets.registry }

  /// Makes a multicast without targets.
  ///
  /// - Parameters:
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  init(fileID: StaticString = #fileID, line: UInt = #line) {
    targets = MulticastList(label: "XMLParser's listeners", fileID: fileID, line: line)
  }

  // MARK: - XMLParserDelegate

  /// An element begins.
  @Forwarded
  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes: [String: String])

  /// An element ends.
  @Forwarded
  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?)

  /// Text was found, or a part of it.
  @Forwarded
  func parser(_ parser: XMLParser, foundCharacters string: String)

  /// A CDATA section was found.
  @Forwarded
  func parser(_ parser: XMLParser, foundCDATA block: Data)

  /// An entity is declared.
  @Forwarded
  func parser(
    _ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?)

  /// The document is not well-formed.
  @Forwarded
  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error)
}
