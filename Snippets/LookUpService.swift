// Services: who can do X here?
import Junctor

// snippet.show
protocol Clock: Sendable { func now() -> Int }
protocol Journal: Sendable { func note(_ text: String) -> String }

struct SystemClock: Clock { func now() -> Int { 1_200 } }
struct FixedClock: Clock { func now() -> Int { 0 } }

struct ClockedJournal: Journal {
  let clock: any Clock
  func note(_ text: String) -> String { "\(clock.now()): \(text)" }
}

let app = Services("app")
app.set((any Clock).self, to: SystemClock())
app.provide((any Journal).self) { services in  // runs once, at the first request
  ClockedJournal(clock: try services.require((any Clock).self))
}

let screen = Services("screen", alternate: app)  // lacks nothing that `app` has
screen.set((any Clock).self, to: FixedClock())  // and overrides one thing, for itself only

let journal = try screen.require((any Journal).self)  // or an error that says what is missing
print(journal.note("read an article"))  // the app's journal has the app's clock
print(screen[(any Clock).self]?.now() ?? -1)
// snippet.hide

// Prints: 1200: read an article
// Prints: 0
