import Foundation
import JunctorCore
import Testing

@testable import JunctorHandover

@Suite struct `H8 nothing behind anybody's back` {
  private static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources")

  @Test(.enabled(if: FileManager.default.fileExists(atPath: sources.path)))
  func `H8 nothing swizzles and nothing enumerates classes`() throws {
    let banned = [
      "method_exchangeImplementations", "method_setImplementation", "class_replaceMethod",
      "class_addMethod", "imp_implementationWithBlock", "object_setClass", "objc_copyClassList",
      "objc_getClassList", "NSClassFromString", "_dynamicReplacement",
    ]
    var count = 0
    for module in ["JunctorHandover", "JunctorUIKit", "JunctorRestoration", "JunctorMacros"] {
      let folder = Self.sources.appendingPathComponent(module)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      for file in files where file.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        for word in banned { #expect(!text.contains(word), "\(module)/\(file)") }
        count += 1
      }
    }
    #expect(count > 40)
  }

  /// A receiver that others derive from.
  private class Base: DataReceiver {
    let handoverSlot = HandoverSlot<Int>()
    var prepared: [Int?] = []
    func prepare(with model: Int?) { prepared.append(model) }
  }

  /// Overrides everything and calls `super` nowhere.
  private final class Derived: Base {
    var seen: [Int?] = []
    override func prepare(with model: Int?) { seen.append(model) }
  }

  @Test func `H8 a class that overrides prepare need not call super`() throws {
    let derived = Derived()
    derived.handOver(1)
    try Handover.deliver(2, to: Box(derived))
    #expect(derived.seen == [1, 2])
    #expect(derived.prepared.isEmpty)
    #expect(derived.model == 2 && derived.wasHandedOver)
  }
}
