internal import Foundation
internal import Junctor

/// Shows the articles, and hands the chosen one to the reading screen.
///
/// ## Concurrency
/// On the main actor.
@MainActor
final class ListScreen {
  /// Which articles are shown.
  enum Filter: Sendable, Hashable {
    /// All that are not archived.
    case all
    /// Those that nobody has read.
    case unread
    /// Those in which a text occurs.
    case search(String)
  }

  /// The numbers of the articles that are shown, in order.
  private(set) var rows: [Int] = []
  /// Which articles are shown.
  var filter = Filter.all { didSet { rows = numbers(filter) } }
  /// The number of the article that is being read.
  private(set) var openNumber: Int?

  private let services: Services
  private let store: any ArticleStore
  private let reading: ReadingScreen

  /// Makes the screen.
  ///
  /// - Parameters:
  ///   - app: the services of the whole program; the screen has its own in front of them.
  ///   - reading: who is handed the chosen article.
  /// - Throws: when the program provides no store.
  init(app: Services, reading: ReadingScreen) throws {
    services = Services("list screen", alternate: app)
    services.set(ArticleLineStyle.self, to: ArticleLineStyle())
    store = try services.require((any ArticleStore).self)
    self.reading = reading
    rows = numbers(.all)
    Channel.feedLoaded.listen(for: self) { list, _ in list.appendRows() }
    Channel.articleArchived.listen(for: self) { list, archived in list.removeRow(archived.id) }
  }

  // MARK: - Reading

  /// Hands an article to the reading screen.
  ///
  /// - Parameter number: the article's number.
  /// - Returns: whether there is such an article.
  @discardableResult
  func open(_ number: Int) -> Bool {
    guard let article = store.article(number) else { return false }
    reading.leave()
    openNumber = number
    reading.request(article, for: self) { list, outcome in list.reading(number, ended: outcome) }
    return true
  }

  /// The number of the article after a row's, or before it; `nil` at the end.
  ///
  /// - Parameters:
  ///   - step: 1 or -1.
  ///   - number: where to start from.
  /// - Complexity: O(log n).
  func neighbour(_ step: Int, of number: Int) -> Int? {
    let position = rows.position(of: number)
    let isThere = rows.indices.contains(position) && rows[position] == number
    let target = step < 0 ? position - 1 : (isThere ? position + 1 : position)
    return rows.indices.contains(target) ? rows[target] : nil
  }

  private func reading(_ number: Int, ended outcome: HandoverOutcome<ReadingResult>) {
    openNumber = nil
    switch outcome {
    case .value(.next): if let next = neighbour(1, of: number) { open(next) }
    case .value(.previous): if let previous = neighbour(-1, of: number) { open(previous) }
    case .value(.archived): archive(number)
    case .cancelled: break
    }
  }

  // MARK: - Marking

  /// Says that an article was read, or is to count as unread.
  ///
  /// - Parameters:
  ///   - number: the article's number.
  ///   - isRead: whether it counts as read.
  /// - Returns: whether there is such an article.
  @discardableResult
  func mark(_ number: Int, isRead: Bool) -> Bool {
    guard let article = store.article(number) else { return false }
    Channel.articleRead.post(ArticleRead(id: article.id, isRead: isRead), from: self)
    return true
  }

  /// Says that an article was put away.
  ///
  /// - Parameter number: the article's number.
  func archive(_ number: Int) {
    guard let article = store.article(number) else { return }
    Channel.articleArchived.post(ArticleArchived(id: article.id), from: self)
  }

  // MARK: - Rows

  /// The numbers of the articles that pass a filter, in order.
  ///
  /// - Parameter filter: the filter.
  /// - Complexity: O(n), and for a search the length of all texts.
  func numbers(_ filter: Filter) -> [Int] {
    (1..<(store.count + 1)).filter { passes($0, filter) }
  }

  /// A row as it is shown, in so many columns.
  ///
  /// - Parameters:
  ///   - number: the article's number.
  ///   - width: the columns.
  /// - Complexity: O(width).
  func row(_ number: Int, width: Int) -> String {
    guard let article = store.article(number), let style = services[ArticleLineStyle.self],
      let wrapper = services[(any TextWrapper).self], let clock = services[(any Clock).self]
    else { return "" }
    return style.row(
      article, isRead: store.mark(number).contains(.read), width: width, wrapper: wrapper,
      now: clock.now)
  }

  private func passes(_ number: Int, _ filter: Filter) -> Bool {
    let mark = store.mark(number)
    guard !mark.contains(.archived) else { return false }
    switch filter {
    case .all: return true
    case .unread: return !mark.contains(.read)
    case .search(let text):
      guard let article = store.article(number) else { return false }
      return ArticleSearch(text).matches(article)
    }
  }

  private func appendRows() {
    let first = (rows.last ?? 0) + 1
    guard first <= store.count else { return }
    rows += (first...store.count).filter { passes($0, filter) }
  }

  private func removeRow(_ id: ArticleID) {
    guard let number = store.number(of: id) else { return }
    let position = rows.position(of: number)
    if rows.indices.contains(position), rows[position] == number { rows.remove(at: position) }
  }
}

extension [Int] {
  /// Where a number is, or would be put, in an array in ascending order.
  ///
  /// - Parameter number: the number.
  /// - Complexity: O(log n).
  fileprivate func position(of number: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
