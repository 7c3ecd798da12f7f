import CJunctorCore
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A counter and a clock that tests move on, and the scale between them.
private struct Instruments {
  var scale = junctor_scale()
  var ticks: UInt64 = 1_000
  var nanoseconds: UInt64 = 5_000_000_000
  // What the counter has passed of its next tick.
  private var rest = 0.0

  /// Lets time pass on both: so many nanoseconds, at so many ticks each.
  mutating func pass(_ passed: UInt64, rate: Double = 2.1) {
    nanoseconds += passed
    rest += Double(passed) * rate
    let whole = rest.rounded(.down)
    ticks &+= UInt64(whole)
    rest -= whole
  }

  mutating func learn() { unsafe junctor_scale_learn(&scale, ticks, nanoseconds) }

  /// What the scale says, if it knows.
  mutating func read() -> UInt64? {
    var found: UInt64 = 0
    return unsafe junctor_scale_read(&scale, ticks, &found) ? found : nil
  }

  /// How far off the scale is, if it knows.
  mutating func error() -> UInt64? {
    read().map { $0 > nanoseconds ? $0 - nanoseconds : nanoseconds - $0 }
  }
}

/// A counter that goes on by itself.
private final class Counter: Sendable {
  private let ticks = Atomic<UInt64>(2_000_000)

  func next() -> UInt64 { ticks.wrappingAdd(200, ordering: .relaxed).newValue }
}

struct ClockTests {
  @Test func `W3 a scale tells nothing until it has seen ten milliseconds`() {
    var now = Instruments()
    #expect(now.read() == nil)
    now.learn()
    #expect(now.read() == nil)
    now.pass(9_999_999)
    now.learn()
    #expect(now.read() == nil)
    now.pass(1)
    now.learn()
    #expect(now.error() == 0)
    now.pass(5_000_000)
    #expect(now.error().map { $0 <= 1 } == true)
  }

  @Test(arguments: [0.6, 1.0, 2.1, 3.0, 5.7])
  func `W3 a scale is right at every rate, and learns again in good time`(rate: Double) {
    var now = Instruments()
    now.learn()
    var known = 0
    var learnt = 0
    for _ in 0..<100_000 {
      now.pass(.random(in: 1...200_000), rate: rate)
      if let error = now.error() {
        known += 1
        // A tick more or less, over two stretches.
        if error > 20 {
          Issue.record("\(error) ns off")
          return
        }
      } else {
        learnt += 1
        now.learn()
      }
    }
    #expect(known > 99_000)
    #expect(learnt > 5)
  }

  @Test func `W3 a scale follows a clock that is being corrected`() {
    var now = Instruments()
    now.learn()
    var rate = 2.1
    for step in 0..<20_000 {
      if step % 1_000 == 0 { rate = 2.1 * (1 + .random(in: -0.000_4...0.000_4)) }
      now.pass(1_000_000, rate: rate)
      // A change of 800 millionths over one second.
      if let error = now.error() { #expect(error < 1_000_000) } else { now.learn() }
    }
    now.learn()
    #expect(now.error() == 0)
  }

  @Test func `W3 a counter that goes back or stands still is not believed`() {
    var now = Instruments()
    now.learn()
    now.pass(20_000_000)
    now.learn()
    #expect(now.error() == 0)
    // As after a sleep: the counter begins anew, the clock goes on.
    now.ticks = 7
    now.nanoseconds += 1_000
    #expect(now.read() == nil)
    now.learn()
    #expect(now.read() == nil, "a rate across a sleep is none")
    now.pass(10_000_000)
    now.learn()
    now.pass(1_000_000)
    #expect(now.error().map { $0 <= 2 } == true)
    // Standing still.
    now.nanoseconds += 30_000_000
    now.learn()
    now.nanoseconds += 30_000_000
    now.learn()
    #expect(now.read() == nil)
  }

  @Test func `W3 a reading that comes late changes nothing`() {
    var now = Instruments()
    now.learn()
    now.pass(20_000_000)
    let late = now
    now.pass(1_000)
    now.learn()
    unsafe junctor_scale_learn(&now.scale, late.ticks, late.nanoseconds)
    now.pass(1_000_000)
    #expect(now.error().map { $0 <= 1 } == true)
  }

  @Test func `W3 a clock that went on without its counter is not believed`() {
    var now = Instruments()
    now.learn()
    now.pass(20_000_000)
    now.learn()
    // A hundred milliseconds of which the counter knows nothing.
    now.pass(45_000_000)
    now.nanoseconds += 100_000_000
    now.learn()
    #expect(now.read() == nil)
    now.pass(10_000_000)
    now.learn()
    #expect(now.error() == 0)
    // Long ago: nothing follows from it.
    now.pass(11_000_000_000)
    now.learn()
    #expect(now.read() == nil)
  }

  @Test func `W3 a counter too slow or too quick for the sums is left alone`() {
    for rate in [0.4, 0.000_001] {
      var now = Instruments()
      now.learn()
      now.pass(20_000_000, rate: rate)
      now.learn()
      #expect(now.read() == nil, "\(rate) ticks in a nanosecond")
    }
    var now = Instruments()
    now.learn()
    now.pass(20_000_000, rate: 1e6)
    now.learn()
    // Of so quick a counter a nanosecond is a million ticks, but the sums hold.
    now.pass(2_000, rate: 1e6)
    #expect(now.error().map { $0 <= 1 } == true)
  }

  @Test func `W3 the times of events are those of the monotonic clock`() {
    junctor_prepare_clock()
    var worst: UInt64 = 0
    let end = clock() + 300_000_000
    var readings = 0
    while true {
      let before = clock()
      let time = junctor_nanoseconds()
      let after = clock()
      // Whoever is interrupted in between sees the interruption.
      if time < before { worst = max(worst, before - time) }
      if time > after { worst = max(worst, time - after) }
      readings += 1
      if after > end { break }
    }
    #expect(readings > 1_000)
    #expect(worst < 50_000, "\(worst) ns off in \(readings) readings")
  }

  @Test func `W3 threads that read while others learn see no torn scale`() async throws {
    let scale = UnsafeMutablePointer<junctor_scale>.allocate(capacity: 1)
    unsafe scale.initialize(to: junctor_scale())
    defer { unsafe scale.deallocate() }
    let address = UInt(bitPattern: scale)
    // The counter makes two ticks in each nanosecond and began at nothing, so that every reading can be checked.
    let counter = Counter()
    let (right, wrong) = await withTaskGroup(of: (Int, Int).self) { group in
      for task in 0..<4 {
        group.addTask {
          guard let scale = unsafe UnsafeMutablePointer<junctor_scale>(bitPattern: address) else {
            return (0, 1)
          }
          var right = 0
          var wrong = 0
          for _ in 0..<300_000 {
            let now = counter.next()
            if task < 2 { unsafe junctor_scale_learn(scale, now, now / 2) }
            var found: UInt64 = 0
            guard unsafe junctor_scale_read(scale, now, &found) else { continue }
            if found <= now / 2 + 1, found + 1 >= now / 2 { right += 1 } else { wrong += 1 }
          }
          return (right, wrong)
        }
      }
      return await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    }
    #expect(right > 1_000)
    #expect(wrong == 0)
  }

  private func clock() -> UInt64 {
    var now = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }
}
