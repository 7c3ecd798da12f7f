// Let those who come late hear what they missed.
import Junctor

enum Connection: Sendable { case offline, online }

extension Channel where Message == Connection {
  static let connection = Channel("net.connection", options: ChannelOptions(replay: .last(1)))
}

Channel.connection.post(.offline)
Channel.connection.post(.online)

final class StatusBar: Sendable {
  init() { Channel.connection.listen(for: self) { me, state in me.show(state) } }
  func show(_ state: Connection) { print("now", state) }
}

let late = StatusBar()  // hears the last one at once
Channel.connection.post(.offline)
withExtendedLifetime(late) {}

// Prints: now online
// Prints: now offline
