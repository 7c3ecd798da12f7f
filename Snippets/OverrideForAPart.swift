// Override a service for a part of the application.
import Junctor

protocol TimeSource: Sendable { func now() -> Int }
protocol Analytics: Sendable { func note(_ text: String) }
protocol User: Sendable { var name: String { get } }

struct FixedTime: TimeSource { let time: Int; func now() -> Int { time } }
struct Reporter: Analytics { func note(_ text: String) { print("reported:", text) } }
struct Tagged: Analytics {
  let inner: any Analytics, screen: String
  init(_ inner: any Analytics, screen: String) { (self.inner, self.screen) = (inner, screen) }
  func note(_ text: String) { inner.note("\(screen): \(text)") }
}
struct Account: User { let name: String }

let app = Services("app")
app.set((any TimeSource).self, to: FixedTime(time: 12))
app.provide((any Analytics).self) { _ in Reporter() }

let screen = Services("profile", alternate: app)
screen.set((any TimeSource).self, to: FixedTime(time: 0))
screen.decorate((any Analytics).self) { inner, services in
  Tagged(inner, screen: services.name)
}
print(try screen.require((any TimeSource).self).now(), try app.require((any TimeSource).self).now())
try screen.require((any Analytics).self).note("opened")
try app.require((any Analytics).self).note("started")

extension ServiceScope {
  static let request: ServiceScope = "request"
}
app.provide((any User).self, lifetime: .scoped(.request)) { _ in Account(name: "Ada") }
let request = Services("request", alternate: app, scope: .request)
print(try request.require((any User).self).name)

// Prints: 0 12
// Prints: reported: profile: opened
// Prints: reported: started
// Prints: Ada
