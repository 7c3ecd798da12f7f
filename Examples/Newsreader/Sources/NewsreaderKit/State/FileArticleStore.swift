internal import Foundation
internal import Junctor

/// A store that keeps its marks in a file, and keeps itself up to date by listening.
///
/// It hears of a change before anything that shows it does.
///
/// ## Concurrency
/// On the main actor.
@MainActor
final class FileArticleStore: ArticleStore {
  /// How long changes may wait for more of them.
  private static let longestDelay: TimeInterval = 0.5

  private var articles: [Article] = []
  private var numbers: [ArticleID: Int] = [:]
  private var marks = ArticleMarks()
  private var pending: [ArticleID: ArticleMark] = [:]
  private var file: StateFile?
  private var reported: Set<NewsreaderError> = []
  private var lastSave = Date.distantPast
  private let clock: any Clock
  private let report: (NewsreaderError) -> Void

  /// How many are neither read nor archived.
  private(set) var unreadCount = 0
  /// How many are archived.
  private(set) var archivedCount = 0

  /// Makes a store and reads its file.
  ///
  /// - Parameters:
  ///   - file: where marks are kept; `nil` keeps them in memory.
  ///   - clock: tells when it is time to write.
  ///   - report: is told what is wrong with the file, each thing once.
  /// - Complexity: O(size of the file).
  init(
    file: StateFile?, clock: any Clock, report: @escaping (NewsreaderError) -> Void
  ) {
    self.file = file
    self.clock = clock
    self.report = report
    readMarks()
    Channel.feedLoaded.listen(for: self, priority: .high) { store, loaded in
      store.insert(loaded.feed)
    }
    Channel.articleRead.listen(for: self, priority: .high) { store, read in
      store.change(read.id) { mark in
        if read.isRead { mark.insert(.read) } else { mark.remove(.read) }
      }
    }
    Channel.articleArchived.listen(for: self, priority: .high) { store, archived in
      store.change(archived.id) { $0.insert(.archived) }
    }
  }

  /// How many articles there are, archived ones included.
  var count: Int { articles.count }

  /// The article with a number; `nil` if there is none.
  ///
  /// - Complexity: O(1).
  func article(_ number: Int) -> Article? {
    articles.indices.contains(number - 1) ? articles[number - 1] : nil
  }

  /// What is known of the article with a number.
  ///
  /// - Complexity: O(1).
  func mark(_ number: Int) -> ArticleMark {
    article(number).map { marks[$0.id] } ?? []
  }

  /// The number of an article; `nil` if it is of no loaded feed.
  ///
  /// - Complexity: O(1).
  func number(of id: ArticleID) -> Int? { numbers[id] }

  /// Adds the articles of a feed that are not there yet.
  private func insert(_ feed: Feed) {
    articles.reserveCapacity(articles.count + feed.articles.count)
    numbers.reserveCapacity(articles.count + feed.articles.count)
    for article in feed.articles where numbers[article.id] == nil {
      articles.append(article)
      numbers[article.id] = articles.count
      count(marks[article.id], 1)
    }
  }

  private func change(_ id: ArticleID, _ change: (inout ArticleMark) -> Void) {
    let old = marks[id]
    var new = old
    change(&new)
    guard new != old else { return }
    marks[id] = new
    pending[id] = new
    if numbers[id] != nil {
      count(old, -1)
      count(new, 1)
    }
    if clock.now.timeIntervalSince(lastSave) > Self.longestDelay { save() }
  }

  private func count(_ mark: ArticleMark, _ step: Int) {
    if mark.contains(.archived) {
      archivedCount += step
    } else if !mark.contains(.read) {
      unreadCount += step
    }
  }

  // MARK: - The file

  /// Writes what has changed since it was last written, if anything has.
  ///
  /// - Complexity: O(size of the file), if anything has changed.
  func save() {
    guard let file, !pending.isEmpty else { return }
    lastSave = clock.now
    do throws(NewsreaderError) {
      try file.apply(pending)
      pending = [:]
    } catch {
      // The changes stay: what hinders may go away.
      complain(error)
    }
  }

  private func readMarks() {
    guard let file else { return }
    do throws(NewsreaderError) {
      marks = try file.read()
      if let obstacle = file.obstacle() {
        complain(obstacle)
        self.file = nil
      }
    } catch {
      // What cannot be read must not be written over.
      complain(error)
      self.file = nil
    }
  }

  private func complain(_ error: NewsreaderError) {
    if reported.insert(error).inserted { report(error) }
  }
}
