import Foundation
import JunctorCore
import JunctorHandover
import Synchronization
import Testing

@testable import JunctorRestoration

/// A folder that goes with the test.
final class Folder {
  let path: String
  var store: RestorationStore { RestorationStore(path: path + "/state") }

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String) throws {
    try text.write(toFile: path + "/state", atomically: false, encoding: .utf8)
  }

  func text() throws -> String { try String(contentsOfFile: path + "/state", encoding: .utf8) }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}

/// The diagnostics of one test.
final class Reports: Sendable {
  private let found = Mutex<[Diagnostic]>([])
  var codes: [Diagnostic.Code] { found.withLock { $0.map(\.code) } }
  func add(_ diagnostic: Diagnostic) { found.withLock { $0.append(diagnostic) } }
}

struct Article: Codable, Equatable {
  var title: String
  var page: Int
}

final class ReadingScreen: RestorableReceiver {
  var restorationKey: String { "reading" }
  static var restorationVersion: Int { 2 }
  let handoverSlot = HandoverSlot<Article>()
  var isReady = true
  var prepared: [Article?] = []

  func prepare(with model: Article?) { prepared.append(model) }

  static func upgrade(_ json: Data, from version: Int) throws -> Article? {
    guard version == 1 else { return nil }
    return Article(title: try JSONDecoder().decode([String].self, from: json)[0], page: 1)
  }
}

@Suite struct `H7 restoration` {
  @Test func `H7 a model is put away and brought back`() throws {
    let folder = try Folder()
    let screen = ReadingScreen()
    screen.handOver(Article(title: "A\n\"b\" 🎉", page: 3))
    try folder.store.putAway(screen)

    let later = ReadingScreen()
    #expect(try RestorationStore(path: folder.path + "/state").bringBack(into: later))
    #expect(later.prepared == [Article(title: "A\n\"b\" 🎉", page: 3)])
  }

  @Test func `H7 a receiver that is not ready is prepared once it is`() throws {
    let folder = try Folder()
    try folder.store.put(Article(title: "A", page: 1), forKey: "reading", version: 2)
    let screen = ReadingScreen()
    screen.isReady = false
    try folder.store.bringBack(into: screen)
    #expect(screen.prepared.isEmpty)
    screen.becomeReady()
    #expect(screen.prepared.count == 1)
  }

  @Test func `H7 nil handed over comes back as nil and nothing as nothing`() throws {
    let folder = try Folder()
    let screen = ReadingScreen()
    try folder.store.putAway(screen)
    #expect(try !folder.store.bringBack(into: screen))
    screen.handOver(nil)
    try folder.store.putAway(screen)
    let later = ReadingScreen()
    #expect(try folder.store.bringBack(into: later))
    #expect(later.prepared == [nil])
    try folder.store.putAway(ReadingScreen())
    #expect(try folder.store.keys().isEmpty)
  }

  @Test func `H7 no file and an unknown key are nothing`() throws {
    let folder = try Folder()
    #expect(try folder.store.keys().isEmpty)
    #expect(try folder.store.model(Int.self, forKey: "x", version: 1) == .nothing)
    #expect(try folder.names().isEmpty)
    try folder.store.put(1, forKey: "a", version: 1)
    #expect(try folder.store.model(Int.self, forKey: "x", version: 1) == .nothing)
  }

  @Test func `H7 no type's name is in the file`() throws {
    let folder = try Folder()
    try folder.store.put(Article(title: "x", page: 1), forKey: "reading", version: 2)
    #expect(try !folder.text().contains("Article"))
    #expect(try folder.text().hasPrefix("junctor-restoration 1\n"))
  }

  @Test func `H7 an older version is upgraded by the program`() throws {
    let folder = try Folder()
    try folder.store.put(["Old"], forKey: "reading", version: 1)
    let screen = ReadingScreen()
    try folder.store.bringBack(into: screen)
    #expect(screen.prepared == [Article(title: "Old", page: 1)])
  }

  @Test func `H7 a version without a way is reported and stays`() throws {
    let folder = try Folder()
    let reports = Reports()
    try folder.store.put(["Old"], forKey: "reading", version: 0)
    try folder.store.put([1], forKey: "newer", version: 9)
    try Junctor.withDiagnostics(reports.add) {
      let found = try folder.store.bringBack(into: ReadingScreen())
      let newer = try folder.store.model([Int].self, forKey: "newer", version: 8)
      #expect(!found)
      #expect(newer == .nothing)
    }
    #expect(reports.codes == [.restorationVersionUnknown, .restorationVersionUnknown])
    #expect(try folder.store.keys() == ["newer", "reading"])
    #expect(try folder.store.model([Int].self, forKey: "newer", version: 9) == .model([1]))
    try folder.store.put([2], forKey: "newer", version: 8)
    #expect(try folder.store.keptAside().count == 1)
  }

  @Test func `H7 what cannot be decoded is reported, kept aside, and loses no others`() throws {
    let folder = try Folder()
    let reports = Reports()
    try folder.store.put("no article", forKey: "reading", version: 2)
    try folder.store.put(7, forKey: "seven", version: 1)
    try Junctor.withDiagnostics(reports.add) {
      for _ in 0..<2 {
        let found = try folder.store.bringBack(into: ReadingScreen())
        #expect(!found)
      }
    }
    #expect(reports.codes == [.restorationEntryUndecodable])
    #expect(try folder.store.keptAside().first?.contains("no article") == true)
    #expect(try folder.store.model(Int.self, forKey: "seven", version: 1) == .model(7))
  }

  @Test func `H7 a damaged line is reported, kept aside, and loses no others`() throws {
    let folder = try Folder()
    let reports = Reports()
    for number in 0..<3 { try folder.store.put(number, forKey: "k\(number)", version: 1) }
    var lines = try folder.text().split(separator: "\n")
    lines[2] = Substring(lines[2].replacingOccurrences(of: "[1]", with: "[8]"))
    // The last line is that of the end.
    try folder.write(String(lines.dropLast().joined(separator: "\n").dropLast(4)))
    try Junctor.withDiagnostics(reports.add) {
      for _ in 0..<2 {
        let keys = try folder.store.keys()
        #expect(keys == ["k0"])
      }
    }
    #expect(reports.codes == [.restorationEntryDamaged])
    #expect(try folder.store.keptAside().count == 2)
  }

  @Test func `H7 a file that is no store is reported and moved aside`() throws {
    let folder = try Folder()
    let reports = Reports()
    for text in ["", "something else\n", "junctor-restoration x\n"] {
      try folder.write(text)
      let keys = try Junctor.withDiagnostics(reports.add) { try folder.store.keys() }
      #expect(keys.isEmpty)
    }
    #expect(reports.codes == Array(repeating: .restorationFileDamaged, count: 3))
    #expect(
      try folder.names()
        == ["state.damaged-1", "state.damaged-2", "state.damaged-3", "state.lock"])
    try folder.store.put(1, forKey: "a", version: 1)
    #expect(try folder.store.keys() == ["a"])
  }

  @Test func `H7 a file of a newer format is an error and is not touched`() throws {
    let folder = try Folder()
    try folder.write("junctor-restoration 2\nwhatever\n")
    for _ in 0..<2 {
      do throws(RestorationError) {
        try folder.store.put(1, forKey: "a", version: 1)
        Issue.record("nothing was thrown")
      } catch {
        #expect(error.code == .newerFormat)
      }
    }
    #expect(try folder.text() == "junctor-restoration 2\nwhatever\n")
  }

  @Test func `H7 what cannot be written or encoded is an error and changes nothing`() throws {
    do throws(RestorationError) {
      try RestorationStore(path: "/nowhere/at/all").put(1, forKey: "a", version: 1)
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.code == .cannotWrite)
      #expect(error.message.contains("No such file or directory"))
    }
    let folder = try Folder()
    do throws(RestorationError) {
      try folder.store.put(Double.nan, forKey: "a", version: 1)
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.code == .cannotEncode)
    }
    #expect(try folder.names().isEmpty)
    do throws(RestorationError) {
      try RestorationStore(path: folder.path).put(1, forKey: "a", version: 1)
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.code == .cannotRead)
    }
  }

  @Test func `H7 a batch is made as a whole`() throws {
    let folder = try Folder()
    var batch = RestorationBatch()
    try batch.put(1, forKey: "a", version: 1)
    try batch.put(2, forKey: "b", version: 1)
    batch.remove("a")
    try folder.store.commit(batch)
    #expect(try folder.store.keys() == ["b"])
  }

  @Test func `H7 many at once lose nothing`() async throws {
    let folder = try Folder()
    let store = folder.store
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for step in 0..<5 { try? store.put(step, forKey: "\(number).\(step)", version: 1) }
        }
      }
    }
    #expect(try store.keys().count == 40)
    extendLifetime(folder)
  }
}
