// Get one result back from the next screen.
import Junctor
import JunctorMacros

struct Article: Sendable { var title: String }

@DataReceiver
final class ReadingScreen: ResultProvider {
  enum Result: Sendable { case next, previous, archived }
  func prepare(with article: Article?) { print("reading", article?.title ?? "nothing") }
  func nextWasPressed() { giveBack(.next) }
  func leave() { cancelRequests() }
}

final class ListScreen {
  func open(_ article: Article, on screen: ReadingScreen) {
    screen.request(article, for: self) { me, outcome in
      switch outcome {
      case .value(.next): me.openNext()
      case .value(.previous): me.openPrevious()
      case .value(.archived): me.archive()
      case .cancelled: print("closed")
      }
    }
  }
  func openNext() { print("next") }
  func openPrevious() { print("previous") }
  func archive() { print("archived") }
}

let (list, screen) = (ListScreen(), ReadingScreen())
list.open(Article(title: "Tides"), on: screen)
screen.nextWasPressed()
list.open(Article(title: "Comets"), on: screen)
screen.leave()

let request = screen.request(Article(title: "Rings"))
screen.giveBack(.archived, to: request.id)  // a certain one
print(await request.outcome)
withExtendedLifetime(list) {}

// Prints: reading Tides
// Prints: next
// Prints: reading Comets
// Prints: closed
// Prints: reading Rings
// Prints: value(GetAResultBack.ReadingScreen.Result.archived)
