import JunctorCore
import Testing

@testable import JunctorHandover

@Suite struct `H6 results` {
  @Test func `H6 the value that is given back reaches who asked, once`() {
    let receiver = Asking()
    let requester = Requester()
    let request = receiver.request(1, for: requester) { me, outcome in me.outcomes.append(outcome) }
    #expect(receiver.prepared == [1])
    #expect(request.isOpen)
    #expect(receiver.giveBack("one"))
    #expect(requester.outcomes == [.value("one")])
    #expect(!request.isOpen)
  }

  @Test func `H6 several open requests are told apart`() {
    let receiver = Asking()
    let requester = Requester()
    let first = receiver.request(1, for: requester) { $0.outcomes.append($1) }
    let second = receiver.request(2, for: requester) { $0.outcomes.append($1) }
    #expect(receiver.openRequests == [first.id, second.id])
    #expect(receiver.currentRequest == second.id)
    receiver.giveBack("one", to: first.id)
    #expect(receiver.openRequests == [second.id])
    receiver.giveBack("two")
    #expect(requester.outcomes == [.value("one"), .value("two")])
  }

  @Test func `H6 late and double results are reported and ignored`() {
    let reports = Reports()
    let requester = Requester()
    Junctor.withDiagnostics(reports.add) {
      let receiver = Asking()
      let request = receiver.request(1, for: requester) { $0.outcomes.append($1) }
      receiver.giveBack("one", to: request.id)
      #expect(!receiver.giveBack("again", to: request.id))
      #expect(!receiver.giveBack("once more"))
      let other = receiver.request(2, for: requester) { $0.outcomes.append($1) }
      other.cancel()
      #expect(!receiver.giveBack("late", to: other.id))
      #expect(!Asking().giveBack("who", to: other.id))
    }
    #expect(requester.outcomes == [.value("one"), .cancelled])
    #expect(
      reports.codes == [
        .resultTooLate, .resultTooLate, .resultTooLate, .resultForUnknownRequest,
      ])
    #expect(reports.all[0].message.contains("it was answered already"))
    #expect(reports.all[2].message.contains("the request was given up"))
  }

  @Test func `H6 a request ends as cancelled when its receiver goes away`() {
    let requester = Requester()
    do {
      let receiver = Asking()
      receiver.request(1, for: requester) { $0.outcomes.append($1) }
    }
    #expect(requester.outcomes == [.cancelled])
  }

  @Test func `H6 a request ends as cancelled when its model is replaced before it arrived`() {
    let receiver = Asking()
    let requester = Requester()
    receiver.isReady = false
    receiver.request(1, for: requester) { $0.outcomes.append($1) }
    receiver.handOver(2)
    #expect(requester.outcomes == [.cancelled])
    receiver.becomeReady()
    #expect(receiver.prepared == [2])
  }

  @Test func `H6 the receiver may end its requests without a result`() {
    let receiver = Asking()
    let requester = Requester()
    receiver.request(1, for: requester) { $0.outcomes.append($1) }
    receiver.request(2, for: requester) { $0.outcomes.append($1) }
    receiver.cancelRequests()
    receiver.cancelRequests()
    #expect(requester.outcomes == [.cancelled, .cancelled])
    #expect(receiver.openRequests.isEmpty)
  }

  @Test func `H6 a result may come before request returns`() {
    final class Quick: ResultProvider {
      typealias Result = Int
      let handoverSlot = HandoverSlot<Int>()
      func prepare(with model: Int?) { giveBack((model ?? 0) * 2) }
    }
    final class Asker { var got: Int? }
    let asker = Asker()
    let request = Quick().request(4, for: asker) { $0.got = $1.value }
    #expect(asker.got == 8)
    #expect(!request.isOpen)
  }

  @Test @MainActor func `H6 async is sugar on the request`() async {
    let receiver = Asking()
    let request = receiver.request(1)
    let task = Task { @MainActor in await receiver.result(of: request) }
    receiver.giveBack("one")
    #expect(await task.value == .value("one"))
    #expect(await request.outcome == .value("one"))
  }

  @Test @MainActor func `H6 a cancelled task ends its request`() async {
    let receiver = Asking()
    let request = receiver.request(1)
    let task = Task { @MainActor in await request.outcome }
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(!request.isOpen)
    #expect(receiver.openRequests.isEmpty)
  }

  @Test @MainActor func `H6 who awaits is told when the receiver goes away`() async {
    var receiver: Asking? = Asking()
    let request = receiver?.request(1)
    let task = Task { @MainActor in await request?.outcome }
    receiver = nil
    #expect(await task.value == .cancelled)
  }

  @Test func `H9 handing over keeps neither sender nor receiver alive`() {
    var requester: Requester? = Requester()
    var receiver: Asking? = Asking()
    weak let watchedRequester = requester
    weak let watchedReceiver = receiver
    let request = receiver?.request(1, for: Requester()) { _, _ in }
    receiver?.request(1, for: requester ?? Requester()) { me, outcome in
      me.outcomes.append(outcome)
    }
    receiver?.handOver(2, from: requester)
    requester = nil
    #expect(watchedRequester == nil)
    receiver?.giveBack("nobody listens")
    receiver = nil
    #expect(watchedReceiver == nil)
    #expect(request?.isOpen == false)
  }
}
