import JunctorDelegates
import Synchronization
import Testing

@Suite struct CallTests {
  let log = Log()
  let list = MulticastList<any Listener>()

  @Test func `D7 removed earlier in a call means not called, added means next call`() {
    let a = Ear("a", log)
    defer { withExtendedLifetime(a) {} }
    let b = Ear("b", log)
    defer { withExtendedLifetime(b) {} }
    let c = Ear("c", log)
    defer { withExtendedLifetime(c) {} }
    a.then = { [list] in
      list.remove(b)
      list.add(c)
    }
    list.add(a)
    list.add(b)
    list.forEach { $0.hear("1") }
    list.forEach { $0.hear("2") }
    #expect(log.lines == ["a 1", "a 2", "c 2"])
  }

  @Test func `D7 what dies during a call is skipped`() {
    let a = Ear("a", log)
    defer { withExtendedLifetime(a) {} }
    var b: Ear? = Ear("b", log)
    list.add(a)
    if let b { list.add(b) }
    a.then = { b = nil }
    list.forEach { $0.hear("1") }
    #expect(log.lines == ["a 1"])
    #expect(b == nil)
  }

  @Test func `D7 removing itself and being added again works inside its own call`() {
    let a = Ear("a", log)
    defer { withExtendedLifetime(a) {} }
    let b = Ear("b", log)
    defer { withExtendedLifetime(b) {} }
    list.add(a)
    list.add(b)
    a.then = { [list, unowned a] in
      #expect(list.remove(a))
      #expect(list.add(a).outcome == .added)
    }
    list.forEach { $0.hear("1") }
    a.then = nil
    list.forEach { $0.hear("2") }
    #expect(log.lines == ["a 1", "b 1", "b 2", "a 2"])
  }

  @Test func `D7 a token cancelled inside the call makes room at once`() {
    let a = Ear("a", log)
    defer { withExtendedLifetime(a) {} }
    let token = list.add(a).registration
    a.then = { [list, unowned a] in
      token.cancel()
      #expect(!list.contains(a))
      #expect(list.add(a).outcome == .added)
    }
    list.forEach { $0.hear("1") }
    #expect(list.count == 1)
  }

  @Test func `D9 results are last, first, any, every, all and reduced`() {
    let ears = [3, 1, 2].map { Ear("\($0)", log, value: $0) }
    defer { withExtendedLifetime(ears) {} }
    for ear in ears { list.add(ear) }
    #expect(list.last { $0.answer() } == 2)
    #expect(list.first { $0.answer() } == 3)
    #expect(list.any { $0.answer() == 1 } == true)
    #expect(list.any { $0.answer() == 4 } == false)
    #expect(list.every { $0.answer() > 0 } == true)
    #expect(list.every { $0.answer() > 1 } == false)
    #expect(list.all { $0.answer() } == [3, 1, 2])
    #expect(list.reduce(-) { $0.answer() } == 0)
    #expect(log.lines.count == 8 * 3)
  }

  @Test func `D9 nobody answers with nil, not with a trap`() {
    #expect(list.last { $0.answer() } == nil)
    #expect(list.first { $0.answer() } == nil)
    #expect(list.any { $0.answer() == 1 } == nil)
    #expect(list.every { $0.answer() == 1 } == nil)
    #expect(list.all { $0.answer() }.isEmpty)
    #expect(list.reduce(+) { $0.answer() } == nil)
  }

  @Test func `D11 every target runs, then the first error is thrown`() {
    let ears = (0..<4).map { Ear("\($0)", log, value: $0) }
    defer { withExtendedLifetime(ears) {} }
    for ear in ears { list.add(ear) }
    ears[1].error = Mishap(number: 1)
    ears[2].error = Mishap(number: 2)
    #expect(throws: Mishap(number: 1)) { try list.last { try $0.attempt() } }
    #expect(log.lines == ["0", "1", "2", "3"])
    log.clear()
    #expect(throws: Mishap(number: 1)) { try list.last(onError: .stop) { try $0.attempt() } }
    #expect(log.lines == ["0", "1"])
  }

  @Test func `D11 a typed error keeps its type`() {
    list.add(Ear("a", log), retaining: true)
    do {
      try list.forEach { (_: any Listener) throws(Mishap) in throw Mishap(number: 7) }
    } catch {
      // Compiles only if `error` is a `Mishap`.
      #expect(error.number == 7)
    }
  }

  @Test func `D7 ten thousand targets are called in order`() {
    let ears = (0..<10_000).map { Ear("", log, value: $0) }
    defer { withExtendedLifetime(ears) {} }
    for ear in ears { list.add(ear) }
    #expect(list.all { $0.answer() } == Array(0..<10_000))
    for ear in ears where ear.value % 2 == 0 { list.remove(ear) }
    #expect(list.count == 5_000)
  }

  @Test func `D16 whoever is told of calls that reach nobody is called directly, however often`() {
    let told = Mutex(0)
    list.registry.watchUnreachedCalls { _ in told.withLock { $0 += 1 } }
    for _ in 0..<100_000 { list.forEach { $0.hear("") } }
    #expect(told.withLock { $0 } == 100_000)
  }

  @Test func `D16 a call that reached nobody is told`() {
    let told = Log()
    list.registry.watchUnreachedCalls { told("\($0.method)") }
    func playerDidStart() { list.forEach { $0.hear("") } }
    playerDidStart()
    list.add(Ear("a", log), retaining: true)
    playerDidStart()
    #expect(told.lines == ["playerDidStart()"])
    #expect(list.registry.unreachedCallCount == 1)
  }
}
