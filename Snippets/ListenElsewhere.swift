// Listen on the main actor, on an actor of one's own, on a queue.
import Dispatch
import Junctor
import Synchronization

struct ArticleRead: Sendable { var title: String }

extension Channel where Message == ArticleRead {
  static let articleRead = Channel("reader.articleRead")
}

@MainActor
final class Screen {
  private(set) var last = ""
  init() { Channel.articleRead.listen(for: self) { me, article in me.last = article.title } }
}

actor Index {
  private(set) var titles: [String] = []
  func start() {
    Channel.articleRead.listen(for: self) { me, article in me.titles.append(article.title) }
  }
}

final class Log: Sendable {
  let queue = DispatchQueue(label: "log")
  init() {
    Channel.articleRead.listen(for: self, on: .queue(queue), buffer: .dropOldest(1_000)) {
      me, article in me.write(article)
    }
  }
  func write(_ article: ArticleRead) { lines.withLock { $0.append(article.title) } }
  let lines = Mutex<[String]>([])
}

let (screen, index, log) = (Screen(), Index(), Log())
await index.start()

let receipt = Channel.articleRead.post(ArticleRead(title: "Tides"))
print(receipt.called, "called,", receipt.queued, "queued, screen shows", screen.last)

try await Channel.articleRead.send(ArticleRead(title: "Comets"))
print(await index.titles, log.lines.withLock { $0 })

// Prints: 1 called, 2 queued, screen shows Tides
// Prints: ["Tides", "Comets"] ["Tides", "Comets"]
