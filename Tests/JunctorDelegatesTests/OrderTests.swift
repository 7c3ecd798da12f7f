import JunctorDelegates
import Testing

@Suite struct OrderTests {
  let log = Log()
  let list = MulticastList<any Listener>()

  func heard() -> [String] {
    log.clear()
    list.forEach { $0.hear("") }
    return log.lines.map { String($0.dropLast()) }
  }

  @Test func `D1 targets are called in the order of adding`() {
    let ears = (0..<5).map { Ear("\($0)", log) }
    defer { withExtendedLifetime(ears) {} }
    for ear in ears { list.add(ear) }
    #expect(heard() == ["0", "1", "2", "3", "4"])
    list.remove(ears[1])
    list.add(ears[1])
    #expect(heard() == ["0", "2", "3", "4", "1"])
  }

  @Test func `D1 a target goes before or after another, and a priority before all of less`() {
    let a = Ear("a", log)
    defer { withExtendedLifetime(a) {} }
    let b = Ear("b", log)
    defer { withExtendedLifetime(b) {} }
    let c = Ear("c", log)
    defer { withExtendedLifetime(c) {} }
    let d = Ear("d", log)
    defer { withExtendedLifetime(d) {} }
    let e = Ear("e", log)
    defer { withExtendedLifetime(e) {} }
    list.add(a)
    #expect(list.add(b, before: a).outcome == .added)
    #expect(list.add(c, after: b).outcome == .added)
    list.add(d, priority: 1)
    list.add(e)
    #expect(heard() == ["d", "b", "c", "a", "e"])
  }

  @Test func `D1 an absent or dead anchor means the end, and the result says so`() {
    let a = Ear("a", log)
    defer { withExtendedLifetime(a) {} }
    let b = Ear("b", log)
    defer { withExtendedLifetime(b) {} }
    let stranger = Ear("x", log)
    defer { withExtendedLifetime(stranger) {} }
    list.add(a)
    #expect(list.add(b, before: stranger).outcome == .appendedWithoutAnchor)
    #expect(heard() == ["a", "b"])
    let c = Ear("c", log)
    defer { withExtendedLifetime(c) {} }
    list.remove(a)
    #expect(list.add(c, after: a).outcome == .appendedWithoutAnchor)
    #expect(heard() == ["b", "c"])
  }

  @Test func `D2 adding twice keeps the place and says so`() {
    let a = Ear("a", log)
    defer { withExtendedLifetime(a) {} }
    let b = Ear("b", log)
    defer { withExtendedLifetime(b) {} }
    let first = list.add(a)
    list.add(b)
    let second = list.add(a)
    #expect(second.outcome == .alreadyThere)
    #expect(second.registration == first.registration)
    #expect(list.add(a, after: b).outcome == .alreadyThere)
    #expect(heard() == ["a", "b"])
  }

  @Test func `D3 a target is held weakly, unless retained`() {
    weak var kept: Ear?
    weak var lost: Ear?
    do {
      let a = Ear("a", log)
      defer { withExtendedLifetime(a) {} }
      let b = Ear("b", log)
      defer { withExtendedLifetime(b) {} }
      kept = a
      lost = b
      list.add(a, retaining: true)
      list.add(b)
    }
    #expect(kept != nil)
    #expect(lost == nil)
    #expect(heard() == ["a"])
    list.removeAll()
    #expect(kept == nil)
  }

  @Test func `D3 a value is refused where the type lets it through`() {
    let any = MulticastList<Any>()
    let codes = reports { #expect(any.add(3).outcome == .refused(.notAnObject)) }
    #expect(codes == ["delegates.notAnObject"])
    #expect(any.isEmpty)
    let ear = Ear("a", log)
    defer { withExtendedLifetime(ear) {} }
    #expect(any.add(ear).outcome == .added)
    any.forEach { #expect($0 as AnyObject === ear) }
  }

  @Test func `D1 D2 D15 what came of adding prints what it means`() {
    let (a, b) = (Ear("a", log), Ear("b", log))
    let first = list.add(a)
    #expect("\(first)".hasPrefix("added, made at JunctorDelegatesTests/OrderTests.swift:"))
    #expect("\(list.add(a))" == "already there, \(first.registration)")
    #expect(
      "\(list.add(b, before: Ear("x", log)))".hasPrefix(
        "added behind all others, as the one it was to stand beside is not there, made at "))
    let any = MulticastList<Any>()
    _ = reports { #expect("\(any.add(3))".hasPrefix("refused: it is a value")) }
    list.remove(a)
    #expect("\(first)" == "added, ended")
    withExtendedLifetime((a, b)) {}
  }
}
