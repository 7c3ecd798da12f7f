// Channels: something happened, and whoever cares hears of it.
// snippet.show
import Junctor
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
// Both have run when it returns. From a function that is not @MainActor, `audit` is queued.
let receipt = Channel.loggedIn.post(Login(name: "Ada"))
print(receipt.called, "listeners")
audit.cancel()
// snippet.hide

// Prints: audit: Ada
// Prints: badge: Ada
// Prints: 2 listeners
