import Foundation
import Junctor
import JunctorMacros
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

// What the articles and the doc comments about multicasts show.
private final class Player {}
private struct Track {}

@Multicast
protocol BaseDelegate: AnyObject {
  func didStart()
}

@Multicast(inheriting: BaseDelegate.self)
protocol SpecialDelegate: BaseDelegate {
  func didEnd()
}

extension BaseDelegateMulticast: BaseDelegate, Multicasting {}
extension SpecialDelegateMulticast: SpecialDelegate, Multicasting {}

private protocol PlayerDelegate: AnyObject {
  func playerDidStart(_ player: Player)
  func player(_ player: Player, mayPlay track: Track) -> Bool
  func prepare() async
}

private final class Logger: PlayerDelegate {
  var log: [String] = []
  func playerDidStart(_ player: Player) { log.append("started") }
  func player(_ player: Player, mayPlay track: Track) -> Bool { false }
  func prepare() async { log.append("prepared") }
}

private final class Both: SpecialDelegate {
  var log: [String] = []
  func didStart() { log.append("start") }
  func didEnd() { log.append("end") }
}

/// Stands for a view that asks once what its delegate implements.
private final class Table { weak var delegate: (any BaseDelegate)? }

#if !canImport(ObjectiveC)
  // On Apple platforms the method is optional in Objective-C, and called with a question mark.
  private enum WithoutMacros {
    final class ParserTargets: NSObject, XMLParserDelegate, MulticastHolder {
      let targets = MulticastList<any XMLParserDelegate>()
      var multicastRegistry: MulticastRegistry { targets.registry }

      func parserDidStartDocument(_ parser: XMLParser) {
        targets.forEach { $0.parserDidStartDocument(parser) }
      }
    }
  }
#endif

private enum Bare {
  final class ParserTargets: NSObject, XMLParserDelegate, MulticastHolder {
    let targets = MulticastList<any XMLParserDelegate>()
    var multicastRegistry: MulticastRegistry { targets.registry }
  }
}

private enum Short {
  final class ParserTargets: NSObject, XMLParserDelegate {
    let targets = MulticastList<any XMLParserDelegate>()
    @Forwarded func parserDidStartDocument(_ parser: XMLParser)
  }
}

private final class Starts: NSObject, XMLParserDelegate {
  var count = 0
  func parserDidStartDocument(_ parser: XMLParser) { count += 1 }
}

@Suite struct `Texts about multicasts` {
  @Test func `a list calls and asks its targets`() async {
    let (player, track, logger) = (Player(), Track(), Logger())
    let targets = MulticastList<any PlayerDelegate>()
    targets.add(logger)
    targets.forEach { $0.playerDidStart(player) }
    let mayPlay = targets.every { $0.player(player, mayPlay: track) } ?? true
    var calls = targets.calls()
    while let target = calls.next() { await target.prepare() }
    #expect(!mayPlay && logger.log == ["started", "prepared"])
  }

  @Test func `a multicast inherits from another`() {
    let (all, both) = (SpecialDelegateMulticast(), Both())
    all.add(both)
    all.didStart()
    all.didEnd()
    #expect(both.log == ["start", "end"])
  }

  @Test func `a caller that kept an answer is refreshed`() {
    let (all, table, newcomer) = (BaseDelegateMulticast(), Table(), Both())
    all.add(newcomer)
    table.delegate = nil
    table.delegate = all
    table.delegate?.didStart()
    #expect(newcomer.log == ["start"])
  }

  #if !canImport(ObjectiveC)
    @Test func `methods of a foreign protocol reach the targets however they are written`() {
      let starts = Starts()
      let (written, short) = (WithoutMacros.ParserTargets(), Short.ParserTargets())
      written.targets.add(starts)
      short.targets.add(starts)
      let parser = XMLParser(data: Data())
      written.parserDidStartDocument(parser)
      short.parserDidStartDocument(parser)
      #expect(starts.count == 2 && Bare.ParserTargets().isEmpty)
    }
  #endif
}
