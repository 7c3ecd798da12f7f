// Handle messages one after another in a task.
import Junctor

struct ArticleRead: Sendable { var title: String }

extension Channel where Message == ArticleRead {
  static let articleRead = Channel("reader.articleRead")
}

let read = Channel.articleRead.messages(buffer: .dropOldest(64))
let indexing = Task {
  for await article in read { print("indexing", article.title) }
  print("no more")
}

Channel.articleRead.post(ArticleRead(title: "Tides"))
Channel.articleRead.post(ArticleRead(title: "Comets"))
read.finish()
await indexing.value
print(read.counts.dropped, "dropped")

// Prints: indexing Tides
// Prints: indexing Comets
// Prints: no more
// Prints: 0 dropped
