// Let those who come late hear what they missed.
import Junctor

enum Connection: Sendable { case offline, online }

extension Channel where Message == Connection {
  static let connection = Channel("net.connection", options: ChannelOptions(replay: .last(1)))
}

Channel.connection.post(.offline)
Channel.connection.post(.online)

final class Uplink: Sendable {
  init() { Channel.connection.listen(for: self) { me, state in me.adapt(to: state) } }
  func adapt(to state: Connection) { print("now", state) }
}

let late = Uplink()  // hears the last one at once

@MainActor
final class StatusBar {
  private(set) var shown: Connection?
  init() { Channel.connection.listen(for: self) { me, state in me.shown = state } }
}

let bar = StatusBar()
print(bar.shown == nil)  // it is queued

try await Channel.connection.send(.offline)
print(bar.shown == .offline)
withExtendedLifetime((late, bar)) {}

// Prints: now online
// Prints: true
// Prints: now offline
// Prints: true
