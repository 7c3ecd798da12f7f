import JunctorBridge
import Testing

@Suite(.timeLimit(.minutes(5))) struct MarkTests {
  @Test func `B2 a mark reads what it wrote`() throws {
    let mark = MessageMark(
      origin: "3k.1.2", sequence: 7, count: 3, schema: 2, type: "App.Box<Swift.Int; x>")
    #expect(mark.text == "1;3k.1.2;7;3;2;App.Box<Swift.Int; x>")
    #expect(MessageMark(mark.text) == mark)
    #expect(mark.messages == 3)
  }

  @Test func `B2 a type's name never ends a header`() throws {
    let mark = MessageMark(origin: "o", sequence: 1, count: 0, schema: 1, type: "A\r\nEvil: b")
    #expect(mark.text == "1;o;1;0;1;AEvil: b")
    #expect(mark.messages == 1)
  }

  @Test(arguments: [
    "", "1", "2;o;1;0;1;T", "1;;1;0;1;T", "1;o;0;0;1;T", "1;o;-1;0;1;T", "1;o;1;-1;1;T",
    "1;o;1;999999999;1;T", "1;o;x;0;1;T", "1;o;1;0;x;T", "1;o;18446744073709551615;0;1;T",
    "1;\(String(repeating: "o", count: 200));1;0;1;T",
  ])
  func `B4 what is no mark is not read`(text: String) {
    #expect(MessageMark(text) == nil)
  }

  @Test func `B2 a batch is divided as it was joined`() {
    let messages: [[UInt8]] = [[], [1], Array(repeating: 7, count: 300), []]
    var payload: [UInt8] = []
    for message in messages { MessageBatch.append(message, to: &payload) }
    let ranges = MessageBatch.ranges(of: payload, count: 4)
    #expect(ranges?.map { Array(payload[$0]) } == messages)
  }

  @Test func `B4 garbage is no batch, whatever it claims`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        UInt8.random(in: 0...3, using: &generator)
      }
      let count = Int.random(in: 1...5, using: &generator)
      guard let ranges = MessageBatch.ranges(of: bytes, count: count) else { continue }
      #expect(ranges.count == count)
      #expect(ranges.reduce(0) { $0 + $1.count + 4 } == bytes.count)
    }
    #expect(MessageBatch.ranges(of: [0xff, 0xff, 0xff, 0xff, 1], count: 1) == nil)
    #expect(MessageBatch.ranges(of: [], count: 1) == nil)
    #expect(MessageBatch.ranges(of: [0, 0, 0, 0, 9], count: 1) == nil)
  }
}
