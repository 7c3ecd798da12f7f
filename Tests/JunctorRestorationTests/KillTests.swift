import Dispatch
import Foundation
import Testing

@testable import JunctorRestoration

#if canImport(Glibc)
  import Glibc
#endif

/// What the writing process stores: two entries that always belong together, and enough bytes to be cut in.
private struct Pair: Codable, Equatable {
  var number: Int
  var filler: String

  init(_ number: Int) {
    self.number = number
    filler = String(repeating: "\(number) ", count: 2000)
  }
}

/// Kills this process, without notice, about so many microseconds from now.
@Sendable private func killSoon(after microseconds: Int) {
  Thread {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(microseconds) * 1000
    while DispatchTime.now().uptimeNanoseconds < end {}
    kill(getpid(), SIGKILL)
  }.start()
}

@Suite struct `H7 killed at any moment` {
  @Test func `H7 the store opens with the old or the new state after every kill`() async throws {
    let folder = try Folder()
    let path = folder.path + "/state"
    var seen = 0
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<25 {
      let delay = Int.random(in: 0..<60_000, using: &generator)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, delay = delay as Int] in
        let store = RestorationStore(path: path)
        guard case .model(let last) = try store.model(Pair.self, forKey: "a", version: 1) else {
          try store.put(Pair(0), forKey: "a", version: 1)
          kill(getpid(), SIGKILL)
          return
        }
        killSoon(after: delay)
        let start = last?.number ?? 0
        for number in start..<(start + 1_000) {
          var batch = RestorationBatch()
          try batch.put(Pair(number + 1), forKey: "a", version: 1)
          try batch.put(Pair(-number - 1), forKey: "b", version: 1)
          try store.commit(batch)
        }
        while true {}
      }
      let text = try folder.text()
      let contents = try RestorationContents(text: text)
      #expect(contents.isWhole)
      #expect(contents.aside.isEmpty)
      guard case .model(let first?) = try folder.store.model(Pair.self, forKey: "a", version: 1)
      else {
        Issue.record("the first entry is lost; the delay was \(delay) µs")
        continue
      }
      #expect(first == Pair(first.number), "the delay was \(delay) µs")
      #expect(first.number >= seen)
      seen = first.number
      if seen > 0 {
        let second = try folder.store.model(Pair.self, forKey: "b", version: 1)
        #expect(second == .model(Pair(-seen)), "the delay was \(delay) µs")
      }
    }
  }

  @Test func `H7 two processes at once lose nothing`() async throws {
    let folder = try Folder()
    let path = folder.path + "/state"
    async let first: Void = fill(path, "first")
    async let second: Void = fill(path, "second")
    _ = await (first, second)
    #expect(try folder.store.keys().count == 80)
  }

  private func fill(_ path: String, _ name: String) async {
    await #expect(processExitsWith: .success) { [path = path as String, name = name as String] in
      let store = RestorationStore(path: path)
      for number in 0..<40 { try store.put(number, forKey: "\(name) \(number)", version: 1) }
    }
  }
}
