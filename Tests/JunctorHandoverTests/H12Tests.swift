import JunctorHandover
import JunctorTesting
import Testing

@Suite struct `H12 doubles` {
  @Test func `H12 the log says what was handed to whom`() throws {
    let log = HandoverLog()
    let first = ReceiverDouble<Int>("first", log: log)
    let second = ReceiverDouble<String>("second", isReady: false, log: log)
    second.handOver("x")
    first.handOver(1)
    first.handOver(nil)
    #expect(second.pendingHandovers == 1)
    second.isReady = true
    #expect(log.lines == ["first: 1", "first: nil", "second: x"])
    #expect(second.prepared == ["x"])
    log.clear()
    #expect(log.entries.isEmpty)
  }

  @Test func `H12 a provider's double answers as it is told`() async {
    let provider = ProviderDouble<Int, String>(answers: [.value("one"), .cancelled])
    #expect(await provider.request(1).outcome == .value("one"))
    #expect(await provider.request(2).outcome == .cancelled)
    let third = provider.request(3)
    #expect(third.isOpen)
    #expect(provider.prepared == [1, 2, 3])
    provider.giveBack("three")
    #expect(await third.outcome == .value("three"))
  }
}
