import JunctorChannels
import JunctorTesting
import Testing

@Suite struct RequestTests {
  struct Failure: Error, Equatable {}

  @MainActor final class Shop {
    var prices = ["tea": 3]
  }

  @Test func `C29 the first answer in the order of listeners counts, later ones are not asked`()
    async throws
  {
    let price = RequestChannel<String, Int>("price", in: Exchange())
    let log = Log()
    let owner = Owner()
    price.answer(for: owner) { _, item in
      log.add("second \(item)")
      return 2
    }
    price.answer(for: owner, priority: .high) { _, item in
      log.add("first \(item)")
      return item == "tea" ? 1 : nil
    }
    price.answer(for: owner, priority: .low) { _, _ in
      log.add("third")
      return 3
    }
    #expect(try await price.request("tea") == 1)
    #expect(try await price.request("milk") == 2)
    #expect(log.events == ["first tea", "first milk", "second milk"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `C29 a time-out may be of any length`() async throws {
    let answered = RequestChannel<Int, Int>("answered", in: Exchange())
    let token = answered.answer { $0 }
    let unanswered = RequestChannel<Int, Int>("unanswered", in: Exchange())
    let kept = Holder<Question<Int, Int>>()
    let other = unanswered.questions.listen { kept.value = $0 }
    let longest = Duration.seconds(Int64.max)
    for timeout in [longest, longest * 4, .zero, .seconds(-1), longest * -1, longest * -4] {
      #expect(try await answered.request(1, timeout: timeout) == 1)
      if timeout > .zero {
        let asking = Task { try await unanswered.request(1, timeout: timeout) }
        while kept.value == nil { await Task.yield() }
        kept.value?.reply(2)
        kept.value = nil
        #expect(try await asking.value == 2)
      } else {
        let error = await #expect(throws: RequestError.self) {
          try await unanswered.request(1, timeout: timeout)
        }
        #expect(error?.code == .timedOut)
        kept.value = nil
      }
    }
    withExtendedLifetime((token, other)) {}
  }

  @Test func `C29 an answer may come from the main actor, or later`() async throws {
    let exchange = Exchange()
    let price = RequestChannel<String, Int>("price", in: exchange)
    let shop = Shop()
    _ = await MainActor.run {
      price.answer(for: shop) { @MainActor me, item in me.prices[item] }
    }
    #expect(try await price.request("tea") == 3)
    let late = RequestChannel<String, Int>("late", in: exchange)
    let kept = Holder<Question<String, Int>>()
    let asked = Signal()
    let token = late.questions.listen { question in
      kept.value = question
      asked.send()
    }
    let asking = Task { try await late.request("milk") }
    await asked.wait()
    #expect(kept.value?.isOpen == true)
    #expect(kept.value?.reply(4) == true)
    #expect(try await asking.value == 4)
    #expect(kept.value?.reply(5) == false)
    withExtendedLifetime(token) {}
  }

  @Test func `C29 nobody answered: nobody there, nobody who knows, or the last who might is gone`()
    async throws
  {
    let price = RequestChannel<String, Int>("price", in: Exchange())
    let owner = Owner()
    let nobody = await #expect(throws: RequestError.self) { try await price.request("tea") }
    #expect(nobody?.code == .nobodyAnswered)
    #expect(nobody?.site.fileID.hasSuffix("RequestTests.swift") == true)
    price.answer(for: owner) { _, _ in nil }
    let token = price.answer(on: .deferred) { _ in nil }
    let unknown = await #expect(throws: RequestError.self) { try await price.request("tea") }
    #expect(unknown?.code == .nobodyAnswered)
    let held = HeldQueue()
    let asked = Signal()
    let slow = price.answer(on: .queue(held.queue)) { _ in 1 }
    let witness = price.answer(priority: .lowest) { _ in
      asked.send()
      return nil
    }
    let asking = Task { try await price.request("tea") }
    await asked.wait()
    slow.cancel()
    let gone = await #expect(throws: RequestError.self) { try await asking.value }
    #expect(gone?.code == .nobodyAnswered)
    held.open()
    withExtendedLifetime((token, witness)) {}
  }

  @Test func `C29 a time-out is another error, on the clock that is given`() async throws {
    let price = RequestChannel<String, Int>("price", in: Exchange())
    let clock = ManualClock()
    let kept = Holder<Question<String, Int>>()
    let token = price.questions.listen { kept.value = $0 }
    let asking = Task {
      try await price.request("tea", timeout: .seconds(2), clock: clock)
    }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(kept.value?.isOpen == true)
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: RequestError.self) { try await asking.value }
    #expect(error?.code == .timedOut)
    #expect(kept.value?.reply(1) == false)
    withExtendedLifetime(token) {}
  }

  @Test(.timeLimit(.minutes(2))) func `C29 an answer in time stops the clock`() async throws {
    let price = RequestChannel<String, Int>("price", in: Exchange())
    let clock = ManualClock()
    let kept = Holder<Question<String, Int>>()
    let token = price.questions.listen { kept.value = $0 }
    let asking = Task {
      try await price.request("tea", timeout: .seconds(2), clock: clock)
    }
    await clock.waitForSleepers()
    kept.value?.reply(7)
    #expect(try await asking.value == 7)
    while clock.sleeperCount > 0 { await Task.yield() }
    withExtendedLifetime(token) {}
  }

  @Test func `C29 one who throws ends the request, with the cause`() async throws {
    let price = RequestChannel<String, Int>("price", in: Exchange())
    let owner = Owner()
    price.answer(for: owner) { _, _ in throw Failure() }
    let error = await #expect(throws: RequestError.self) { try await price.request("tea") }
    #expect(error?.code == .refused)
    #expect(error?.cause as? Failure == Failure())
  }

  @Test func `C29 a cancelled task asks no longer`() async throws {
    let price = RequestChannel<String, Int>("price", in: Exchange())
    let kept = Holder<Question<String, Int>>()
    let asked = Signal()
    let token = price.questions.listen { question in
      kept.value = question
      asked.send()
    }
    let asking = Task { try await price.request("tea") }
    await asked.wait()
    asking.cancel()
    await #expect(throws: CancellationError.self) { try await asking.value }
    #expect(kept.value?.isOpen == false)
    withExtendedLifetime(token) {}
  }

  actor Till {
    private var left = 2
    private let sale: RequestChannel<Int, Int>

    init(_ sale: RequestChannel<Int, Int>) { self.sale = sale }

    func open() {
      sale.answer(for: self) { me, wanted in
        guard me.left >= wanted else { return nil }
        me.left -= wanted
        return me.left
      }
    }

    func sell(_ count: Int) async throws -> Int { try await sale.request(count) }
  }

  @Test func `C29 C7 an actor answers from its own state, on it and from elsewhere`() async throws {
    let sale = RequestChannel<Int, Int>("sale", in: Exchange())
    var till: Till? = Till(sale)
    await till?.open()
    #expect(try await sale.request(1) == 1)
    #expect(try await till?.sell(1) == 0)
    let soldOut = await #expect(throws: RequestError.self) { try await sale.request(1) }
    #expect(soldOut?.code == .nobodyAnswered)
    till = nil
    await #expect(throws: RequestError.self) { try await sale.request(0) }
  }

  @Test func `C29 who gets no answer is told whether anybody was asked`() async throws {
    let exchange = Exchange()
    let price = RequestChannel<String, Int>("price", in: exchange)
    func message() async -> String {
      let error = await #expect(throws: RequestError.self) { try await price.request("tea") }
      return error?.message ?? ""
    }
    #expect(await message().contains("nobody answers there. Register"))
    let declining = price.answer { _ in nil }
    #expect(await message().contains("the one who was asked has none, or let the question go."))
    let forgetting = price.questions.listen(on: .deferred) { _ in }
    #expect(await message().contains("none of the 2 who were asked has one"))
    withExtendedLifetime((declining, forgetting)) {}
  }

  @Test func `C31 a channel of questions is shown by what is asked and answered`() throws {
    let exchange = Exchange()
    let price = RequestChannel<String, Int>("price", in: exchange)
    let token = price.answer { _ in 1 }
    #expect(exchange.dump().contains("'price' of questions Swift.String → Swift.Int"))
    withExtendedLifetime(token) {}
  }
}
