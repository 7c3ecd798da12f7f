// Handover: the next screen needs this model, and may give one back.
import Junctor
import JunctorMacros

// snippet.show
struct Article: Sendable { var title: String }

@DataReceiver
final class ReadingScreen: ResultProvider {  // a receiver that may give something back
  enum Result: Sendable { case next, archived }
  func prepare(with article: Article?) { print("reading", article?.title ?? "nothing") }
  func archive() { giveBack(.archived) }
}

final class ListScreen {
  func open(_ article: Article, on screen: ReadingScreen) {
    screen.request(article, for: self) { me, outcome in me.returned(outcome) }
  }
  func returned(_ outcome: HandoverOutcome<ReadingScreen.Result>) { print(outcome) }
}

let (list, reading) = (ListScreen(), ReadingScreen())
reading.handOver(Article(title: "Tides"))  // another type does not compile
list.open(Article(title: "Comets"), on: reading)
reading.archive()  // the request ends, once
// snippet.hide

// Prints: reading Tides
// Prints: reading Comets
// Prints: value(HandOverModel.ReadingScreen.Result.archived)
