import SwiftBasicFormat
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import JunctorMacrosPlugin

/// A source with its macros expanded, and what they complained about.
struct Expansion {
  /// The expanded source.
  let text: String
  /// Each complaint as `line:column message`.
  let complaints: [String]
  /// The source after the first fix-it of each complaint was applied.
  let fixed: String

  init(_ source: String) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let macros: [String: any Macro.Type] = [
      "Multicast": MulticastMacro.self, "Returns": ReturnsMacro.self,
      "Optional": OptionalMacro.self, "Forwarded": ForwardedMacro.self,
      "DataReceiver": DataReceiverMacro.self,
    ]
    let expanded = file.expand(
      macros: macros,
      contextGenerator: { node in
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
      }, indentationWidth: .spaces(2))
    text = expanded.description
    complaints = context.diagnostics.map { diagnostic in
      let place = context.location(
        for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Test.swift")
      return "\(place.line):\(place.column) \(diagnostic.message)"
    }
    var edits: [(Range<Int>, String)] = []
    for diagnostic in context.diagnostics {
      guard let change = diagnostic.fixIts.first?.changes.first,
        case .replace(let old, let new) = change
      else { continue }
      let start = context.location(for: old.position, anchoredAt: old, fileName: "Test.swift")
        .offset
      edits.append((start..<(start + old.totalLength.utf8Length), new.description))
    }
    var bytes = Array(source.utf8)
    for (range, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      bytes.replaceSubrange(range, with: Array(text.utf8))
    }
    fixed = String(decoding: bytes, as: UTF8.self)
  }
}
