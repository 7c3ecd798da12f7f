import JunctorDelegates
import JunctorTesting
import Synchronization
import Testing

@Suite struct GatherTests {
  let application = Application()
  let timer = ManualTimer()
  let all: Composition

  init() {
    all = Composition(timer: timer)
    application.delegate = all
  }

  @Test func `D17 several parts share an application's delegate`() {
    let parts = [Part("a", .noData), Part("b", .newData), Part("c", .failed)]
    defer { withExtendedLifetime(parts) {} }
    for part in parts { all.parts.add(part) }
    application.becomeActive()
    application.receive("x")
    #expect(parts.allSatisfy { $0.isActive })
    #expect(application.results.lines == ["newData"])
  }

  @Test func `D17 failed is better than noData, and nobody means the fallback`() {
    application.receive("x")
    #expect(application.results.lines == ["noData"])
    let parts = [Part("a", .failed), Part("b", .noData)]
    defer { withExtendedLifetime(parts) {} }
    for part in parts { all.parts.add(part) }
    application.receive("x")
    #expect(application.results.lines == ["noData", "failed"])
  }

  @Test func `D17 late answers complete with the last one`() {
    let quick = Part("quick", .noData)
    defer { withExtendedLifetime(quick) {} }
    let slow = Part("slow", nil)
    defer { withExtendedLifetime(slow) {} }
    all.parts.add(quick)
    all.parts.add(slow)
    application.receive("x")
    #expect(application.results.lines.isEmpty)
    slow.later?(.newData)
    #expect(application.results.lines == ["newData"])
    #expect(reports { timer.fire() }.isEmpty)
    #expect(application.results.lines.count == 1)
  }

  @Test func `D17 a second answer is reported and ignored`() {
    let slow = Part("slow", nil)
    defer { withExtendedLifetime(slow) {} }
    let other = Part("other", nil)
    defer { withExtendedLifetime(other) {} }
    all.parts.add(slow)
    all.parts.add(other)
    application.receive("x")
    slow.later?(.noData)
    #expect(reports { slow.later?(.newData) } == ["delegates.gather.twice"])
    other.later?(.noData)
    #expect(reports { other.later?(.newData) } == ["delegates.gather.twice"])
    #expect(application.results.lines == ["noData"])
  }

  @Test func `D17 when time is up the completion goes without who is missing`() {
    let slow = Part("slow", nil)
    defer { withExtendedLifetime(slow) {} }
    let quick = Part("quick", .failed)
    defer { withExtendedLifetime(quick) {} }
    all.parts.add(slow)
    all.parts.add(quick)
    application.receive("x")
    #expect(reports { timer.fire() } == ["delegates.gather.timedOut"])
    #expect(application.results.lines == ["failed"])
    #expect(reports { slow.later?(.newData) } == ["delegates.gather.late"])
    #expect(reports { slow.later?(.newData) } == ["delegates.gather.twice"])
    #expect(application.results.lines == ["failed"])
  }

  @Test func `D17 a handler that goes away unused does not hold up the others`() {
    let careless = Part("careless", nil)
    defer { withExtendedLifetime(careless) {} }
    let quick = Part("quick", .newData)
    defer { withExtendedLifetime(quick) {} }
    all.parts.add(careless)
    all.parts.add(quick)
    application.receive("x")
    #expect(reports { careless.later = nil } == ["delegates.gather.never"])
    #expect(application.results.lines == ["newData"])
  }

  @Test func `D17 answers are combined in the order of the parts`() {
    let result = Log()
    let gather = Gather(fallback: "", combine: { $0 + $1 }, completion: { result($0) })
    let handlers = ["a", "b", "c"].map { gather.part($0) }
    defer { withExtendedLifetime(handlers) {} }
    handlers[2]("3")
    handlers[0]("1")
    gather.close()
    handlers[1]("2")
    #expect(result.lines == ["123"])
  }

  @Test func `D17 a completed gather lets everything go`() {
    weak var kept: Log?
    var handler: (@Sendable (Int) -> Void)?
    do {
      let log = Log()
      kept = log
      let gather = Gather(
        fallback: 0, timeLimit: .seconds(5), timer: timer.start, combine: { $0 + $1 },
        completion: { log("\($0)") })
      handler = gather.part("a")
      gather.close()
      handler?(1)
    }
    #expect(kept == nil)
    handler = nil
  }

  @Test func `D17 of many threads exactly one completes`() async {
    for _ in 0..<100 {
      let result = Log()
      let timer = ManualTimer()
      await Junctor.withDiagnostics({ _ in }) {
        let gather = Gather(
          fallback: 0, timeLimit: .seconds(1), timer: timer.start, combine: { $0 + $1 },
          completion: { result("\($0)") })
        let handlers = (0..<8).map { gather.part("\($0)") }
        defer { withExtendedLifetime(handlers) {} }
        await withTaskGroup { group in
          group.addTask { timer.fire() }
          for handler in handlers { group.addTask { handler(1) } }
          group.addTask { gather.close() }
        }
      }
      #expect(result.lines.count == 1)
    }
  }

  @Test func `D17 a manual clock measures the limit, and stops when all have answered`() async {
    let clock = ManualClock()
    let result = Log()
    let completed = Gate(opensAt: 2)
    await Junctor.withDiagnostics({ result($0.code.rawValue) }) {
      let gather = Gather(
        fallback: 0, timeLimit: .seconds(25), timer: GatherTimer.on(clock), combine: { $0 + $1 },
        completion: { value in
          result("\(value)")
          Task { await completed.pass() }
        })
      let quick = gather.part("quick")
      let slow = gather.part("slow")
      gather.close()
      quick(3)
      #expect(await clock.waitForSleepers())
      clock.advance(by: .seconds(24))
      #expect(result.lines.isEmpty)
      clock.advance(by: .seconds(1))
      await completed.pass()
      withExtendedLifetime(slow) {}
    }
    #expect(result.lines.contains("3") && result.lines.contains("delegates.gather.timedOut"))
  }

  @Test func `D17 the system's timer runs`() async {
    await withCheckedContinuation { continuation in
      let gather = Gather(
        fallback: 7, timeLimit: .milliseconds(1), combine: { $0 + $1 },
        completion: { value in
          #expect(value == 7)
          continuation.resume()
        })
      withExtendedLifetime(gather) {}
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `D17 a time limit may be of any length, on every timer`() async {
    let longest = Duration.seconds(Int64.max)
    for timer in [GatherTimer.dispatch, GatherTimer.on(ContinuousClock())] {
      for limit in [longest, longest * 4, .zero, longest * -1, longest * -4] {
        let ended = Atomic(0)
        let gather = Gather(fallback: 0, timeLimit: limit, timer: timer, combine: +) { _ in
          ended.wrappingAdd(1, ordering: .releasing)
        }
        let answer = gather.part("part")
        gather.close()
        if limit > .zero { answer(1) }
        while ended.load(ordering: .acquiring) == 0 { await Task.yield() }
        answer(1)
        #expect(ended.load(ordering: .acquiring) == 1)
      }
    }
  }
}
