/// What a wiring can be rendered as.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct WiringFormat: Sendable, Hashable, CustomStringConvertible {
  private enum Kind: String, CaseIterable {
    case text, json, dot, mermaid, svg
  }

  private let kind: Kind

  /// An indented tree for a terminal.
  public static let text = WiringFormat(kind: .text)
  /// The documented, versioned record that can be read back.
  public static let json = WiringFormat(kind: .json)
  /// A graph for Graphviz.
  public static let dot = WiringFormat(kind: .dot)
  /// A flow chart for Mermaid, as GitHub and GitLab show it.
  public static let mermaid = WiringFormat(kind: .mermaid)
  /// A picture; needs Graphviz's program `dot`.
  public static let svg = WiringFormat(kind: .svg)

  /// Every format, in the order in which help texts name them.
  public static let all: [WiringFormat] = Kind.allCases.map(WiringFormat.init(kind:))

  private init(kind: Kind) { self.kind = kind }

  /// Finds a format by its name or suffix: `text`, `txt`, `json`, `dot`, `gv`, `mermaid`, `mmd`, `svg`.
  ///
  /// - Parameter name: the name, in either case.
  /// - Complexity: O(1).
  public init?(named name: String) {
    switch name.lowercased() {
    case "text", "txt": self = .text
    case "json": self = .json
    case "dot", "gv": self = .dot
    case "mermaid", "mmd": self = .mermaid
    case "svg": self = .svg
    default: return nil
    }
  }

  /// Picks the format that a file's suffix stands for.
  ///
  /// - Parameter path: the file's name or path.
  /// - Complexity: O(length).
  public init?(suffixOf path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    self.init(named: String(name[name.index(after: dot)...]))
  }

  /// The format's name.
  public var description: String { kind.rawValue }

  /// The suffix of files in this format, without the dot.
  public var suffix: String {
    switch kind {
    case .text: "txt"
    case .mermaid: "mmd"
    case .json, .dot, .svg: kind.rawValue
    }
  }
}
