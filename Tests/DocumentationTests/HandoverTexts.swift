import Junctor
import JunctorMacros
import JunctorRestoration
import Testing

// What the articles and the doc comments about handing over show.
private struct Profile: Sendable, Equatable { var name = "Ada" }
private struct Article: Codable, Sendable, Equatable { var title = "Tides" }
private struct Order: Sendable { var number = 1 }
private struct Place: Sendable {}
private class Screen {}

private final class ProfileScreen: ResultProvider {
  typealias Result = Profile
  let handoverSlot = HandoverSlot<Profile>()
  func prepare(with profile: Profile?) { giveBack(profile ?? Profile(name: "nobody")) }
}

private enum Macro {
  @DataReceiver
  final class ProfileScreen: Screen {
    func prepare(with profile: Profile?) { shown = profile?.name }
    var shown: String?
  }

  static func show(_ profile: Profile, on screen: ProfileScreen) {
    screen.handOver(profile)
  }
}

private final class MapScreen: DataReceiver {
  private(set) var isReady = false

  func tilesHaveLoaded() {
    isReady = true
    becomeReady()
  }

  func prepare(with place: Place?) { prepared += 1 }
  static var handoverPolicy: HandoverPolicy { .all }
  var prepared = 0
}

private enum Reading {
  @DataReceiver
  final class ReadingScreen: Screen, ResultProvider {
    enum Result { case next, previous, archived }
    func prepare(with article: Article?) { model = article }
    func nextWasPressed() { giveBack(.next) }
  }
}

private typealias ReadingScreen = Reading.ReadingScreen

extension ReadingScreen {
  fileprivate func answer(_ request: HandoverRequest<Result>.ID) {
    giveBack(.next)  // the latest open request whose model has arrived
    giveBack(.archived, to: request)  // a certain one
    cancelRequests()  // left without a result
  }
}

private final class List {
  var outcomes: [HandoverOutcome<ReadingScreen.Result>] = []
  func go(on outcome: HandoverOutcome<ReadingScreen.Result>) { outcomes.append(outcome) }

  func open(_ article: Article, on screen: ReadingScreen) {
    screen.request(article, for: self) { me, outcome in me.go(on: outcome) }
  }

  func edit(_ article: Article, on screen: ReadingScreen) {
    screen.request(article, for: self) { me, outcome in
      switch outcome {
      case .value(.next): me.openNext()
      case .value(.previous): me.openPrevious()
      case .value(.archived): me.archive()
      case .cancelled: break
      }
    }
  }
  func openNext() { outcomes.append(.value(.next)) }
  func openPrevious() { outcomes.append(.value(.previous)) }
  func archive() { outcomes.append(.value(.archived)) }

  func wait(for request: HandoverRequest<ReadingScreen.Result>, of screen: ReadingScreen) async {
    let outcome = await screen.result(of: request)
    outcomes.append(outcome)
  }
}

private enum Choice: Sendable { case kept }

private final class Navigation: ReceiverContainer {
  let handoverShelf: HandoverShelf? = HandoverShelf()
  var receiverChildren: [AnyObject] { [] }
}

private final class Chooser {
  var outcomes: [HandoverOutcome<Choice>] = []
  func go(on outcome: HandoverOutcome<Choice>) { outcomes.append(outcome) }

  func ask(_ article: Article, in navigation: Navigation) throws {
    try Handover.leave(article, with: navigation, expecting: Choice.self, for: self) {
      me, outcome in me.go(on: outcome)
    }
  }
}

@DataReceiver
private final class AnsweringScreen: ResultProvider {
  typealias Result = String
  func prepare(with article: Article?) { giveBack(article?.title ?? "") }

  static func ask(_ screen: AnsweringScreen, _ article: Article) async -> String? {
    let request = screen.request(article)
    let outcome = await request.outcome
    return outcome.value
  }
}

private final class OrderScreen: DataReceiver, Sendable {
  private let slot = SharedHandoverSlot<Order>()
  var handoverSlot: HandoverSlot<Order> { slot.base }
  func prepare(with order: Order?) {}
}

@Suite struct `Texts about handing over` {
  @Test func `a profile is handed over and given back`() async {
    let (screen, profile) = (ProfileScreen(), Profile())
    screen.handOver(profile)
    let outcome = await screen.request(profile).outcome
    #expect(outcome == .value(profile))
    let shown = Macro.ProfileScreen()
    Macro.show(profile, on: shown)
    #expect(shown.shown == "Ada")
  }

  @Test func `what waits is prepared when the receiver is ready`() {
    let map = MapScreen()
    map.handOver(Place())
    map.handOver(Place())
    #expect(map.prepared == 0)
    map.tilesHaveLoaded()
    #expect(map.prepared == 2)
  }

  @Test func `a result comes back to a handler and to whoever awaits it`() async {
    let (list, screen, article) = (List(), ReadingScreen(), Article())
    list.open(article, on: screen)
    screen.nextWasPressed()
    let request = screen.request(article)
    screen.giveBack(.archived)
    let outcome = await request.outcome
    #expect(list.outcomes == [.value(.next)] && outcome == .value(.archived))
    let another = screen.request(article)
    screen.giveBack(.previous)
    await list.wait(for: another, of: screen)
    #expect(list.outcomes.last == .value(.previous))
  }

  @Test func `a receiver that does not exist yet is asked through its container`() throws {
    let chooser = Chooser()
    try Junctor.withDiagnostics({ _ in }) {
      let navigation = Navigation()
      try chooser.ask(Article(), in: navigation)
      withExtendedLifetime(navigation) { #expect(chooser.outcomes.isEmpty) }
    }
  }

  @Test func `each outcome leads somewhere`() async {
    let (list, screen, article) = (List(), ReadingScreen(), Article())
    list.edit(article, on: screen)
    screen.nextWasPressed()
    list.edit(article, on: screen)
    screen.giveBack(.previous)
    list.edit(article, on: screen)
    screen.giveBack(.archived)
    list.edit(article, on: screen)
    screen.cancelRequests()
    #expect(list.outcomes == [.value(.next), .value(.previous), .value(.archived)])
    #expect(await AnsweringScreen.ask(AnsweringScreen(), article) == "Tides")
  }

  @Test func `a shared slot serves a receiver of several threads`() {
    let screen = OrderScreen()
    screen.handOver(Order())
    #expect(screen.model?.number == 1)
  }
}
