// Handover: the next screen needs this model, and may give one back.
import Junctor
import JunctorMacros

// snippet.show
struct Article: Sendable { var title: String }
enum Choice: Sendable { case next, archived }

@DataReceiver
final class ReadingScreen: ResultProvider {  // a receiver that may give something back
  typealias Result = Choice
  func prepare(with article: Article?) { print("reading", article?.title ?? "nothing") }
  func archive() { giveBack(.archived) }
}

final class ListScreen {
  func open(_ article: Article, on screen: ReadingScreen) {
    screen.request(article, for: self) { me, outcome in me.returned(outcome) }
  }
  func returned(_ outcome: HandoverOutcome<Choice>) { print("returned with", outcome) }
}

let (list, reading) = (ListScreen(), ReadingScreen())
reading.handOver(Article(title: "Tides"))  // another type does not compile
list.open(Article(title: "Comets"), on: reading)
reading.archive()  // the request ends, once
// snippet.hide

// Prints: reading Tides
// Prints: reading Comets
// Prints: returned with value(HandOverModel.Choice.archived)
