// See who is joined to whom.
import Junctor
import JunctorWiring

struct Login: Sendable { var name: String }

extension Channel where Message == Login {
  static let loggedIn = Channel("account.loggedIn")
}

final class Badge: Sendable {
  init() { Channel.loggedIn.listen(for: self, label: "badge") { _, _ in } }
}

let badge = Badge()
Wiring.History.start(capacity: 100)
Channel.loggedIn.post(Login(name: "Ada"))
Wiring.History.stop()

let wiring = Wiring.snapshot()
let channels = wiring.nodes.filter { $0.kind == .channel }
print(channels.map(\.label))
print(wiring.edges.filter { $0.kind == .listens }.compactMap(\.label))

withExtendedLifetime(badge) {}

// Prints: ["account.loggedIn"]
// Prints: ["badge"]
