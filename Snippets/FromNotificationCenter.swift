// The same with NotificationCenter, and with a channel.
import Foundation
import Junctor

struct ThemeChange: Sendable { var name: String }

extension Notification.Name { static let themeChanged = Notification.Name("themeChanged") }

final class OldBar {
  private var token: (any NSObjectProtocol)?
  init() {
    token = NotificationCenter.default.addObserver(forName: .themeChanged, object: nil, queue: nil)
    {
      print("old:", $0.userInfo?["name"] as? String ?? "")
    }
  }
  deinit { if let token { NotificationCenter.default.removeObserver(token) } }
}

extension Channel where Message == ThemeChange { static let themeChanged = Channel("themeChanged") }

final class NewBar: Sendable {
  init() { Channel.themeChanged.listen(for: self) { me, change in me.paint(change) } }
  func paint(_ change: ThemeChange) { print("new:", change.name) }
}

let (old, new) = (OldBar(), NewBar())
NotificationCenter.default.post(name: .themeChanged, object: nil, userInfo: ["name": "dark"])
Channel.themeChanged.post(ThemeChange(name: "dark"))
withExtendedLifetime((old, new)) {}

// Prints: old: dark
// Prints: new: dark
