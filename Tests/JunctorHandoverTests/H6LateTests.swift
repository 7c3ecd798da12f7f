import JunctorCore
import Testing

@testable import JunctorHandover

@Suite struct `H6 results from receivers that do not exist yet` {
  private let requester = Requester()

  private func leave(_ model: Int, _ folder: Folder) throws -> HandoverRequest<String> {
    try Handover.leave(model, with: folder, expecting: String.self, for: requester) {
      $0.outcomes.append($1)
    }
  }

  @Test func `H6 a request waits with a container for a child that gives such a result`() throws {
    let folder = Folder()
    let request = try leave(1, folder)
    #expect(request.isOpen)
    // Takes the model and gives nothing back.
    let silent = Stored<Int>()
    folder.add(silent)
    #expect(folder.waitingHandovers == 1 && silent.prepared.isEmpty)
    let child = Asking()
    folder.add(child)
    #expect(folder.waitingHandovers == 0)
    #expect(child.prepared == [1])
    #expect(child.currentRequest == request.id)
    child.giveBack("one")
    #expect(requester.outcomes == [.value("one")])
  }

  @Test func `H6 a late child that is not ready keeps the request until it is`() throws {
    let folder = Folder()
    let request = try leave(1, folder)
    let child = Asking()
    child.isReady = false
    folder.add(child)
    #expect(child.prepared.isEmpty && child.openRequests == [request.id])
    #expect(child.currentRequest == nil)
    child.becomeReady()
    child.giveBack("one")
    #expect(requester.outcomes == [.value("one")])
  }

  @Test func `H6 a request ends as cancelled when its container goes before a child came`() throws {
    let reports = Reports()
    try Junctor.withDiagnostics(reports.add) {
      let folder = Folder()
      _ = try leave(1, folder)
      #expect(requester.outcomes.isEmpty)
    }
    #expect(requester.outcomes == [.cancelled])
    #expect(reports.codes == [.handoverNeverArrived])
  }

  @Test func `H6 a request that was given up before a child came leaves the model`() throws {
    let folder = Folder()
    let request = try leave(1, folder)
    request.cancel()
    let child = Asking()
    folder.add(child)
    #expect(child.prepared == [1])
    #expect(child.openRequests.isEmpty)
    #expect(requester.outcomes == [.cancelled])
    let reports = Reports()
    Junctor.withDiagnostics(reports.add) { _ = child.giveBack("late") }
    #expect(reports.codes == [.resultTooLate])
    #expect(requester.outcomes == [.cancelled])
  }

  @Test func `H6 several requests that wait are told apart when the child comes`() throws {
    let folder = Folder()
    let first = try leave(1, folder)
    let second = try leave(2, folder)
    let child = Asking()
    folder.add(child)
    #expect(child.prepared == [1, 2])
    child.giveBack("one", to: first.id)
    child.giveBack("two", to: second.id)
    #expect(requester.outcomes == [.value("one"), .value("two")])
  }

  @Test func `H6 who is there already is asked at once and what is no container is an error`()
    throws
  {
    let child = Asking()
    _ = try Handover.leave(1, with: Box(child), expecting: String.self, for: requester) {
      $0.outcomes.append($1)
    }
    child.giveBack("one")
    #expect(requester.outcomes == [.value("one")])
    #expect(throws: HandoverError.self) {
      try Handover.leave(1, with: Log(), expecting: String.self, for: requester) { _, _ in
        Issue.record("nothing was asked")
      }
    }
  }

  @Test func `H9 what waits keeps neither container nor requester alive`() throws {
    var folder: Folder? = Folder()
    var requester: Requester? = Requester()
    weak let watched = folder
    weak let watchedRequester = requester
    if let folder, let requester {
      _ = try Handover.leave(1, with: folder, expecting: String.self, for: requester) { _, _ in }
    }
    requester = nil
    #expect(watchedRequester == nil)
    Junctor.withDiagnostics({ _ in }) { folder = nil }
    #expect(watched == nil)
  }

}

@Suite struct `H6 awaiting receivers that do not exist yet` {
  @Test @MainActor func `H6 a request that waits for a child can be awaited`() async throws {
    let folder = Folder()
    let request = try Handover.leave(1, with: folder, expecting: String.self)
    let task = Task { @MainActor in await request.outcome }
    let child = Asking()
    folder.add(child)
    child.giveBack("one")
    #expect(await task.value == .value("one"))

    let other = try Handover.leave(2, with: Folder(), expecting: String.self)
    #expect(await other.outcome == .cancelled)
  }
}
