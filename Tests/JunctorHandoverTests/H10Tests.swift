import JunctorCore
import Testing

@testable import JunctorHandover

@Suite struct `H10 what never arrived` {
  @Test func `H10 a receiver that goes before it was ready is reported with the place`() {
    let reports = Reports()
    Junctor.withDiagnostics(reports.add) {
      let receiver = Queued<Int>()
      receiver.handOver(1)
      receiver.handOver(2)
    }
    #expect(reports.codes == [.handoverNeverArrived, .handoverNeverArrived])
    #expect(reports.all[0].sites.first?.fileID == "JunctorHandoverTests/H10Tests.swift")
    #expect(
      reports.all[0].message
        == "Can't hand over 'Int' to 'Queued<Int>': the receiver went away before it was ready."
        + " Call 'becomeReady()' when it is, or check 'isReady'.")
  }

  @Test func `H10 the same holds for the table`() {
    let reports = Reports()
    Junctor.withDiagnostics(reports.add) {
      // Another test's activity may clear one away, and then reports it elsewhere.
      for _ in 0..<1000 where reports.all.isEmpty {
        do {
          let receiver = Tabled<String>()
          receiver.isReady = false
          receiver.handOver("x")
        }
        HandoverTable.sweep()
      }
    }
    #expect(reports.codes.contains(.handoverNeverArrived))
  }

  @Test func `H10 what arrived is not reported`() {
    let reports = Reports()
    Junctor.withDiagnostics(reports.add) {
      let receiver = Stored<Int>()
      receiver.isReady = false
      receiver.handOver(1)
      receiver.handOver(2)
      receiver.becomeReady()
    }
    #expect(reports.all.isEmpty)
  }
}
