// Services: who can do X here?
import Junctor

protocol Clock: Sendable { func now() -> Int }
protocol Journal: Sendable { func note(_ text: String) -> String }

struct FixedClock: Clock { let time: Int; func now() -> Int { time } }
struct ClockedJournal: Journal {
  let clock: any Clock
  func note(_ text: String) -> String { "\(clock.now()): \(text)" }
}

// snippet.show
let app = Services("app")
app.set((any Clock).self, to: FixedClock(time: 1_200))
app.provide((any Journal).self) { services in  // runs once, at the first request
  ClockedJournal(clock: try services.require((any Clock).self))
}

let screen = Services("screen", alternate: app)  // has what `app` has
screen.set((any Clock).self, to: FixedClock(time: 0))  // and overrides one thing, for itself only
let journal = try screen.require((any Journal).self)  // or an error that says what is missing
print(journal.note("read an article"))  // the app's journal has the app's clock
print(screen[(any Clock).self]?.now() ?? -1)
// snippet.hide

// Prints: 1200: read an article
// Prints: 0
