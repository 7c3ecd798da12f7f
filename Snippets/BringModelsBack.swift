// Put a receiver's model away, and bring it back in the next process.
import Foundation
import Junctor
import JunctorRestoration

struct Article: Codable, Sendable { var title: String }

final class ReadingScreen: RestorableReceiver {
  let handoverSlot = HandoverSlot<Article>()
  var restorationKey: String { "reading" }
  static var restorationVersion: Int { 2 }
  func prepare(with article: Article?) { print("reading", article?.title ?? "nothing") }
}

let folder = NSTemporaryDirectory() + "/junctor-\(UUID().uuidString)"
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }

let screen = ReadingScreen()
screen.handOver(Article(title: "Tides"))

let store = RestorationStore(path: folder + "/screens")
try store.putAway(screen)

let fresh = ReadingScreen()
print(try store.bringBack(into: fresh))

// Prints: reading Tides
// Prints: reading Tides
// Prints: true
