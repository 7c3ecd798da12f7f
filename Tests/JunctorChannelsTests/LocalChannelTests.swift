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
