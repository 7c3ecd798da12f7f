// Handover: the next screen needs this model, and may give one back.
// snippet.show
import Junctor
import JunctorMacros
struct Article: Sendable { var title: String }

@DataReceiver
final class ReadingScreen: ResultProvider {  // a receiver that may give something back
  enum Result: Sendable { case next, archived }
  func prepare(with article: Article?) { print("reading", article?.title ?? "nothing") }
  func archive() { giveBack(.archived) }
}

final class ListScreen {
  func show(_ outcome: HandoverOutcome<ReadingScreen.Result>) { print(outcome) }
}

let (list, reading) = (ListScreen(), ReadingScreen())
reading.handOver(Article(title: "Tides"))  // another type does not compile
reading.request(Article(title: "Comets"), for: list) { me, outcome in me.show(outcome) }
reading.archive()  // the request ends, once
// snippet.hide

// Prints: reading Tides
// Prints: reading Comets
// Prints: value(HandOverModel.ReadingScreen.Result.archived)
