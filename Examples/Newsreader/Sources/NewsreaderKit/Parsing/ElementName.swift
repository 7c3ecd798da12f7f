/// An element's name, its namespace reduced to what a news reader tells apart.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct ElementName: Sendable, Hashable {
  /// The families of elements that mean something here.
  enum Family: Sendable {
    /// RSS of any version, and OPML.
    case rss
    /// Atom 1.0 and 0.3.
    case atom
    /// `content:encoded`.
    case content
    /// Dublin Core.
    case dublinCore
    /// The frame of RSS 1.0.
    case rdf
    /// Anything else: what looks like a title there is none.
    case other
  }

  /// The family.
  let family: Family
  /// The name within it.
  let local: String

  /// Sorts out what the parser says of an element.
  ///
  /// - Parameters:
  ///   - name: the local name.
  ///   - namespace: the namespace; empty where none is declared.
  ///   - qualifiedName: the name with its prefix, which tells the family of an undeclared one.
  /// - Complexity: O(length).
  init(_ name: String, namespace: String?, qualifiedName: String?) {
    local = name
    switch namespace ?? "" {
    case "":
      family = qualifiedName.map { Self.family(undeclared: $0) } ?? .rss
    case "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
      "http://backend.userland.com/rss2", "http://blogs.law.harvard.edu/tech/rss":
      family = .rss
    case "http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#":
      family = .atom
    case "http://purl.org/rss/1.0/modules/content/":
      family = .content
    case "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/":
      family = .dublinCore
    case "http://www.w3.org/1999/02/22-rdf-syntax-ns#":
      family = .rdf
    default:
      family = .other
    }
  }

  private static func family(undeclared qualifiedName: String) -> Family {
    guard let colon = qualifiedName.firstIndex(of: ":") else { return .rss }
    switch qualifiedName[..<colon] {
    case "content": return .content
    case "dc", "dcterms": return .dublinCore
    case "atom": return .atom
    case "rdf": return .rdf
    default: return .other
    }
  }
}

extension ElementName {
  /// Whether this is one article: `item` or `entry`.
  var isArticle: Bool {
    (family == .rss && local == "item") || (family == .atom && local == "entry")
  }

  /// Whether this holds what is said of the whole feed: `channel` or `feed`.
  var isFeed: Bool {
    (family == .rss && local == "channel") || (family == .atom && local == "feed")
  }
}
