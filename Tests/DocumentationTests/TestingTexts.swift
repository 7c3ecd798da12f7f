import Junctor
import JunctorTesting
import Testing

// What the articles and the doc comments about testing show.
private protocol TimeSource: Sendable { func now() -> Int }
private protocol Session: Sendable {}
private protocol Analytics: Sendable {}
private struct FixedTime: TimeSource { func now() -> Int { 12 } }
private struct Token: Session {}
private struct Reporter: Analytics {}

private struct Screen {
  @Injected var time: any TimeSource
  var title: String { "\(time.now()):00" }
}
private typealias Reader = Screen

private func makeAppServices() -> Services {
  let app = Services("app")
  app.provide((any Session).self) { _ in Token() }
  app.provide((any Analytics).self) { _ in Reporter() }
  return app
}

private enum Doubles {
  protocol TimeSource: Sendable { var now: @Sendable () -> Int { get } }

  struct TimeDouble: TimeSource {
    var now: @Sendable () -> Int = { unimplemented("TimeSource.now", returning: 0) }
  }
}

@Suite struct `Texts about testing with services` {
  @Test(
    .services { services in
      services.set((any TimeSource).self, to: FixedTime())
      services.setUnimplemented((any Analytics).self)
    })
  func `shows the time`() throws {
    let screen = Screen()  // its @Injected properties find the test's set
    #expect(screen.title == "12:00")
  }

  @Test(
    .services { services in
      services.set((any TimeSource).self, to: FixedTime())
    })
  func `reads the time`() {
    let reader = Reader()  // its @Injected properties find the test's set
    #expect(reader.time.now() == 12)
  }

  @Test func `a set is current by hand`() {
    let services = Services("test")
    services.set((any TimeSource).self, to: FixedTime())
    let screen = withServices(services) { Screen() }
    #expect(screen.title == "12:00")
  }

  @Test func `a set in front of the application's overrides`() throws {
    let test = Services("test", alternate: makeAppServices())
    test.override((any TimeSource).self, to: FixedTime())
    #expect(try test.require((any TimeSource).self).now() == 12)
  }

  @Test func `a double whose method is reached fails the test`() {
    withKnownIssue { #expect(Doubles.TimeDouble().now() == 0) }
  }

  @Test func `the application's set is complete`() throws {
    try makeAppServices().validate(roots: [
      ServiceKey((any Session).self), ServiceKey((any Analytics).self),
    ])
  }
}

private struct Login: Sendable, Equatable { var name: String }
extension Channel where Message == Login {
  fileprivate static let loggedIn = Channel("account.loggedIn")
}

private final class Model: Sendable {
  func logIn() { Channel.loggedIn.post(Login(name: "Ada")) }
  func show(_ login: Login) {}
}

@Suite(.ownExchange) struct LoginTests {
  @Test func `logging in is posted`() {
    let (model, channel) = (Model(), Channel.loggedIn)
    let recorder = ChannelRecorder(channel)
    model.logIn()
    #expect(recorder.messages == [Login(name: "Ada")])
  }
}

@Suite(.ownExchange) struct `Texts about testing channels` {
  @Test(.timeLimit(.minutes(1))) func `logging in is posted from another task`() async {
    let recorder = ChannelRecorder(Channel.loggedIn)
    let model = Model()
    Task { model.logIn() }
    let logins = await recorder.wait(for: 1)
    #expect(logins == [Login(name: "Ada")])
  }

  @Test func `a recorder waits no longer than its task`() async {
    let recorder = ChannelRecorder(Channel.loggedIn)
    let waiting = Task { await recorder.wait(for: 1) }
    waiting.cancel()
    #expect(await waiting.value.isEmpty)
  }

  @Test func `nothing is queued any more when an exchange has settled`() async {
    let (model, channel) = (Model(), Channel.loggedIn)
    let registration = channel.listen(for: model, on: .deferred) { me, login in me.show(login) }
    channel.post(Login(name: "Ada"))
    await Exchange.shared.settle()
    #expect(registration.deliveryCounts?.delivered == 1)
  }

  @Test func `a listener on an executor runs when the test says so`() {
    let (model, channel, message) = (Model(), Channel.loggedIn, Login(name: "Ada"))
    let executor = ManualExecutor()
    channel.listen(for: model, on: .executor(executor)) { me, message in me.show(message) }
    channel.post(message)
    executor.runAll()
    #expect(executor.pending == 0)
  }

  @Test func `nothing is left of a listener`() async {
    let leaks = LeakCheck()
    do {
      let model = leaks.watch(Model())
      Channel.loggedIn.listen(for: model) { me, login in me.show(login) }
      model.logIn()
    }
    leaks.expectNone()
  }

  @Test func `a time-out passes when the test says so`() async {
    struct Item: Sendable {}
    let (price, item) = (RequestChannel<Item, Int>("shop.price"), Item())
    let keeper = price.questions.listen { question in withExtendedLifetime(question) {} }
    let kept = Kept<Question<Item, Int>>()
    let keeping = price.questions.listen { question in kept.keep(question) }
    let clock = ManualClock()
    let asking = Task { try await price.request(item, timeout: .seconds(2), clock: clock) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(2))
    let error = await #expect(throws: RequestError.self) { _ = try await asking.value }
    #expect(error?.code == .timedOut)
    withExtendedLifetime((keeper, keeping)) {}
  }
}

private struct Article: Sendable, Equatable { var title = "Tides" }
private struct Draft: Sendable, Equatable { var text = "…" }

private enum Kit {
  final class List {
    func open(_ article: Article, on screen: some DataReceiver<Article>) {
      screen.handOver(article)
    }
    func edit(_ draft: Draft, in editor: some ResultProvider<Draft, Draft>) async -> Draft? {
      await editor.request(draft).outcome.value
    }
  }
}

@Suite struct `Texts about testing handovers` {
  @Test func `a double says what it was handed`() {
    let (list, article) = (Kit.List(), Article())
    let screen = ReceiverDouble<Article>("reading", isReady: false)
    list.open(article, on: screen)
    #expect(screen.pendingHandovers == 1)
    screen.isReady = true
    #expect(screen.prepared == [article])
  }

  @Test func `a double answers as it was told`() async {
    let (list, final) = (Kit.List(), Draft(text: "final"))
    let editor = ProviderDouble<Draft, Draft>(answers: [.value(final), .cancelled])
    #expect(await list.edit(Draft(), in: editor) == final)
    #expect(await list.edit(Draft(), in: editor) == nil)
  }
}

private typealias ReportsFail = Reports.ReportsFail

private enum Reports {
  struct ReportsFail: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }
    func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      try await Junctor.withDiagnostics({ Issue.record("\($0)") }) { try await function() }
    }
  }
}

@Suite(.ownExchange, ReportsFail()) struct GoldTests {
  @Test func `what nobody hears fails the test`() {
    withKnownIssue {
      Channel<Int>("gold", options: ChannelOptions(requiresListener: true)).post(3)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("Can't deliver 'gold'") }
    }
  }
}
