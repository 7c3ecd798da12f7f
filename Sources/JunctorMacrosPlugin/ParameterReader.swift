internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// Reads a parameter list: how it is declared with a name for every parameter, and how it is passed on.
struct ParameterReader {
  /// The declaration, without the parentheses.
  private(set) var declaration: [String] = []
  /// The arguments.
  private(set) var arguments: [String] = []
  /// The labels, `_` for none.
  private(set) var labels: [String] = []
  /// The local names.
  private(set) var names: [String] = []

  /// What the parameters belong to, for complaints.
  let owner: String
  /// Where complaints go.
  let complaints: Complaints
  /// Makes names for parameters without one.
  let makeName: LocalNames

  /// Reads one parameter after the other.
  mutating func read(_ parameters: FunctionParameterListSyntax, isSubscript: Bool = false) {
    for parameter in parameters { read(parameter, isSubscript: isSubscript) }
  }

  private mutating func read(_ parameter: FunctionParameterSyntax, isSubscript: Bool) {
    if parameter.ellipsis != nil {
      complaints.add(
        "variadic", at: parameter,
        "Can't forward '\(owner)': a variadic parameter cannot be passed on as one. "
          + "Take an array instead.",
        remedy: Remedy(
          "take an array", replacing: parameter,
          with: parameter.with(\.type, "[\(parameter.type.trimmed)]").with(\.ellipsis, nil)))
    }
    let first = parameter.firstName.text
    let local = parameter.secondName?.text ?? first
    let name = local == "_" ? makeName("argument\(self.names.count + 1)") : local
    // A subscript's parameter has no label unless two names are written.
    let label = isSubscript && parameter.secondName == nil ? "_" : first
    let attributes = parameter.attributes.trimmedDescription
    let names = label == name && !isSubscript ? name : "\(label) \(name)"
    declaration.append(
      (attributes.isEmpty ? "" : attributes + " ") + names + ": "
        + parameter.type.trimmedDescription + (parameter.ellipsis?.text ?? ""))
    labels.append(label)
    self.names.append(name)
    arguments.append(
      (label == "_" ? "" : "\(label.filter { $0 != "`" }): ")
        + passed(name, parameter.type, at: parameter))
  }

  private func passed(
    _ name: String, _ type: TypeSyntax, at parameter: FunctionParameterSyntax
  ) -> String {
    if type.is(PackExpansionTypeSyntax.self) { return "repeat each \(name)" }
    guard let attributed = type.as(AttributedTypeSyntax.self) else { return name }
    var text = name
    for specifier in attributed.specifiers {
      guard let simple = specifier.as(SimpleTypeSpecifierSyntax.self) else { continue }
      switch simple.specifier.tokenKind {
      case .keyword(.inout): text = "&\(name)"
      case .keyword(.consuming), .keyword(.__owned), .keyword(.sending):
        let word = simple.specifier.text
        let without = attributed.with(
          \.specifiers, attributed.specifiers.filter { $0.id != specifier.id })
        complaints.add(
          "once", at: simple,
          "Can't forward '\(owner)': a '\(word)' parameter can be given to one target only. "
            + "Leave '\(word)' out.",
          remedy: Remedy(
            "remove '\(word)'", replacing: parameter,
            with: parameter.with(\.type, TypeSyntax(without))))
      default: break
      }
    }
    let isAutoclosure = attributed.attributes.attributes.contains {
      $0.attributeName.trimmedDescription == "autoclosure"
    }
    return isAutoclosure ? passedAutoclosure(name, attributed.baseType) : text
  }

  /// Evaluated once by each target that evaluates it, as a single delegate would.
  private func passedAutoclosure(_ name: String, _ type: TypeSyntax) -> String {
    let effects = type.as(FunctionTypeSyntax.self)?.effectSpecifiers
    return (effects?.throwsClause != nil ? "try " : "")
      + (effects?.asyncSpecifier != nil ? "await " : "") + "\(name)()"
  }
}
