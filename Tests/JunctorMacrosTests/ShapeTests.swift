import JunctorMacros
import Testing

@Suite struct ShapeTests {
  let log = Log()
  let all = ShapesMulticast()
  let one: Shape
  let two: Shape

  init() {
    one = Shape(1, log)
    two = Shape(2, log)
    all.add(one)
    all.add(two)
  }

  @Test func `D13 properties are read by rule and set for all`() throws {
    #expect(all.size == 2)
    all.size = 7
    #expect(one.size == 7 && two.size == 7)
    #expect(all.total == 3)
    #expect(try all.cautious == 2)
    one.error = Mishap(number: 5)
    #expect(throws: Mishap(number: 5)) { try all.cautious }
    #expect(log.lines == ["cautious 1", "cautious 2", "cautious 1", "cautious 2"])
  }

  @Test func `D13 asynchronous throwing getters keep their type`() async {
    do {
      #expect(try await all.late == 2)
      one.error = Mishap(number: 5)
      _ = try await all.late
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.number == 5)
    }
    #expect(log.lines == ["late 1", "late 2", "late 1", "late 2"])
  }

  @Test func `D13 subscripts are read by rule and set for all`() {
    #expect(all[3] == "2[3]")
    all[key: "a"] = 4
    #expect(one.keyed == ["a": 4] && two.keyed == ["a": 4])
    #expect(all[key: "a"] == 4)
    #expect(all[key: "b"] == nil)
  }

  @Test func `D13 names of parameters do not stand in the way of what is written`() async {
    all[newValue: 1, target: 2] = 9
    #expect(one.keyed == ["1 2": 9] && two.keyed == ["1 2": 9])
    #expect(all[newValue: 1, target: 2] == 9)
    #expect(await all.laterSum(former: 10) == 3)
  }

  @Test func `D13 inout runs along the chain, borrowing is lent to all`() {
    var value = 0
    all.adjust(&value)
    #expect(value == 12)
    all.look(at: "x")
    all.peek(Token(number: 3))
    #expect(log.lines == ["look x", "look x", "peek 3", "peek 3"])
  }

  @Test func `D13 generic methods, packs and overloads reach their like`() {
    #expect(all.convert(3) == Box(content: 3))
    all.take(1, "a", 2.0)
    all.overloaded(1)
    all.overloaded("a")
    all.overloaded(text: "a")
    let number: Int? = all.produce()
    let text: String? = all.produce()
    #expect(number == 2 && text == "2")
    #expect(
      log.lines == ["take 3", "take 3", "int", "int", "string", "string", "text", "text"])
  }

  @Test func `D13 closures, lazy arguments and unnamed parameters are passed on`() {
    var count = 0
    func next() -> Int {
      count += 1
      return count
    }
    all.lazily(next())
    all.lazilyThrowing(next())
    all.visit { count += $0 }
    all.keep {}
    all.unnamed(1, label: 2)
    all.default(in: 3)
    all.target(4, self: 5)
    all.conditional()
    #expect(count == 7 && one.kept.count == 1 && two.kept.count == 1)
    #expect(
      log.lines == [
        "lazily 1", "lazily 2", "3", "4", "unnamed 1 2", "unnamed 1 2", "default 3", "default 3",
        "target 4 5", "target 4 5", "conditional", "conditional",
      ])
  }

  @Test func `D11 rethrows stops at the first, typed errors keep their type`() {
    var calls = 0
    #expect(throws: Mishap(number: 1)) {
      try all.repeatedly {
        calls += 1
        throw Mishap(number: calls)
      }
    }
    #expect(calls == 1)
    all.repeatedly { calls += 1 }
    #expect(calls == 3)
    one.error = Mishap(number: 8)
    do {
      try all.typed()
    } catch {
      #expect(error.number == 8)
    }
    #expect(throws: Mishap(number: 8)) { try all.stopping() }
    #expect(log.lines == ["typed 1", "typed 2", "stopping 1"])
  }

  @Test func `D9 every rule and every kind of nothing`() {
    #expect(all.optional() == 2)
    #expect(all.items() == [1, -1, 2, -2])
    #expect(all.wants())
    #expect(all.first() == 1)
    all.removeAll()
    #expect(all.optional() == nil)
    #expect(all.items().isEmpty)
    #expect(!all.wants())
    #expect(all.first() == -1)
    #expect(all.size == 0)
    #expect(all[3].isEmpty)
    #expect(all.convert(3) == nil)
  }

  @Test func `D12 asynchronous methods run one after another in order`() async throws {
    await all.later(3)
    #expect(await all.laterTotal() == 3)
    #expect(try await all.laterTyped() == 2)
    var count = 0
    await all.closure { count += 1 }
    await all.isolatedTo(nil)
    one.error = Mishap(number: 1)
    await #expect(throws: Mishap(number: 1)) { try await all.laterThrowing() }
    #expect(count == 2)
    #expect(
      log.lines == [
        "later 1 3", "later 2 3", "laterTyped 1", "laterTyped 2", "isolated 1", "isolated 2",
        "laterThrowing 1", "laterThrowing 2",
      ])
  }

  @Test func `D10 names tell overloads apart`() {
    #expect(all.responds(to: .size))
    #expect(all.responds(to: .overloaded_text))
    #expect(all.responds(to: .overloaded_1))
    #expect(all.responds(to: .subscript))
    #expect(all.responds(to: .subscript_key))
    all.removeAll()
    #expect(!all.responds(to: .conditional))
  }

  @Test func `D11 an error type that the caller chooses is kept`() {
    var calls = 0
    do {
      try all.typedAgain { () throws(Mishap) in
        calls += 1
        throw Mishap(number: calls)
      }
      Issue.record("nothing was thrown")
    } catch {
      // Compiles only if `error` is a `Mishap`.
      #expect(error.number == 1)
    }
    #expect(calls == 2)
    all.typedAgain { calls += 1 }
    #expect(calls == 4)
  }

  @Test func `D13 inout runs along the chain with suspensions too`() async {
    var sum = 0
    await all.add(3, to: &sum)
    #expect(sum == 45)
  }

  @Test func `D13 requirements of a name that a multicast uses itself are forwarded`() {
    let all = SameNamesMulticast()
    let target = SameNamed()
    defer { withExtendedLifetime(target) {} }
    all.add(target)
    let delegate: any SameNames = all
    #expect(delegate.count == 42 && all.count == 42)
    #expect(delegate.isEmpty && delegate.contains(all) && delegate.remove(all))
    delegate.removeAll()
    delegate.responds(to: 3)
    #expect(target.calls == 2)
    #expect(all.multicastRegistry.count == 1)
    #expect(all.responds(to: .removeAll))
    all.multicastRegistry.removeAll()
    #expect(delegate.count == -1)
  }

  @Test func `D10 a nested answer counts though who gave it left during the call`() async throws {
    let outer = GuessingMulticast()
    let inner = GuessingMulticast()
    let guesser = Guesser(inner)
    let unsure = Unsure()
    defer { withExtendedLifetime((inner, guesser, unsure)) {} }
    outer.add(inner)
    inner.add(unsure)
    func prepare() { inner.add(guesser, before: unsure) }
    prepare()
    #expect(outer.guess() == 7)
    #expect(outer.guess() == -1)
    prepare()
    #expect(await outer.guessLater() == 7)
    #expect(await outer.guessLater() == -1)
    prepare()
    #expect(await outer.guessTogether() == 7)
    #expect(await outer.guessTogether() == -1)
    prepare()
    #expect(try await outer.guessOrFail() == 7)
    #expect(try await outer.guessOrFail() == -1)
    #expect(!outer.responds(to: .guess))
  }
}
