// Wait until every listener is done.
import Dispatch
import Junctor

struct Saving: Sendable {}

extension Channel where Message == Saving {
  static let willQuit = Channel("app.willQuit")
}

final class Store: Sendable {
  let queue = DispatchQueue(label: "store")
  init() { Channel.willQuit.listen(for: self, on: .queue(queue)) { me, _ in me.save() } }
  func save() { print("saved") }
}

let store = Store()
let receipt = try await Channel.willQuit.send(Saving())
print(receipt.queued, "of them elsewhere, and all done")

let subscription = Channel.willQuit.listen { _ in print("never") }
subscription.cancel()
await subscription.ended()  // no call of it is running any more
print(Channel.willQuit.hasListeners)
withExtendedLifetime(store) {}

// Prints: saved
// Prints: 1 of them elsewhere, and all done
// Prints: true
