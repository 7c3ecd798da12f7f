internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// A sentence about what a macro cannot do, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
struct MacroMessage: DiagnosticMessage, FixItMessage {
  let message: String
  let code: String

  var diagnosticID: MessageID { MessageID(domain: "Junctor", id: code) }
  var fixItID: MessageID { diagnosticID }
  var severity: DiagnosticSeverity { .error }

  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// A replacement that the editor can offer.
struct Remedy {
  let message: MacroMessage
  let change: FixIt.Change

  init(_ text: String, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol) {
    message = MacroMessage("remedy", text)
    change = .replace(oldNode: Syntax(old), newNode: Syntax(new))
  }
}

/// Collects what is wrong, so that nothing is written where something is.
final class Complaints {
  private(set) var diagnostics: [SwiftDiagnostics.Diagnostic] = []

  var isEmpty: Bool { diagnostics.isEmpty }

  /// Notes what is wrong at a place.
  func add(_ code: String, at node: some SyntaxProtocol, _ message: String, remedy: Remedy? = nil) {
    let fixIts = remedy.map { [FixIt(message: $0.message, changes: [$0.change])] } ?? []
    diagnostics.append(
      Diagnostic(node: node, message: MacroMessage(code, message), fixIts: fixIts))
  }

  /// Hands everything to the compiler.
  func report(to context: some MacroExpansionContext) {
    for diagnostic in diagnostics { context.diagnose(diagnostic) }
  }
}
