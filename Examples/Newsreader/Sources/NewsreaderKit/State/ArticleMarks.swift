internal import Foundation

/// What the reader knows of an article.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct ArticleMark: OptionSet, Sendable, Hashable {
  /// The bits.
  let rawValue: UInt8

  /// It was read.
  static let read = ArticleMark(rawValue: 1)
  /// It was put away.
  static let archived = ArticleMark(rawValue: 2)
}

/// What the state file holds: the marks of all articles ever met, of feeds that are loaded and of those that are not.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct ArticleMarks: Sendable, Hashable {
  /// The version of the format that this program writes.
  static let version = 1

  private var marks: [ArticleID: ArticleMark] = [:]

  /// Starts without any.
  init() {}

  /// The marks of an article; setting none forgets it.
  subscript(id: ArticleID) -> ArticleMark {
    get { marks[id] ?? [] }
    set { marks[id] = newValue.isEmpty ? nil : newValue }
  }

  /// How many articles have a mark.
  var count: Int { marks.count }
}

// MARK: - The file's format

extension ArticleMarks {
  /// The format: identities in two lists.
  private struct Record: Codable {
    var version: Int
    var read: [String]
    var archived: [String]
  }

  /// What every version of the format has.
  private struct Header: Codable { var version: Int }

  /// Why data holds no marks.
  enum DecodingFailure: Error { case damaged, newer(Int) }

  /// Reads what `encoded()` wrote.
  ///
  /// - Parameter data: the file's content; empty data holds no marks.
  /// - Throws: `DecodingFailure`.
  /// - Complexity: O(length).
  init(_ data: Data) throws(DecodingFailure) {
    if data.isEmpty { return }
    let decoder = JSONDecoder()
    guard let header = try? decoder.decode(Header.self, from: data) else { throw .damaged }
    guard header.version <= Self.version else { throw .newer(header.version) }
    guard let record = try? decoder.decode(Record.self, from: data) else { throw .damaged }
    for (list, mark) in [(record.read, ArticleMark.read), (record.archived, .archived)] {
      for text in list {
        guard let id = ArticleID(text) else { throw .damaged }
        self[id].insert(mark)
      }
    }
  }

  /// The file's content: JSON in a stable order.
  ///
  /// - Complexity: O(n log n).
  func encoded() throws -> Data {
    func list(_ mark: ArticleMark) -> [String] {
      marks.filter { $0.value.contains(mark) }.keys.map(\.description).sorted()
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let record = Record(version: Self.version, read: list(.read), archived: list(.archived))
    return try encoder.encode(record) + Data([0x0A])
  }
}
