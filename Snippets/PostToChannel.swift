// Channels: something happened, and whoever cares hears of it.
import Junctor

// snippet.show
struct Login: Sendable { var name: String }

extension Channel where Message == Login {
  static let loggedIn = Channel("account.loggedIn")  // nothing to create: the first use makes it
}

final class Badge: Sendable {
  init() { Channel.loggedIn.listen(for: self) { me, login in me.show(login) } }  // held weakly
  func show(_ login: Login) { print("badge:", login.name) }
}

let badge = Badge()
let audit = Channel.loggedIn.listen(priority: .high) { print("audit:", $0.name) }  // keep this
let receipt = Channel.loggedIn.post(Login(name: "Ada"))  // both have run when it returns
print(receipt.called, "listeners")
audit.cancel()
// snippet.hide

// Prints: audit: Ada
// Prints: badge: Ada
// Prints: 2 listeners
