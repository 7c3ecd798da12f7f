internal import SwiftSyntax

/// Makes local names that no name in a declaration equals, readable ones.
///
/// The compiler's own unique names begin with `$`, which a closure's parameter may not.
struct LocalNames {
  private let taken: Set<String>

  /// Avoids every identifier in a declaration.
  init(avoiding node: some SyntaxProtocol) {
    taken = Set(
      node.tokens(viewMode: .sourceAccurate).map { $0.text.filter { $0 != "`" } })
  }

  /// A name like the one wanted.
  func callAsFunction(_ wanted: String) -> String {
    var name = wanted
    while taken.contains(name) { name = "_" + name }
    return name
  }
}

extension String {
  /// The name, fit to be declared even if it is a keyword.
  var asIdentifier: String {
    let bare = filter { $0 != "`" }
    return Self.words.contains(bare) ? "`\(bare)`" : bare
  }

  private static let words: Set<String> = [
    "subscript", "init", "deinit", "self", "Self", "default", "in", "is", "as", "for", "while",
    "repeat", "return", "throw", "throws", "rethrows", "try", "catch", "do", "defer", "guard", "if",
    "else", "switch", "case", "break", "continue", "fallthrough", "where", "import", "func", "var",
    "let", "class", "struct", "enum", "protocol", "extension", "typealias", "associatedtype",
    "operator", "precedencegroup", "static", "public", "private", "internal", "fileprivate",
    "inout",
    "nil", "true", "false", "super", "Any", "Type", "Protocol",
  ]
}
