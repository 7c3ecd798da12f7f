import Junctor
import JunctorTesting
import Synchronization
import Testing

// What the articles and the doc comments about channels show.
private struct Login: Sendable, Equatable { var name: String }

// `nonisolated` is for targets whose default isolation is the main actor; here it changes nothing.
nonisolated extension Channel where Message == Login {
  static let loggedIn = Channel("account.loggedIn")
}

private struct Message: Sendable { var text: String }

extension Channel<Message> {
  fileprivate static let note = Channel("account.note")
}

@MainActor
private final class Panel {
  private(set) var shown: [String] = []
  private var subscription: Subscription?
  init() {
    subscription = Channel.loggedIn.listen { [weak self] login in self?.show(login) }
  }
  func show(_ login: Login) { shown.append(login.name) }
}

private final class Screen: Sendable {
  let heard = Mutex<[String]>([])

  func show(_ login: Login) { heard.withLock { $0.append(login.name) } }
  func update(_ info: Exchange.Info) { heard.withLock { $0.append("\(info["k"] ?? 0)") } }

  func typed() {
    Channel.loggedIn.listen(for: self) { me, login in me.show(login) }
    Channel.loggedIn.post(Login(name: "Ada"))
  }

  func named() {
    Exchange.shared.listen(to: "MyChannel", for: self) { me, info in me.update(info) }
    Exchange.shared.post(["k": 1], to: "MyChannel")
  }

  func each(of channel: Channel<Login>) async {
    for await login in channel.messages(buffer: .dropOldest(64)) { show(login) }
  }
}

/// Stands for AppKit's.
private final class NSView {}

private final class Sidebar {
  var shown: NSView?
  func show(_ view: NSView) { shown = view }
  func select(_ view: NSView) {
    let selected = LocalChannel<NSView>()
    selected.listen(for: self) { me, view in me.show(view) }
    selected.post(view)
  }
}

private struct Item: Hashable, Sendable { var name: String }
private struct Money: Sendable, Equatable { var cents: Int }

private final class Shop: Sendable {
  let prices = [Item(name: "tea"): Money(cents: 320)]

  func ask(_ item: Item) async throws -> Money {
    let price = RequestChannel<Item, Money>("shop.price")
    price.answer(for: self) { me, item in me.prices[item] }
    let money = try await price.request(item, timeout: .seconds(2))
    return money
  }
}

@Suite(.ownExchange) struct `Texts about channels` {
  @Test func `a typed channel and one that is known by its name are heard`() {
    let screen = Screen()
    screen.typed()
    screen.named()
    #expect(screen.heard.withLock { $0 } == ["Ada", "1"])
  }

  @Test @MainActor func `a stored subscription that captures weakly keeps nothing alive`() {
    var panel: Panel? = Panel()
    Channel.loggedIn.post(Login(name: "Ada"))
    #expect(panel?.shown == ["Ada"])
    weak let observed = panel
    panel = nil
    #expect(observed == nil)
    #expect(!Channel.loggedIn.hasListeners)
  }

  @Test func `a message type may be called as the channel's parameter is`() {
    let heard = Mutex<[String]>([])
    let subscription = Channel.note.listen { note in heard.withLock { $0.append(note.text) } }
    Channel.note.post(Message(text: "hello"))
    #expect(heard.withLock { $0 } == ["hello"])
    subscription.cancel()
  }

  @Test func `a sequence that nobody posts on ends with its task`() async {
    let screen = Screen()
    let task = Task { await screen.each(of: .loggedIn) }
    task.cancel()
    await task.value
    #expect(screen.heard.withLock { $0.isEmpty })
  }

  @Test func `a confined channel passes on what is not Sendable`() {
    let (sidebar, view) = (Sidebar(), NSView())
    sidebar.select(view)
    #expect(sidebar.shown === view)
  }

  @Test func `a question gets its answer`() async throws {
    let shop = Shop()
    #expect(try await shop.ask(Item(name: "tea")) == Money(cents: 320))
  }
}
