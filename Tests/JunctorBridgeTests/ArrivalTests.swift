import JunctorBridge
import Testing

@Suite(.timeLimit(.minutes(5))) struct ArrivalTests {
  private let row = ArrivalLog.Row(origin: "o", channel: "c")

  @Test func `B3 gaps are counted from the first number heard`() {
    var log = ArrivalLog(width: 0)
    #expect(log.arrive(row, 10) == (true, 0))
    #expect(log.arrive(row, 11) == (true, 0))
    #expect(log.arrive(row, 15) == (true, 3))
    #expect(log.arrive(ArrivalLog.Row(origin: "o", channel: "d"), 3) == (true, 0))
    #expect(log.arrive(row, 16) == (true, 0))
  }

  @Test func `B3 what has come is known, in any order, within the window`() {
    var log = ArrivalLog(width: 128)
    #expect(log.arrive(row, 5).isNew)
    #expect(log.arrive(row, 3).isNew)
    #expect(!log.arrive(row, 5).isNew)
    #expect(!log.arrive(row, 3).isNew)
    #expect(log.arrive(row, 4).isNew)
    #expect(log.contains(row, 4))
    #expect(!log.contains(row, 6))
    _ = log.arrive(row, 131)
    #expect(log.contains(row, 4))
    _ = log.arrive(row, 1_000_000)
    #expect(!log.contains(row, 4))
    #expect(log.arrive(row, 4).isNew)
  }

  @Test func `B3 a leap forgets what lies a window back and nothing else`() {
    var log = ArrivalLog(width: 64)
    for number in 1...64 { _ = log.arrive(row, UInt64(number)) }
    _ = log.arrive(row, 1_000_000)
    #expect(!log.contains(row, 64))
    for number in 999_937...999_999 { #expect(log.arrive(row, UInt64(number)).isNew) }
    for number in 999_937...1_000_000 { #expect(!log.arrive(row, UInt64(number)).isNew) }
    #expect(log.contains(row, 1_000_000))
  }

  @Test func `B3 the log agrees with a plain set, whatever the order`() {
    var log = ArrivalLog(width: 1_024)
    var seen: Set<UInt64> = []
    var highest: UInt64 = 1_000
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed)
    for _ in 0..<100_000 {
      let number = highest + UInt64.random(in: 0...40, using: &generator) - 37
      #expect(log.arrive(row, number).isNew == seen.insert(number).inserted, "seed \(seed)")
      highest = max(highest, number)
    }
  }

  @Test func `B3 what comes again is known however late, where nothing else is missing`() {
    var log = ArrivalLog(width: 100)
    for number in 1...200_000 where number != 7 { _ = log.arrive(row, UInt64(number)) }
    #expect(!log.arrive(row, 1).isNew)
    #expect(!log.arrive(row, 199_999).isNew)
    #expect(log.arrive(row, 7).isNew)
    #expect(!log.arrive(row, 7).isNew)
  }

  @Test func `B4 holes are bounded, and what is too far back counts as new`() {
    var log = ArrivalLog(width: 100)
    for number in 1...10_000 where number % 2 == 0 { _ = log.arrive(row, UInt64(number)) }
    #expect(log.arrive(row, 9_999).isNew)
    #expect(!log.arrive(row, 9_999).isNew)
    #expect(log.arrive(row, 3).isNew)
  }

  @Test func `B4 rows are bounded, and the latest stay`() {
    var log = ArrivalLog(width: 64, mostRows: 100)
    for index in 0..<10_000 {
      _ = log.arrive(ArrivalLog.Row(origin: "o\(index)", channel: "c"), 1)
      #expect(log.count <= 100)
    }
    #expect(log.contains(ArrivalLog.Row(origin: "o9999", channel: "c"), 1))
  }

  @Test func `B3 every channel is numbered by itself, and a full book says so`() {
    var book = SequenceBook(mostNames: 3)
    #expect([book.next("a"), book.next("a"), book.next("b"), book.next("a")] == [1, 2, 1, 3])
    #expect(book.epoch == 0)
    for name in ["c", "d", "e"] { _ = book.next(name) }
    #expect(book.epoch == 1)
    #expect(book.next("a") == 1)
  }
}

/// A generator that gives the same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
