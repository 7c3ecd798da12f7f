import JunctorCore
import JunctorTesting
import Testing

@testable import JunctorServices

private struct Reader {
  @Injected var alpha: any Alpha
  @Injected(name: "spare") var spare: any Alpha
}

@Suite(.services { $0.set((any Beta).self, to: Thing("suite's")) })
struct CurrentTests {
  @Test func `S16 the current set is the task's, and inherited by its tasks`() async throws {
    let set = Services("set")
    try await withServices(set) {
      #expect(Services.current === set)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask { Services.current === set }
        for try await isInherited in group { #expect(isInherited) }
      }
    }
    #expect(Services.current !== set)
  }

  @Test func `S16 sets that are current side by side do not mix`() async throws {
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          let set = Services("\(number)")
          set.set(Int.self, to: number)
          return await withServices(set) {
            await Task.yield()
            return Services.current?[Int.self] == number
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func `S16 injected properties find the set that was current when they were made`() throws {
    let set = Services("set")
    set.set((any Alpha).self, to: Thing("plain"))
    set.provide((any Alpha).self, name: "spare") { _ in Thing("spare") }
    let reader = withServices(set) { Reader() }
    #expect(reader.alpha.label == "plain")
    #expect(reader.spare.label == "spare")
    set.set((any Alpha).self, to: Thing("changed"))
    #expect(reader.alpha.label == "changed")
  }

  @Test func `S16 an injected property that nobody provides is a clear error`() throws {
    let reader = withServices(Services("empty")) { Reader() }
    let error = try #require(throws: ServiceError.self) { try reader.$alpha.get() }
    #expect(error.code == .missing)
    #expect(error.message.contains("CurrentTests.swift"))
  }

  @Test(.services { $0.set((any Alpha).self, to: Thing("test's")) })
  func `S16 the trait gives the test a set, on top of its suite's`() throws {
    let current = try #require(Services.current)
    #expect(current[(any Alpha).self]?.label == "test's")
    #expect(current[(any Beta).self]?.label == "suite's")
  }

  @Test func `S16 a test sees nothing of another's doubles`() throws {
    #expect(Services.current?[(any Alpha).self] == nil)
    #expect(Services.current?[(any Beta).self]?.label == "suite's")
  }

  @Test func `S16 an unimplemented double fails the test and gives an error`() throws {
    let set = Services("set")
    set.set((any Alpha).self, to: Thing())
    set.setUnimplemented((any Alpha).self)
    withKnownIssue {
      let error = #expect(throws: ServiceError.self) { try set.require((any Alpha).self) }
      #expect(error?.code == .unimplemented)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("Alpha") }
    }
    withKnownIssue { #expect(unimplemented("Clock.now", returning: 3) == 3) }
  }

  @Test func `S16 doubles are freed with their set`() {
    let log = Log()
    withServices(Services("set")) {
      Services.current?.set((any Alpha).self, to: Thing { log.add("gone") })
    }
    #expect(log.lines == ["gone"])
  }

  @Test func `S16 what is made for an argument can be left unimplemented, too`() async throws {
    let set = Services("set")
    set.provide((any Alpha).self, name: "archive", argument: Int.self) { _, _ in Thing() }
    let test = Services("test", alternate: set)
    test.setUnimplemented((any Alpha).self, name: "archive", argument: Int.self)
    await withKnownIssue {
      let error = #expect(throws: ServiceError.self) {
        try test.require((any Alpha).self, name: "archive", argument: 7)
      }
      #expect(error?.code == .unimplemented)
      await #expect(throws: ServiceError.self) {
        try await test.resolve((any Alpha).self, name: "archive", argument: 7)
      }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("Alpha (archive)") }
    }
  }

  @Test func `S16 an unimplemented double stands for asynchronous and main-actor providers, too`()
    async throws
  {
    let set = Services("set")
    set.provide((any Alpha).self) { _ in
      await Task.yield()
      return Thing()
    }
    set.provideOnMainActor((any Beta).self) { _ in Thing() }
    let test = Services("test", alternate: set)
    test.setUnimplemented((any Alpha).self)
    test.setUnimplemented((any Beta).self)
    await withKnownIssue {
      let error = await #expect(throws: ServiceError.self) {
        try await test.resolve((any Alpha).self)
      }
      #expect(error?.code == .unimplemented)
      let other = await #expect(throws: ServiceError.self) {
        try await MainActor.run { try test.requireOnMainActor((any Beta).self) }
      }
      #expect(other?.code == .unimplemented)
    }
  }
}
