internal import Foundation
internal import Junctor

/// The reader at the keyboard: turns keys into what the screens do, and draws what they show.
///
/// ## Concurrency
/// On the main actor. Feeds are read meanwhile.
@MainActor
final class InteractiveSession {
  private enum Mode { case list, reading, asking(String), help }

  private let terminal = Terminal()
  private let store: any ArticleStore
  private let list: ListScreen
  private let reading: ReadingScreen
  private let listView: ListView
  private let readingView: ReadingView
  private var bar: ProgressBar?
  private var mode = Mode.list
  /// What is said until the next key; `nil` where there is nothing to say.
  private(set) var message: String?
  private var drawn: Frame?

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - services: the services of the whole program.
  ///   - list: the list.
  ///   - reading: the article that is open.
  ///   - badge: what is unread.
  /// - Throws: when the program provides no store.
  init(services: Services, list: ListScreen, reading: ReadingScreen, badge: UnreadBadge) throws {
    store = try services.require((any ArticleStore).self)
    self.list = list
    self.reading = reading
    listView = ListView(list: list, badge: badge)
    readingView = ReadingView(reading: reading)
  }

  /// Takes the terminal until the reader quits.
  ///
  /// - Parameter load: reads the feeds; is given what to call after each file. Cancelled when the reader quits first.
  func run(
    _ load: @escaping @MainActor (_ finished: @escaping (String) -> Void) async -> Void
  ) async {
    let bar = ProgressBar { [weak self] in self?.draw() }
    self.bar = bar
    terminal.enter()
    defer { terminal.leave() }
    Channel.feedLoaded.listen(for: self, priority: .low) { session, _ in session.draw() }
    draw()
    let loading = Task { await load { bar.finish($0) } }
    for await event in terminal.events {
      guard handle(event) else { break }
      // What was read is kept even if the next thing is a power cut.
      store.save()
      draw()
    }
    loading.cancel()
    await loading.value
  }

  /// Shows a message until the next key.
  ///
  /// - Parameter message: one line.
  func show(_ message: String) {
    self.message = message
    draw()
  }

  // MARK: - Keys

  /// Does what a key stands for, without drawing.
  ///
  /// - Parameter event: what came from the terminal.
  /// - Returns: whether the session goes on.
  func handle(_ event: TerminalEvent) -> Bool {
    switch event {
    case .hangUp: return false
    case .redraw:
      drawn = nil
      return true
    case .key(.interrupt): return false
    case .key(.suspend):
      terminal.suspend()
      return true
    case .key(let key):
      message = nil
      switch mode {
      case .list: return handleInList(key)
      case .reading: handleInArticle(key)
      case .asking(let text): handleInQuestion(key, text)
      case .help: mode = .list
      }
      return true
    }
  }

  private func handleInList(_ key: Key) -> Bool {
    switch key {
    case .up, .character("k"): listView.move(by: -1)
    case .down, .character("j"): listView.move(by: 1)
    case .pageUp: listView.movePage(-1)
    case .pageDown, .character(" "): listView.movePage(1)
    case .home, .character("g"): listView.move(by: -list.rows.count)
    case .end, .character("G"): listView.move(by: list.rows.count)
    case .enter, .right, .character("l"):
      if let number = listView.number, list.open(number) { mode = .reading }
    case .character("u"): show(only: list.filter == .unread ? .all : .unread)
    case .character("/"): mode = .asking("")
    case .escape: show(only: .all)
    case .character("m"): toggle(listView.number)
    case .character("a"):
      if let number = listView.number {
        sayArchived(store.article(number))
        list.archive(number)
      }
    case .character("?"): mode = .help
    case .character("q"): return false
    default: break
    }
    return true
  }

  private func handleInArticle(_ key: Key) {
    switch key {
    case .up, .character("k"): readingView.scroll(by: -1)
    case .down, .character("j"): readingView.scroll(by: 1)
    case .pageUp: readingView.scrollPage(-1)
    case .pageDown, .character(" "): readingView.scrollPage(1)
    case .home, .character("g"): readingView.scroll(by: -1_000_000)
    case .end, .character("G"): readingView.scroll(by: 1_000_000)
    case .right, .character("n"): turn(.next, 1, "This is the last article.")
    case .left, .character("p"): turn(.previous, -1, "This is the first article.")
    case .character("a"):
      sayArchived(reading.article)
      reading.finish(.archived)
    case .character("m"): toggle(list.openNumber)
    case .escape, .enter, .backspace, .character("b"), .character("h"), .character("q"):
      if let number = list.openNumber { listView.choose(number) }
      reading.leave()
    default: break
    }
    if reading.article == nil { mode = .list }
  }

  private func handleInQuestion(_ key: Key, _ text: String) {
    switch key {
    case .character(let character): mode = .asking(text + String(character))
    case .backspace: mode = text.isEmpty ? .list : .asking(String(text.dropLast()))
    case .enter:
      mode = .list
      show(only: text.isEmpty ? .all : .search(text))
    case .escape: mode = .list
    default: break
    }
  }

  private func turn(_ result: ReadingResult, _ step: Int, _ end: String) {
    guard let number = list.openNumber else { return }
    guard let target = list.neighbour(step, of: number) else {
      message = end
      return
    }
    listView.choose(target)
    reading.finish(result)
  }

  private func sayArchived(_ article: Article?) {
    message = article.map { "Archived '\($0.title)'." }
  }

  private func toggle(_ number: Int?) {
    guard let number else { return }
    list.mark(number, isRead: !store.mark(number).contains(.read))
  }

  private func show(only filter: ListScreen.Filter) {
    let number = listView.number
    list.filter = filter
    if let number { listView.choose(number) }
  }

  // MARK: - Drawing

  private func draw() {
    let size = terminal.size
    var frame = Frame(columns: size.columns, rows: size.rows)
    switch mode {
    case .list:
      listView.draw(
        on: &frame, status: status(KeyHelp.list))
    case .asking(let text): listView.draw(on: &frame, status: "Search: \(text)█")
    case .reading:
      readingView.draw(
        on: &frame, status: status(KeyHelp.article))
    case .help:
      for line in KeyHelp.page(columns: size.columns) { frame.add(line) }
    }
    // The same picture again would only make the terminal work.
    guard frame != drawn else { return }
    drawn = frame
    terminal.write(frame.drawn())
  }

  private func status(_ keys: String) -> String {
    message ?? bar?.text(width: terminal.size.columns) ?? keys
  }
}
