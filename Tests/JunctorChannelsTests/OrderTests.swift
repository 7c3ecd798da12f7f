import JunctorChannels
import Testing

@Suite struct OrderTests {
  @Test func `C5 higher priority first, then order of registration`() {
    let channel = Channel<Int>("order", in: Exchange())
    let log = Log()
    let owner = Owner()
    for (name, priority) in [
      ("a", .normal), ("b", .high), ("c", 0), ("d", ListenerPriority(rawValue: .min)),
      ("e", ListenerPriority(rawValue: .max)), ("f", .high), ("g", .lowest),
    ] as [(String, ListenerPriority)] {
      channel.listen(for: owner, priority: priority) { _, _ in log.add(name) }
    }
    channel.post(1)
    #expect(log.events == ["e", "b", "f", "a", "c", "g", "d"])
  }

  @Test func `C5 the order of a hundred thousand survives every removal`() {
    let channel = Channel<Int>("order", in: Exchange())
    let owner = Owner()
    let log = Numbers()
    var tokens: [Registration] = []
    for number in 0..<100_000 {
      tokens.append(
        channel.listen(for: owner, priority: ListenerPriority(rawValue: number % 3)) { _, _ in
          log.append(number)
        })
    }
    for (number, token) in tokens.enumerated() where number % 7 < 5 { token.cancel() }
    channel.post(1)
    let kept = (0..<100_000).filter { $0 % 7 >= 5 }
    let expected = [2, 1, 0].flatMap { rest in kept.filter { $0 % 3 == rest } }
    #expect(log.values == expected)
  }

  @Test func `Foundation 1 the order is that of registration, every time`() {
    for _ in 0..<20 {
      let channel = Channel<Int>("order", in: Exchange())
      let log = Numbers()
      let tokens = (0..<12).map { number in channel.listen { _ in log.append(number) } }
      channel.post(1)
      #expect(log.values == Array(0..<12))
      withExtendedLifetime(tokens) {}
    }
  }
}
