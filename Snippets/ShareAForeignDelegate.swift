// Share a delegate whose protocol somebody else has written.
import Foundation
import Junctor
import JunctorMacros

#if canImport(FoundationXML)
  import FoundationXML
#endif

final class ParserTargets: NSObject, XMLParserDelegate, MulticastHolder {
  let targets = MulticastList<any XMLParserDelegate>()
  var multicastRegistry: MulticastRegistry { targets.registry }

  @Forwarded func parserDidStartDocument(_ parser: XMLParser)
  @Forwarded func parser(_ parser: XMLParser, foundCharacters string: String)
}

final class Words: NSObject, XMLParserDelegate {
  var count = 0
  func parser(_ parser: XMLParser, foundCharacters string: String) {
    count += string.split(separator: " ").count
  }
}

final class Progress: NSObject, XMLParserDelegate {
  func parserDidStartDocument(_ parser: XMLParser) { print("reading") }
}

let (all, words, progress) = (ParserTargets(), Words(), Progress())
all.targets.add(progress)
all.targets.add(words)

let parser = XMLParser(data: Data("<a>four words in here</a>".utf8))
parser.delegate = all
print(parser.parse(), words.count)
withExtendedLifetime((all, progress)) {}

// Prints: reading
// Prints: true 4
