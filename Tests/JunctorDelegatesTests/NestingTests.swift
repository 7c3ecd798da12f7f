import JunctorDelegates
import Testing

@testable import JunctorDelegates

@Suite struct NestingTests {
  let log = Log()

  @Test func `D15 multicasts nest`() {
    let outer = EarTrumpet()
    defer { withExtendedLifetime(outer) {} }
    let inner = EarTrumpet()
    defer { withExtendedLifetime(inner) {} }
    let a = Ear("a", log, value: 1)
    defer { withExtendedLifetime(a) {} }
    let b = Ear("b", log, value: 2)
    defer { withExtendedLifetime(b) {} }
    outer.targets.add(inner)
    outer.targets.add(a)
    inner.targets.add(b)
    outer.hear("x")
    #expect(log.lines == ["b x", "a x"])
    #expect(outer.answer() == 1)
  }

  @Test func `D15 adding itself is refused and reported`() {
    let trumpet = EarTrumpet()
    defer { withExtendedLifetime(trumpet) {} }
    let codes = reports {
      #expect(trumpet.targets.add(trumpet).outcome == .refused(.itself))
    }
    #expect(codes == ["delegates.itself"])
    #expect(trumpet.isEmpty)
  }

  @Test func `D15 closing a cycle is refused, and each leaf is called once`() {
    let trumpets = (0..<4).map { _ in EarTrumpet() }
    defer { withExtendedLifetime(trumpets) {} }
    let ears = (0..<4).map { Ear("\($0)", log) }
    defer { withExtendedLifetime(ears) {} }
    for index in 0..<4 { trumpets[index].targets.add(ears[index]) }
    for index in 0..<3 { trumpets[index].targets.add(trumpets[index + 1]) }
    let codes = reports {
      #expect(trumpets[3].targets.add(trumpets[0]).outcome == .refused(.cycle))
      #expect(trumpets[1].targets.add(trumpets[0]).outcome == .refused(.cycle))
    }
    #expect(codes == ["delegates.cycle", "delegates.cycle"])
    trumpets[0].hear("x")
    #expect(log.lines == ["0 x", "1 x", "2 x", "3 x"])
    log.clear()
    trumpets[3].hear("y")
    #expect(log.lines == ["3 y"])
  }

  @Test func `D15 a nesting that was taken back no longer stands in the way`() {
    let a = EarTrumpet()
    defer { withExtendedLifetime(a) {} }
    let b = EarTrumpet()
    defer { withExtendedLifetime(b) {} }
    let token = a.targets.add(b).registration
    #expect(a.remove(b))
    #expect(b.targets.add(a).outcome == .added)
    #expect(!token.isActive)
    b.removeAll()
    let other = a.targets.add(b)
    #expect(other.outcome == .added)
    other.registration.cancel()
    #expect(b.targets.add(a).outcome == .added)
  }

  @Test func `D15 of two threads that close a cycle one is refused`() async {
    for _ in 0..<200 {
      let pair = Pair()
      async let one = pair.join(forwards: true)
      async let other = pair.join(forwards: false)
      let taken = await [one, other].count { $0 }
      #expect(taken == 1)
    }
  }

  final class Pair: Sendable {
    let left = SendableTrumpet()
    let right = SendableTrumpet()

    @concurrent func join(forwards: Bool) async -> Bool {
      Junctor.withDiagnostics({ _ in }) {
        let (holder, target) = forwards ? (left, right) : (right, left)
        return holder.targets.add(target).isOnList
      }
    }
  }

  final class SendableTrumpet: MulticastHolder, Sendable {
    let targets = MulticastList<any AnyObject & Sendable>()
    var multicastRegistry: MulticastRegistry { targets.registry }
  }
}
