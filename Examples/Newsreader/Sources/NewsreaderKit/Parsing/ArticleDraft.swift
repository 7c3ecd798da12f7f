internal import Foundation

/// What one `item` or `entry` said, before its links are known.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct ArticleDraft: Sendable {
  /// `guid`, Atom's `id` or `rdf:about`.
  var identifier: String?
  /// The title in one line; empty if there is none.
  var title = ""
  /// Who wrote it.
  var author: String?
  /// The dates that make sense, by what they are dates of.
  var dates: [DateKind: Date] = [:]
  /// The text, from the richest of the elements that carry one.
  var body = ""
  /// Whether the text was cut.
  var isCut = false
  /// How rich the element was that `body` is from.
  var bodyRank = BodyRank.none

  /// What a date is the date of, the most telling one last.
  enum DateKind: Int, Sendable { case updated, created, published }

  /// Where a text may come from, the richest last.
  enum BodyRank: Int, Sendable, Comparable {
    /// Nothing so far, a summary, the content itself.
    case none, summary, content

    /// Orders by richness.
    static func < (left: BodyRank, right: BodyRank) -> Bool { left.rawValue < right.rawValue }
  }

  /// When it was published, as far as can be said.
  var published: Date? { dates[.published] ?? dates[.created] ?? dates[.updated] }
}

/// What a feed said of itself.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct FeedDraft: Sendable {
  /// Its title in one line; empty if there is none.
  var title = ""
  /// Atom's `id` or `rdf:about`.
  var identifier: String?
  /// Its articles, in the order of the file.
  var articles: [ArticleDraft] = []
}
