// Tell whoever cares that something has happened.
import Junctor

struct ArticleRead: Sendable { var title: String, minutes: Int }

extension Channel where Message == ArticleRead {
  static let articleRead = Channel("reader.articleRead")
}

@MainActor
final class Badge {
  private(set) var count = 0
  init() { Channel.articleRead.listen(for: self) { me, _ in me.count += 1 } }
}

let badge = Badge()
Channel.articleRead.post(ArticleRead(title: "Tides", minutes: 4))
print(badge.count)

@MainActor
final class Filter {
  init() {
    Channel.articleRead.listen(for: self, priority: .high) { _, article, envelope in
      if article.minutes == 0 { envelope.consume() }  // nobody below hears of it
    }
  }
}

let filter = Filter()
let receipt = Channel.articleRead.post(ArticleRead(title: "Spam", minutes: 0))
print(receipt.called, receipt.isConsumed, badge.count)

@MainActor
final class Reader {
  func finish(_ title: String) {
    Channel.articleRead.post(ArticleRead(title: title, minutes: 3), from: self)
  }
}

let (mine, other) = (Reader(), Reader())
let fromMine = Channel.articleRead.listen(from: mine) { print("mine:", $0.title) }
mine.finish("Comets")
other.finish("Dust")

let once = Channel.articleRead.listen(once: true) { print("once:", $0.title) }
mine.finish("Rings")
mine.finish("Moons")

let named = Exchange.shared.listen(to: "reader.theme") { info in print("theme:", info["name"] ?? "")
}
Exchange.shared.post(["name": "dark"], to: "reader.theme")

let all = Exchange.shared.listen(matching: "reader.>") { message, envelope in
  print(envelope.channelName)
}
mine.finish("Waves")
all.cancel()
withExtendedLifetime((filter, fromMine, once, named)) {}

// Prints: 1
// Prints: 1 true 1
// Prints: mine: Comets
// Prints: mine: Rings
// Prints: once: Rings
// Prints: mine: Moons
// Prints: theme: dark
// Prints: mine: Waves
// Prints: reader.articleRead
