import Foundation
import Junctor
import JunctorRestoration
import Testing

// What the articles and the doc comments about restoration show.
private struct Article: Codable, Sendable, Equatable { var title = "Tides" }

private final class ReadingScreen: RestorableReceiver {
  var restorationKey: String { "reading" }
  static var restorationVersion: Int { 2 }
  func prepare(with article: Article?) { model = article }
}

private func putAndBring(_ screen: ReadingScreen, _ store: RestorationStore) throws {
  try store.putAway(screen)  // before the process ends
  try store.bringBack(into: screen)  // in the next one: hands the model over again
}

private func inFolder(_ folder: String, _ screen: ReadingScreen) throws {
  let store = RestorationStore(path: folder + "/screens")
  try store.putAway(screen)
  try store.bringBack(into: screen)
}

private func all(_ screens: [ReadingScreen], _ store: RestorationStore) throws {
  var batch = RestorationBatch()
  for screen in screens { try batch.putAway(screen) }
  try store.commit(batch)
}

@Suite struct `Texts about restoration` {
  @Test func `a model comes back as it was put away`() throws {
    let folder = NSTemporaryDirectory() + "/junctor-texts-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let screen = ReadingScreen()
    screen.handOver(Article())
    try inFolder(folder, screen)
    let store = RestorationStore(path: folder + "/screens")
    try putAndBring(screen, store)
    try all([screen], store)
    #expect(screen.model == Article())
    #expect(try store.keys() == ["reading"])
  }
}
