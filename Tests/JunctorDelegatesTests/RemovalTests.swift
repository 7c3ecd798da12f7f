import JunctorDelegates
import Testing

/// A kind of call.
enum CallKind: CaseIterable, Sendable {
  case forEach, last, first, any, every, all, reduce
  case asyncForEach, asyncLast, asyncAll, calls
}

@Suite struct RemovalTests {
  @Test(arguments: CallKind.allCases)
  func `D7 removal inside every kind of call takes effect at once`(kind: CallKind) async {
    let log = Log()
    let list = MulticastList<any Listener>()
    var ears = (0..<5).map { Ear("\($0)", log) }
    for ear in ears { list.add(ear) }
    weak let last = ears[4]
    // The first takes itself and the second out, and lets the last die; a newcomer waits for the next call.
    let newcomer = Ear("new", log)
    defer { withExtendedLifetime(newcomer) {} }
    ears[0].then = { [list, weak first = ears[0], weak second = ears[1]] in
      if let first { list.remove(first) }
      if let second { list.remove(second) }
      ears.removeLast()
      list.add(newcomer)
    }
    func call(_ target: any Listener) -> Bool {
      target.hear("")
      return true
    }
    func callLater(_ target: any Listener) async -> Bool {
      await Task.yield()
      return call(target)
    }
    switch kind {
    case .forEach: list.forEach { _ = call($0) }
    case .last: _ = list.last { call($0) }
    case .first: _ = list.first { call($0) }
    case .any: _ = list.any { call($0) }
    case .every: _ = list.every { call($0) }
    case .all: _ = list.all { call($0) }
    case .reduce: _ = list.reduce({ $0 && $1 }) { call($0) }
    case .asyncForEach: await list.forEach { _ = await callLater($0) }
    case .asyncLast: _ = await list.last { await callLater($0) }
    case .asyncAll: _ = await list.all { await callLater($0) }
    case .calls:
      var calls = list.calls()
      while let target = calls.next() {
        if await callLater(target) { _ = calls.didAnswer() }
      }
    }
    #expect(log.lines == ["0 ", "2 ", "3 "])
    #expect(last == nil)
    #expect(list.targets.map { ($0 as? Ear)?.name } == ["2", "3", "new"])
  }
}
