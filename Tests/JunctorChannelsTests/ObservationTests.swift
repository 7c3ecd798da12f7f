import JunctorChannels
import JunctorTesting
import Synchronization
import Testing

@Suite struct ObservationTests {
  @Test func `C32 the history keeps the last n posts with their sites`() {
    let exchange = Exchange()
    let channel = Channel<Int>("history", in: exchange)
    let owner = Owner()
    channel.post(0)
    exchange.observe(ObservationOptions(historyLimit: 3))
    channel.post(1)
    channel.listen(for: owner) { _, _ in }
    let token = channel.listen(on: .deferred) { _ in }
    for number in 2...5 { channel.post(number) }
    let history = exchange.history
    #expect(history.count == 3)
    #expect(history.allSatisfy { $0.channelName == "history" && $0.messageType == "Swift.Int" })
    #expect(history.allSatisfy { $0.called == 1 && $0.queued == 1 && $0.dropped == 0 })
    #expect(history.allSatisfy { $0.site.fileID.hasSuffix("ObservationTests.swift") })
    #expect(history.map(\.began) == history.map(\.began).sorted())
    exchange.stopObserving()
    #expect(exchange.history.isEmpty)
    channel.post(6)
    #expect(exchange.history.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test func `C32 nothing is kept unless asked for`() {
    let exchange = Exchange()
    Channel<Int>("history", in: exchange).post(1)
    #expect(exchange.history.isEmpty)
    exchange.observe(ObservationOptions(historyLimit: -1))
    Channel<Int>("history", in: exchange).post(1)
    #expect(exchange.history.isEmpty)
  }

  @Test func `C32 a listener that is slow is reported once, with its site`() async throws {
    let exchange = Exchange()
    let clock = ManualClock()
    let channel = Channel<Int>("slow", in: exchange)
    exchange.observe(
      ObservationOptions(slowListenerLimit: .milliseconds(16)), clock: clock)
    let owner = Owner()
    channel.listen(for: owner) { _, number in clock.advance(by: .milliseconds(number)) }
    let found = diagnostics { for number in [1, 16, 17, 30] { channel.post(number) } }
    #expect(found.map(\.code) == [.slowListener])
    #expect(found.first?.sites.first?.fileID.hasSuffix("ObservationTests.swift") == true)
    // On a queue as well, wherever its diagnostics go.
    let executor = ManualExecutor()
    let token = channel.listen(priority: .high, on: .executor(executor)) { _ in
      clock.advance(by: .seconds(1))
    }
    channel.post(1)
    let late = diagnostics { _ = executor.runAll() }
    #expect(late.isEmpty || late.map(\.code) == [.slowListener])
    withExtendedLifetime(token) {}
  }

  @Test func `C32 a listener that died before its first message is reported`() async {
    // In a process of its own: the dead are noticed by whoever is active, and reported there.
    await #expect(processExitsWith: .success) {
      let exchange = Exchange()
      let channel = Channel<Int>("unheard", in: exchange)
      let before = Holder(Owner())
      if let owner = before.value { channel.listen(for: owner) { _, _ in } }
      exchange.observe(ObservationOptions(reportsUnheardListeners: true))
      let found = diagnostics {
        before.value = nil
        do {
          let heard = Owner()
          channel.listen(for: heard) { _, _ in }
          channel.post(1)
        }
        channel.post(2)
        do {
          let cancelled = Owner()
          channel.listen(for: cancelled) { _, _ in }.cancel()
        }
        do { channel.listen(for: Owner()) { _, _ in } }
        channel.post(3)
      }
      precondition(found.map(\.code) == [.listenerDiedUnheard], "found \(found)")
    }
  }

  @Test func `C32 a hook hears of every post, its beginning and its end`() async throws {
    let exchange = Exchange()
    let log = Log()
    let channel = Channel<Int>("traced", in: exchange)
    exchange.observe(
      ObservationOptions { name, _ in
        log.add("begin \(name)")
        return { record in log.add("end \(record.called)") }
      })
    let owner = Owner()
    channel.listen(for: owner) { _, number in log.add("\(number)") }
    channel.post(1)
    try await channel.send(2)
    #expect(log.events == ["begin traced", "1", "end 1", "begin traced", "2", "end 1"])
  }
}
