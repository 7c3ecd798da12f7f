import JunctorDelegates
import Testing

@Suite struct OptionalTests {
  let log = Log()
  let list = MulticastList<any Listener>()

  private func guess(_ list: MulticastList<any Listener>) -> Int? {
    list.last(optional: .guess) { $0.guess() }
  }

  @Test func `D10 a target without an implementation does not decide`() {
    let quiet = Ear("quiet", log, value: 1)
    let guesser = Guesser("loud", log, value: 2)
    defer { withExtendedLifetime((quiet, guesser)) {} }
    list.add(guesser)
    list.add(quiet)
    #expect(guess(list) == 2)
    #expect(guess(list) == 2)
    list.remove(guesser)
    #expect(guess(list) == nil)
    #expect(!list.registry.responds(to: .guess))
  }

  @Test func `D10 an error before the call says nothing of the target`() async {
    final class Fresh: Listener {
      func hear(_ word: String) {}
      func answer() -> Int { 0 }
      func attempt() throws -> Int { 0 }
    }
    let fresh = Fresh()
    defer { withExtendedLifetime(fresh) {} }
    list.add(fresh)
    await #expect(throws: Mishap.self) {
      try await list.forEach(optional: .guess) { _ in
        await Task.yield()
        throw Mishap(number: 1)
      }
    }
    #expect(throws: Mishap.self) {
      try list.forEach(optional: .guess) { _ in throw Mishap(number: 2) }
    }
    #expect(guess(list) == nil)
  }

  @Test func `D10 a target that was passed over is not taken for one that answers`() {
    final class Fresh: Listener {
      func hear(_ word: String) {}
      func answer() -> Int { 0 }
      func attempt() throws -> Int { 0 }
    }
    let fresh = Fresh()
    defer { withExtendedLifetime(fresh) {} }
    list.add(fresh)
    // The closure makes the answer up and calls nobody.
    #expect(list.last(optional: .guess) { _ in 5 } == 5)
    #expect(guess(list) == nil)
    #expect(list.last(optional: .guess) { _ in 5 } == nil)
  }

  @Test func `D10 a nested answer counts though who gave it left during the call`() {
    let inner = EarTrumpet()
    let leaving = Guesser("leaving", log, value: 3)
    let staying = Ear("staying", log)
    defer { withExtendedLifetime((inner, leaving, staying)) {} }
    inner.targets.add(leaving)
    inner.targets.add(staying)
    list.add(inner)
    #expect(guess(list) != nil)
    leaving.then = { [unowned leaving] in inner.remove(leaving) }
    #expect(guess(list) == 3)
    #expect(guess(list) == nil)
  }

  @Test func `D10 a nested answer does not count though who could give it came during the call`() {
    let inner = EarTrumpet()
    let quiet = Silent(log)
    let guesser = Guesser("late", log, value: 3)
    defer { withExtendedLifetime((inner, quiet, guesser)) {} }
    inner.targets.add(quiet)
    list.add(inner)
    // Of a class that was never called nobody knows yet that it takes the default.
    quiet.then = { inner.targets.add(guesser) }
    #expect(guess(list) == nil)
    #expect(guess(list) == 3)
  }

  @Test func `D10 nested calls inside nested calls are told apart`() {
    let inner = EarTrumpet()
    let guesser = Guesser("a", log, value: 4)
    defer { withExtendedLifetime((inner, guesser)) {} }
    inner.targets.add(guesser)
    list.add(inner)
    var isFirst = true
    var nested: Int?
    guesser.then = { [list] in
      guard isFirst else { return }
      isFirst = false
      nested = list.last(optional: .guess) { $0.guess() }
      inner.remove(guesser)
    }
    #expect(guess(list) == 4)
    #expect(nested == 4)
  }

  @Test func `D10 a holder that does not name the method to its list is asked for its targets`() {
    let inner = Vague()
    let guesser = Guesser("a", log, value: 4)
    let quiet = Ear("b", log)
    defer { withExtendedLifetime((inner, guesser, quiet)) {} }
    inner.targets.add(quiet)
    list.add(inner)
    _ = quiet.guess()
    #expect(guess(list) == nil)
    inner.targets.add(guesser)
    #expect(guess(list) == 4)
  }

  @Test(arguments: [31, 32, 63, 64, 255] as [UInt8])
  func `D10 a protocol may have any number of optional methods`(index: UInt8) {
    final class Fresh: Listener {
      func hear(_ word: String) {}
      func answer() -> Int { 1 }
      func attempt() throws -> Int { 0 }
    }
    let method = OptionalMethod(_key: 0x1000 + UInt64(index), index: index)
    let (fresh, loud) = (Fresh(), Ear("loud", log, value: 2))
    defer { withExtendedLifetime((fresh, loud)) {} }
    list.add(loud)
    list.add(fresh)
    for _ in 0..<3 {
      let answer = list.last(optional: method) { target -> Int in
        if target === fresh { method._noteDefault(of: target) }
        return target.answer()
      }
      #expect(answer == 2)
    }
    list.remove(loud)
    #expect(!list.registry.responds(to: method))
  }

  /// Says that it forwards, and calls everybody for what is optional.
  private final class Vague: Listener, MulticastHolder {
    let targets = MulticastList<any Listener>()
    var multicastRegistry: MulticastRegistry { targets.registry }
    func hear(_ word: String) {}
    func answer() -> Int { 0 }
    func attempt() throws -> Int { 0 }
    func guess() -> Int { targets.last { $0.guess() } ?? -1 }
  }

  /// Takes the default by a way of its own, and does something there.
  private final class Silent: Listener {
    let log: Log
    var then: (() -> Void)?
    init(_ log: Log) { self.log = log }
    func hear(_ word: String) {}
    func answer() -> Int { 0 }
    func attempt() throws -> Int { 0 }
    func guess() -> Int {
      then?()
      OptionalMethod.guess._noteDefault(of: self)
      return -1
    }
  }
}
