import Foundation
import JunctorCore
import Testing

@testable import JunctorRestoration

@Suite struct `H7 damage of every kind` {
  private static let numbers = [1, 2, 3, 4]

  /// A file with a few entries and a line that was kept aside.
  private static func text() throws -> String {
    var contents = RestorationContents()
    for number in numbers {
      contents.entries["k\(number)"] = RestorationEntry(
        key: "k\(number)", version: 1, model: "[\(number)]")
    }
    contents.keepAside("something older")
    return try contents.text()
  }

  @Test func `H7 a file cut at any byte loses no more than was cut, and says so`() throws {
    let bytes = Array(try Self.text().utf8)
    let whole = try RestorationContents(text: String(decoding: bytes, as: UTF8.self))
    #expect(whole.isWhole && whole.aside == ["something older"])
    for length in 0..<(bytes.count - 1) {
      let cut = String(decoding: bytes[..<length], as: UTF8.self)
      guard let contents = try? RestorationContents(text: cut) else {
        // Not even the first line is there; the file is moved aside.
        #expect(length < "junctor-restoration 1".utf8.count)
        continue
      }
      let lines = cut.split(separator: "\n", omittingEmptySubsequences: false)
      // Every line that is there as a whole was read.
      #expect(contents.entries.count >= min(max(lines.count - 2, 0), 4), "\(length)")
      for (key, entry) in contents.entries { #expect(whole.entries[key] == entry) }
      #expect(!contents.isWhole, "\(length)")
    }
  }

  @Test func `H7 a changed byte loses one entry at most, and none is read wrong`() throws {
    let bytes = Array(try Self.text().utf8)
    let whole = try RestorationContents(text: String(decoding: bytes, as: UTF8.self))
    for index in bytes.indices {
      for change: UInt8 in [0x01, 0x20, 0x80] {
        var changed = bytes
        changed[index] ^= change
        let text = String(decoding: changed, as: UTF8.self)
        guard let contents = try? RestorationContents(text: text) else {
          #expect(index < "junctor-restoration 1\n".utf8.count)
          continue
        }
        for (key, entry) in contents.entries { #expect(whole.entries[key] == entry) }
        // A line's end takes the line after with it.
        #expect(contents.entries.count >= (bytes[index] == UInt8(ascii: "\n") ? 2 : 3), "\(index)")
      }
    }
  }

  @Test func `H7 what a killed writer left behind is in nobody's way`() throws {
    let folder = try Folder()
    try folder.store.put(1, forKey: "a", version: 1)
    try "half a sta".write(toFile: folder.path + "/state.new", atomically: false, encoding: .utf8)
    #expect(try folder.store.model(Int.self, forKey: "a", version: 1) == .model(1))
    try folder.store.put(2, forKey: "b", version: 1)
    #expect(try folder.store.keys() == ["a", "b"])
    #expect(try folder.names() == ["state", "state.lock"])
  }

  @Test func `H7 a file cut between two lines is reported`() throws {
    let folder = try Folder()
    let reports = Reports()
    for number in 0..<3 { try folder.store.put(number, forKey: "k\(number)", version: 1) }
    let lines = try folder.text().split(separator: "\n")
    try folder.write(lines.prefix(3).joined(separator: "\n") + "\n")
    let keys = try Junctor.withDiagnostics(reports.add) { try folder.store.keys() }
    #expect(keys == ["k0", "k1"])
    #expect(reports.codes == [.restorationEntryDamaged])
    #expect(try folder.store.keys() == ["k0", "k1"])
  }
}
