import JunctorChannels
import Testing

@Suite struct LocalChannelTests {
  /// Neither of these may cross threads.
  final class Model { var log: [String] = [] }
  final class Note {
    let text: String
    init(_ text: String) { self.text = text }
  }

  @Test func `C33 any owner and any message, in the same order`() {
    let channel = LocalChannel<Note>("notes")
    let model = Model()
    channel.listen(for: model) { me, note in me.log.append("a \(note.text)") }
    channel.listen(for: model, priority: .high) { me, note in me.log.append("b \(note.text)") }
    channel.listen(for: model, once: true) { me, note in me.log.append("once \(note.text)") }
    #expect(channel.post(Note("1")).called == 3)
    #expect(channel.post(Note("2")).called == 2)
    #expect(model.log == ["b 1", "a 1", "once 1", "b 2", "a 2"])
  }

  @Test func `C33 snapshot, live flag and nesting are the same`() {
    let channel = LocalChannel<Int>()
    let model = Model()
    var second: LocalRegistration?
    channel.listen(for: model) { me, number in
      me.log.append("a\(number)")
      if number < 2 { channel.post(number + 1) } else { second?.cancel() }
      channel.listen(for: me) { me, number in me.log.append("late\(number)") }
    }
    second = channel.listen(for: model) { me, number in me.log.append("b\(number)") }
    channel.post(1)
    #expect(model.log == ["a1", "a2"])
    second?.cancel()
  }

  @Test func `C33 owners are held weakly and their handlers cleared away`() {
    let channel = LocalChannel<Int>()
    for _ in 0..<1_000 { channel.listen(for: Model()) { _, _ in Issue.record("dead") } }
    #expect(channel.count <= 32)
    #expect(channel.post(1).called == 0)
    #expect(channel.count == 0)
  }

  @Test func `C33 a subscription ends its listening, errors stop nobody`() {
    struct Failure: Error {}
    let channel = LocalChannel<Int>()
    var calls = 0
    do {
      let first = channel.listen { _ in throw Failure() }
      let second = channel.listen { _ in calls += 1 }
      let receipt = channel.post(1)
      #expect(receipt.called == 2 && receipt.errors.count == 1)
      withExtendedLifetime((first, second)) {}
    }
    #expect(channel.post(2).called == 0)
    #expect(calls == 1)
  }
}

extension LocalChannelTests {
  struct Failure: Error {}

  @Test func `C33 C22 a filter hears its sender alone, and ends with it`() {
    let channel = LocalChannel<Int>("local")
    let model = Model()
    var sender: Note? = Note("sender")
    channel.listen(for: model, from: sender) { me, number, envelope in
      me.log.append("\(number) \(envelope.sender?.isAlive == true) \(envelope.channelName)")
    }
    let other = Note("other")
    channel.post(1)
    channel.post(2, from: other)
    if let sender { channel.post(3, from: sender) }
    sender = nil
    channel.post(4, from: Note("new"))
    #expect(model.log == ["3 true local"])
    #expect(channel.count == 0)
  }

  @Test func `C33 C25 a listener may keep the message from those after it`() {
    let channel = LocalChannel<Int>()
    var log: [String] = []
    let last = channel.listen { log.append("last \($0)") }
    let first = channel.listen(priority: .high) { number, envelope in
      log.append("first \(number)")
      if number == 1 { envelope.consume() }
    }
    #expect(channel.post(1).isConsumed)
    #expect(!channel.post(2).isConsumed)
    #expect(log == ["first 1", "first 2", "last 2"])
    withExtendedLifetime((first, last)) {}
  }

  @Test func `C33 C24 what listeners throw is treated as the options say`() {
    for (policy, called, reports) in [
      (ErrorPolicy.report, 2, 1), (.rethrowAfterAll, 2, 0), (.stopAtFirst, 1, 0),
    ] {
      let channel = LocalChannel<Int>("local", options: ChannelOptions(errors: policy))
      let model = Model()
      channel.listen(for: model) { _, _ in throw Failure() }
      channel.listen(for: model) { _, _ in }
      let found = diagnostics {
        let receipt = channel.post(1)
        #expect(receipt.called == called)
        #expect(throws: Failure.self) { try receipt.throwIfFailed() }
      }
      #expect(found.map(\.code) == Array(repeating: .listenerThrew, count: reports))
    }
  }

  @Test func `C33 C13 a queued channel finishes one message for everyone first`() {
    let channel = LocalChannel<Int>(options: ChannelOptions(order: .queued))
    let model = Model()
    channel.listen(for: model) { me, number in
      me.log.append("a\(number)")
      if number < 3 { #expect(channel.post(number + 1).isDeferred) }
    }
    channel.listen(for: model) { me, number in me.log.append("b\(number)") }
    channel.post(1)
    #expect(model.log == ["a1", "b1", "a2", "b2", "a3", "b3"])
  }

  @Test func `C33 C17 posts without an end are broken and reported`() {
    let channel = LocalChannel<Int>("circle")
    let model = Model()
    for _ in 0..<2 { channel.listen(for: model) { _, number in channel.post(number + 1) } }
    let found = diagnostics { channel.post(1) }
    #expect(found.map(\.code) == [.endlessPosts])
    #expect(found.first?.message.contains("'circle'") == true)
    #expect(diagnostics { channel.post(1) }.count == 1)
  }

  @Test(arguments: [false, true])
  func `C33 C17 a circle of posts that wait is reported once, and goes on`(catchesUp: Bool) {
    let options =
      catchesUp ? ChannelOptions(replay: .last(1)) : ChannelOptions(order: .queued)
    let channel = LocalChannel<Int>("circle", options: options)
    let model = Model()
    var calls = 0
    if catchesUp { channel.post(0) }
    let found = diagnostics {
      channel.listen(for: model) { _, number in
        calls += 1
        if number < 200_010 { channel.post(number + 1) }
      }
      if !catchesUp { channel.post(0) }
    }
    #expect(found.map(\.code) == [.endlessPosts])
    #expect(found.first?.sites.count == 16)
    #expect(calls == 200_011)
    #expect(diagnostics { channel.post(200_010) }.isEmpty)
  }

  @Test func `C33 C28 what is kept comes to those who listen later`() {
    let last = LocalChannel<Int>(options: ChannelOptions(replay: .last(2)))
    let first = LocalChannel<Int>(options: ChannelOptions(replay: .untilFirstListener))
    let model = Model()
    for number in 1...3 {
      last.post(number)
      first.post(number)
    }
    last.listen(for: model) { me, number in
      me.log.append("last \(number)")
      if number == 2 { #expect(last.post(4).queued == 1) }
    }
    last.listen(for: model, once: true) { me, number in me.log.append("once \(number)") }
    first.listen(for: model) { me, number in me.log.append("first \(number)") }
    first.listen(for: model) { me, number in me.log.append("second \(number)") }
    first.post(5)
    #expect(
      model.log == [
        "last 2", "last 3", "last 4", "once 3", "first 1", "first 2", "first 3", "first 5",
        "second 5",
      ])
  }

  @Test func `C33 C23 a channel that must be heard says so when it is not`() {
    let channel = LocalChannel<Int>("must", options: ChannelOptions(requiresListener: true))
    #expect(diagnostics { channel.post(1) }.map(\.code) == [.nobodyListens])
  }

  @Test func `C33 C20 tokens pause, resume, and end from anywhere`() {
    final class Holder {
      var token: LocalRegistration?
      deinit { token?.cancel() }
    }
    let channel = LocalChannel<Int>()
    let model = Model()
    let token = channel.listen(for: model) { me, number in me.log.append("\(number)") }
    token.pause()
    #expect(channel.post(1).called == 0)
    token.resume()
    #expect(channel.post(2).called == 1 && token.isActive)
    var holder: Holder? = Holder()
    holder?.token = token
    holder = nil
    #expect(channel.post(3).called == 0 && !token.isActive)
    token.cancel()
    channel.listen(for: model) { _, _ in }
    #expect(channel.removeListeners(of: model) == 1)
    #expect(channel.removeAllListeners() == 0)
    #expect(model.log == ["2"])
  }

  @Test func `C33 C31 a dump and the wiring show who listens`() {
    let channel = LocalChannel<Note>("C33 wired")
    let model = Model()
    channel.listen(for: model, priority: .low, label: "mine") { _, _ in }
    let token = channel.listen { _ in }
    token.registration.pause()
    let listing = channel.snapshot()
    #expect(listing.listeners.map(\.label) == [nil, "mine"])
    #expect(listing.listeners.map(\.isPaused) == [true, false])
    #expect(listing.listeners.first?.site.fileID.hasSuffix("LocalChannelTests.swift") == true)
    #expect(channel.dump().contains("'mine'") && channel.dump().contains("paused"))
    func edges() -> [Wiring.Edge] {
      let wiring = Wiring.snapshot()
      let node = wiring.nodes.first { $0.label == "C33 wired" }
      return wiring.edges.filter { $0.from == node?.id }
    }
    #expect(edges().map(\.label) == [nil, "mine"])
    #expect(edges().map(\.state) == [.paused, .alive])
    token.cancel()
    channel.removeAllListeners()
    #expect(edges().isEmpty)
  }
}
