internal import Foundation
internal import Junctor

/// Carries out commands, one line at a time.
///
/// ## Concurrency
/// On the main actor.
@MainActor
final class CommandInterpreter {
  /// The columns of an article's text.
  private static let width = 80

  private let store: any ArticleStore
  private let list: ListScreen
  private let reading: ReadingScreen
  private let writeWiring: (String) -> Void
  private let output: (String) -> Void

  /// Makes an interpreter.
  ///
  /// - Parameters:
  ///   - services: the services of the whole program.
  ///   - list: the list.
  ///   - reading: the article that is open.
  ///   - writeWiring: writes the picture of the wiring to a file.
  ///   - output: prints one line.
  /// - Throws: when the program provides no store.
  init(
    services: Services, list: ListScreen, reading: ReadingScreen,
    writeWiring: @escaping (String) -> Void, output: @escaping (String) -> Void
  ) throws {
    store = try services.require((any ArticleStore).self)
    self.list = list
    self.reading = reading
    self.writeWiring = writeWiring
    self.output = output
  }

  /// Carries out one line.
  ///
  /// - Parameter line: the line. One that is no command prints why, and nothing else happens.
  /// - Returns: whether there is to be another.
  /// - Complexity: that of the command.
  func run(_ line: String) -> Bool {
    do throws(Command.Misunderstanding) {
      guard let command = try Command.parse(line) else { return true }
      return run(command)
    } catch {
      output(error.message)
      return true
    }
  }

  private func run(_ command: Command) -> Bool {
    switch command {
    case .list: print(list.numbers(.all))
    case .unread: print(list.numbers(.unread))
    case .search(let text): print(list.numbers(.search(text)))
    case .open(let number): open(number)
    case .next: turn(.next, step: 1, end: "This is the last article.")
    case .previous: turn(.previous, step: -1, end: "This is the first article.")
    case .archive: archive()
    case .back: if isReading() { reading.leave() }
    case .mark(let number, let isRead): mark(number, isRead: isRead)
    case .count:
      output(
        "articles \(store.count) unread \(store.unreadCount) archived \(store.archivedCount)")
    case .wiring(let path): writeWiring(path)
    case .help: output(Command.overview)
    case .quit: return false
    }
    return true
  }

  private func print(_ numbers: [Int]) {
    for number in numbers { if let line = store.line(number) { output(line) } }
  }

  private func open(_ number: Int) {
    if list.open(number) { printArticle() } else { output("There is no article \(number).") }
  }

  private func turn(_ result: ReadingResult, step: Int, end: String) {
    guard isReading(), let number = list.openNumber else { return }
    // At the end the article stays open.
    guard list.neighbour(step, of: number) != nil else { return output(end) }
    reading.finish(result)
    printArticle()
  }

  private func archive() {
    guard isReading(), let title = reading.article?.title else { return }
    reading.finish(.archived)
    output("Archived '\(title)'.")
  }

  private func mark(_ number: Int, isRead: Bool) {
    guard list.mark(number, isRead: isRead), let line = store.line(number) else {
      return output("There is no article \(number).")
    }
    output(line)
  }

  private func isReading() -> Bool {
    if reading.article != nil { return true }
    output("No article is open.")
    return false
  }

  private func printArticle() {
    for line in reading.lines(width: Self.width) { output(line) }
  }
}
