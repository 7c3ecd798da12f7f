import Foundation
import Synchronization
import Testing

@testable import NewsreaderKit

/// What is kept, and how.
@Suite struct StateTests {
  private let folder: ScratchFolder
  private let one = Samples.article(title: "one").id
  private let two = Samples.article(title: "two").id

  init() throws { folder = try ScratchFolder() }

  private var file: StateFile { StateFile(path: folder.path("state.json")) }

  @Test func `N6 marks come back as they were written`() throws {
    #expect(try file.read() == ArticleMarks())
    try file.apply([one: .read, two: [.read, .archived]])
    let marks = try file.read()
    #expect(marks[one] == .read)
    #expect(marks[two] == [.read, .archived])
    try file.apply([one: []])
    #expect(try file.read()[one] == [])
    #expect(try file.read()[two] == [.read, .archived])
    #expect(folder.names == ["state.json"])
  }

  @Test func `N6 two readers on one file do not undo each other's marks`() throws {
    let ids = (0..<40).map { Samples.article(title: "\($0)").id }
    let failures = Failures()
    let file = file
    DispatchQueue.concurrentPerform(iterations: ids.count) { index in
      do { try file.apply([ids[index]: .read]) } catch { failures.add(error) }
    }
    #expect(failures.all.isEmpty)
    let marks = try file.read()
    #expect(ids.allSatisfy { marks[$0] == .read })
  }

  @Test func `N6 what this reader did not write stays as it is`() throws {
    for (text, cause) in [
      ("not json", "not what this reader wrote"), ("{\"version\":1}", "not what this reader wrote"),
      ("{\"version\":1,\"read\":[\"xyz\"],\"archived\":[]}", "not what this reader wrote"),
      ("{\"version\":7,\"shape\":\"new\"}", "a newer reader wrote it (version 7)"),
    ] {
      _ = try folder.write("state.json", text)
      let message = #expect(throws: NewsreaderError.self) { try file.read() }?.message
      #expect(message?.contains(cause) == true)
      #expect(throws: NewsreaderError.self) { try file.apply([one: .read]) }
      #expect(try folder.read("state.json") == text)
    }
  }

  @Test func `N6 an empty file holds no marks and may be written`() throws {
    _ = try folder.write("state.json", "")
    try file.apply([one: .read])
    #expect(try file.read()[one] == .read)
  }

  @Test(arguments: [(0o000, "read"), (0o444, "write")])
  func `N6 permissions are respected`(mode: Int, verb: String) throws {
    try file.apply([one: .read])
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    if verb == "read" {
      #expect(throws: NewsreaderError.self) { try file.read() }
    } else {
      #expect(try file.read()[one] == .read)
      #expect(file.obstacle()?.message.contains("it is read-only") == true)
    }
    #expect(throws: NewsreaderError.self) { try file.apply([two: .read]) }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let marks = try file.read()
    #expect(marks[one] == .read)
    #expect(marks[two] == [])
  }

  @Test func `N6 what is no file, or lies nowhere, is said`() throws {
    let isFolder = StateFile(path: folder.url.path)
    #expect(throws: NewsreaderError.self) { try isFolder.read() }
    #expect(isFolder.obstacle() != nil)
    let nowhere = StateFile(path: folder.path("no/where.json"))
    #expect(try nowhere.read() == ArticleMarks())
    #expect(nowhere.obstacle()?.message.contains("its folder does not exist") == true)
    #expect(StateFile(path: "/dev/full").obstacle()?.message.contains("it is not a file") == true)
  }

  @Test func `N6 a symbolic link stays one, and modes stay`() throws {
    let real = try folder.write("real.json", "")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("state.json"), withDestinationPath: real)
    try file.apply([one: .read])
    #expect(try StateFile(path: real).read()[one] == .read)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("state.json")) == real)
    let attributes = try FileManager.default.attributesOfItem(atPath: real)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
  }

  @Test func `N6 what a crash left beside the file does no harm`() throws {
    _ = try folder.write("state.json.new", "half of someth")
    try file.apply([one: .read])
    #expect(try file.read()[one] == .read)
    #expect(folder.names == ["state.json"])
  }

  @Test func `N6 the usual place is the user's data folder`() {
    #expect(StateLocation.dataFolder(["XDG_DATA_HOME": "/x"]) == "/x")
    #expect(StateLocation.dataFolder(["XDG_DATA_HOME": "x", "HOME": "/h"]).hasPrefix("/h/"))
  }
}

/// Errors from several threads.
final class Failures: Sendable {
  private let state = Mutex<[String]>([])

  /// Adds one.
  func add(_ error: any Error) { state.withLock { $0.append("\(error)") } }

  /// All of them.
  var all: [String] { state.withLock { $0 } }
}
