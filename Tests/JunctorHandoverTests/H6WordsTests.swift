import JunctorCore
import Testing

@testable import JunctorHandover

@Suite struct `H6 the words of a late result` {
  @Test func `H6 who answers nobody hears what became of the latest request`() {
    let reports = Reports()
    Junctor.withDiagnostics(reports.add) {
      let receiver = Asking()
      let request = receiver.request(1)
      request.cancel()
      #expect(!receiver.giveBack("late"))
    }
    #expect(reports.codes == [.resultTooLate])
    #expect(
      reports.all[0].message.contains(
        "no request is open any more; of the latest one: the request was given up."))
  }

  @Test func `H6 a result that is ahead of its model says so`() {
    let reports = Reports()
    Junctor.withDiagnostics(reports.add) {
      let receiver = Asking()
      receiver.request(1).cancel()
      receiver.isReady = false
      let request = receiver.request(2)
      #expect(!receiver.giveBack("early"))
      #expect(request.isOpen)
    }
    #expect(reports.codes.first == .resultTooLate)
    #expect(reports.all[0].message.contains("has yet to arrive"))
  }

  @Test func `H6 a receiver that is merely shown may give something back all the same`() {
    let reports = Reports()
    Junctor.withDiagnostics(reports.add) {
      let receiver = Asking()
      #expect(!receiver.giveBack("nobody asked"))
      receiver.handOver(1)
      #expect(!receiver.giveBack("nobody asked"))
    }
    #expect(reports.codes.isEmpty)
  }
}
