// Services: who can do X here?
// snippet.show
import Junctor
protocol TimeSource: Sendable { func now() -> Int }
protocol Journal: Sendable { var title: String { get } }
struct FixedTime: TimeSource { let time: Int; func now() -> Int { time } }
struct Diary: Journal { let time: any TimeSource; var title: String { "Day \(time.now())" } }

let app = Services("app")
app.set((any TimeSource).self, to: FixedTime(time: 12))
app.provide((any Journal).self) { services in  // runs once, at the first request
  Diary(time: try services.require((any TimeSource).self))
}
let screen = Services("screen", alternate: app)  // has what `app` has,
screen.set((any TimeSource).self, to: FixedTime(time: 0))  // and overrides one, for itself
let journal = try screen.require((any Journal).self)  // or an error that says what is missing
print(journal.title)  // the app's journal has the app's time
print(screen[(any TimeSource).self]?.now() ?? -1)
// snippet.hide

// Prints: Day 12
// Prints: 0
