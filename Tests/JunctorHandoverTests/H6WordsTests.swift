import JunctorCore
import Testing

@testable import JunctorHandover

@Suite struct `H6 the words of a late result` {
  @Test func `H6 who answers nobody hears what became of the latest request`() {
    let reports = Reports()
    Junctor.withDiagnostics(reports.add) {
      let receiver = Asking()
      receiver.giveBack("early")
      let request = receiver.request(1)
      request.cancel()
      receiver.giveBack("late")
    }
    #expect(reports.codes == [.resultTooLate, .resultTooLate])
    #expect(reports.all[0].message.contains("no request is open. Give it back once"))
    #expect(
      reports.all[1].message.contains(
        "no request is open any more; of the latest one: the request was given up."))
  }
}
