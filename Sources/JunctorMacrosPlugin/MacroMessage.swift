internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// A sentence about what a macro cannot do, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
struct MacroMessage: DiagnosticMessage, FixItMessage {
  /// The sentence.
  let message: String
  /// What tells it from others.
  let code: String

  /// The identity that the compiler knows it by.
  var diagnosticID: MessageID { MessageID(domain: "Junctor", id: code) }
  /// The same, for a fix-it.
  var fixItID: MessageID { diagnosticID }
  /// An error: what is written where something is wrong only keeps others from following.
  var severity: DiagnosticSeverity { .error }

  /// Puts a message together.
  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// A replacement that the editor can offer.
struct Remedy {
  /// What the editor shows.
  let message: MacroMessage
  /// What the editor does.
  let change: FixIt.Change

  /// Replaces one piece of the source by another.
  init(_ text: String, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol) {
    message = MacroMessage("remedy", text)
    change = .replace(oldNode: Syntax(old), newNode: Syntax(new))
  }
}

/// Collects what is wrong.
final class Complaints {
  /// What is wrong, in the order in which it was found.
  private(set) var diagnostics: [SwiftDiagnostics.Diagnostic] = []

  /// What is wrong, by kind.
  private(set) var codes: Set<String> = []

  /// Whether nothing is wrong.
  var isEmpty: Bool { diagnostics.isEmpty }

  /// Notes what is wrong at a place.
  func add(_ code: String, at node: some SyntaxProtocol, _ message: String, remedy: Remedy? = nil) {
    let fixIts = remedy.map { [FixIt(message: $0.message, changes: [$0.change])] } ?? []
    codes.insert(code)
    diagnostics.append(
      Diagnostic(node: node, message: MacroMessage(code, message), fixIts: fixIts))
  }

  /// Hands everything to the compiler.
  func report(to context: some MacroExpansionContext) {
    for diagnostic in diagnostics { context.diagnose(diagnostic) }
  }
}
