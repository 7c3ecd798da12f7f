import JunctorDelegates
import Testing

@testable import JunctorDelegates

@Suite struct LifetimeTests {
  let log = Log()
  let list = MulticastList<any Listener>()

  @Test func `D4 removal by object or token takes exactly that entry`() {
    let ears = (0..<4).map { Ear("\($0)", log) }
    defer { withExtendedLifetime(ears) {} }
    let tokens = ears.map { list.add($0).registration }
    #expect(list.remove(ears[2]))
    #expect(!list.remove(ears[2]))
    tokens[0].cancel()
    tokens[0].cancel()
    list.add(ears[0])
    tokens[0].cancel()
    #expect(list.targets.map { ($0 as? Ear)?.name } == ["1", "3", "0"])
  }

  @Test func `D4 a target removes itself from its deinit, after others have died`() {
    var ears: [Ear] = (0..<5).map { Ear("\($0)", log) }
    for ear in ears { list.add(ear) }
    var removed = false
    let list = list
    ears[3].atEnd = { ear in removed = list.remove(ear) }
    ears.remove(at: 1)
    ears.remove(at: 2)
    #expect(removed)
    #expect(list.targets.map { ($0 as? Ear)?.name } == ["0", "2", "4"])
    #expect(list.registry.list.count >= 3)
  }

  @Test func `D4 a new object is a stranger, wherever it lies`() {
    for _ in 0..<1_000 {
      var ear: Ear? = Ear("a", log)
      if let ear { list.add(ear) }
      ear = nil
      let next = Ear("b", log)
      defer { withExtendedLifetime(next) {} }
      #expect(!list.contains(next))
      #expect(!list.remove(next))
      #expect(list.add(next).outcome == .added)
    }
  }

  @Test func `D5 only the living are counted, without a call in between`() {
    var ears = (0..<10).map { Ear("\($0)", log) }
    for ear in ears { list.add(ear) }
    #expect(list.count == 10)
    ears.removeFirst(4)
    #expect(list.count == 6)
    #expect(list.targets.count == 6)
    #expect(list.contains(ears[0]))
    ears = []
    #expect(list.isEmpty)
    #expect(list.targets.isEmpty)
  }

  @Test func `D6 dead entries are cleared away by adding and by calling`() {
    for _ in 0..<10_000 { list.add(Ear("a", log)) }
    #expect(list.registry.list.count < 40)
    let ears = (0..<100).map { Ear("\($0)", log) }
    defer { withExtendedLifetime(ears) {} }
    for ear in ears { list.add(ear) }
    list.forEach { _ in }
    #expect(list.registry.list.count == 100)
    withExtendedLifetime(ears) {}
  }

  @Test func `D8 the last release of a target may come from its own call`() {
    var ear: Ear? = Ear("a", log)
    if let ear {
      list.add(ear)
      ear.then = { [unowned ear] in ear.log("still here") }
    }
    ear?.atEnd = { [log] _ in log("gone") }
    list.forEach { target in
      ear = nil
      target.hear("x")
    }
    #expect(log.lines == ["a x", "still here", "gone"])
    #expect(list.isEmpty)
  }

  @Test func `D15 a dying object is refused and reported`() {
    var outcome: MulticastAddition.Outcome?
    let codes = reports {
      let ear = Ear("a", log)
      defer { withExtendedLifetime(ear) {} }
      ear.atEnd = { [list] ear in outcome = list.add(ear).outcome }
    }
    #expect(outcome == .refused(.dying))
    #expect(codes == ["delegates.dying"])
    #expect(list.isEmpty)
  }
}
