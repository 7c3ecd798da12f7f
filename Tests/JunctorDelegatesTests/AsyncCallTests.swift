import JunctorDelegates
import Testing

@Suite struct AsyncCallTests {
  let log = Log()
  let list = MulticastList<any Listener>()

  @Test func `D12 liveness is read again after each suspension`() async {
    let a = Ear("a", log)
    defer { withExtendedLifetime(a) {} }
    let b = Ear("b", log)
    defer { withExtendedLifetime(b) {} }
    var c: Ear? = Ear("c", log)
    let d = Ear("d", log)
    defer { withExtendedLifetime(d) {} }
    list.add(a)
    list.add(b)
    if let c { list.add(c) }
    await list.forEach { target in
      await Task.yield()
      target.hear("1")
      list.remove(b)
      c = nil
      list.add(d)
    }
    #expect(log.lines == ["a 1"])
    #expect(list.count == 2)
    #expect(c == nil)
  }

  @Test func `D12 asynchronous answers combine in order and follow the error policy`() async throws
  {
    let ears = (0..<3).map { Ear("\($0)", log, value: $0) }
    defer { withExtendedLifetime(ears) {} }
    for ear in ears { list.add(ear) }
    let all = await list.all { target in
      await Task.yield()
      return target.answer()
    }
    #expect(all == [0, 1, 2])
    let last = await list.last { target in
      await Task.yield()
      return target.answer()
    }
    #expect(last == 2)
    log.clear()
    ears[0].error = Mishap(number: 0)
    ears[1].error = Mishap(number: 1)
    await #expect(throws: Mishap(number: 0)) {
      try await list.last { target in
        await Task.yield()
        return try target.attempt()
      }
    }
    await #expect(throws: Mishap(number: 0)) {
      try await list.last(onError: .stop) { target in
        await Task.yield()
        return try target.attempt()
      }
    }
    #expect(log.lines == ["0", "1", "2", "0"])
  }

  @Test func `D16 an asynchronous call that reached nobody is told`() async {
    let told = Log()
    list.registry.watchUnreachedCalls { told($0.method) }
    await list.forEach { _ in await Task.yield() }
    let nothing: Int? = await list.last { target in
      await Task.yield()
      return target.answer()
    }
    #expect(nothing == nil)
    #expect(told.lines.count == 2)
  }

  @Test func `D12 a call to all at once calls those that were there when it began`() async {
    let list = MulticastList<any Later>()
    let log = log
    let leaves = (0..<3).map { _ in LaterLeaf(log) }
    for leaf in leaves { list.add(leaf) }
    let answers = await list.concurrently { target in
      for leaf in leaves { list.remove(leaf) }
      await target.call()
    }
    #expect(answers.count == 3)
    #expect(log.lines.count == 3)
    #expect(list.isEmpty)
  }
}
